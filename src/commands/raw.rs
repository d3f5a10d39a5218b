//! Calls that are never captured: they need a terminal, talk with their user, or do not end by themselves.
//!
//! The configuration's `[passthrough]` adds patterns.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

use super::call;
use super::table::RAW;

/// The pattern that matches this call of `tool`, from the built-in table or from `extra` (patterns of the same
/// syntax); `None` where no pattern does.
pub fn pattern_of(tool: &str, words: &[OsString], extra: &[String]) -> Option<String> {
    let args: Vec<&[u8]> = words.iter().map(|arg| arg.as_bytes()).collect();
    let own = RAW.of(tool).unwrap_or_default();
    let marked = |mark| own.iter().filter_map(move |words| words.first()?.strip_prefix(mark));
    let letters = marked('=').next().unwrap_or_default().as_bytes();
    let call = || [vec![tool.to_owned()], call::as_text(words)].concat();
    let is_lifted = |words: &&&[&str]| matches!(words, [word] if marked('!').any(|lifted| lifted == *word));
    let for_all = RAW.of("*").unwrap_or_default().iter().filter(|words| !is_lifted(words));
    let is_for_all_calls = own.iter().any(|words| words.is_empty());
    let is_lifted_call = |words: &[&str]| {
        let first = words.first().and_then(|word| word.strip_prefix('!'));
        let first = first.filter(|_| is_for_all_calls || words.len() > 1);
        first.is_some_and(|first| {
            let pattern = [&[first], &words[1..]].concat();
            if first == "*" {
                call::matches(&pattern, &call())
            } else {
                matches_pattern(&pattern, &args, letters)
            }
        })
    };
    if own.iter().any(|words| is_lifted_call(words)) {
        return None;
    }
    let own = own.iter().filter(|words| !words.first().is_some_and(|word| word.starts_with(['!', '='])));
    let extra = extra.iter().map(|pattern| pattern.split_whitespace().collect::<Vec<_>>());
    for_all
        .chain(own)
        .map(|words| words.to_vec())
        .chain(extra)
        .find(|words| matches_pattern(words, &args, letters))
        .map(|words| words.join(" "))
}

/// Whether the arguments match a pattern's words. `values` holds the letters of flags that take a value.
fn matches_pattern(words: &[&str], args: &[&[u8]], values: &[u8]) -> bool {
    let flags_end = args.iter().position(|arg| *arg == b"--").unwrap_or(args.len());
    let mut at = 0;
    words.iter().all(|word| {
        if word.len() > 1 && word.starts_with('-') {
            args[at.min(flags_end)..flags_end].iter().any(|arg| is_flag(word.as_bytes(), arg, values))
        } else {
            let found = args[at..].iter().position(|arg| *arg == word.as_bytes());
            at += found.map_or(0, |found| found + 1);
            found.is_some()
        }
    })
}

fn is_flag(flag: &[u8], arg: &[u8], values: &[u8]) -> bool {
    if let [b'-', letter] = flag {
        let [b'-', cluster @ ..] = arg else { return false };
        let is_letter = |c: &&u8| **c == *letter || **c == b'=' || **c == b'-' || values.contains(*c);
        return *letter != b'-' && cluster.iter().find(is_letter) == Some(letter);
    }
    match arg.strip_prefix(flag) {
        Some(b"") => true,
        Some(value) => value[0] == b'=' && value != b"=false",
        None => false,
    }
}

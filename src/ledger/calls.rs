//! The name of a call: the tool and its subcommand, in words that are public. The other words of a command line may be
//! secrets, and are never written down.

use std::ffi::OsString;

use crate::commands::{self, CALLS, VERBS};
use crate::filter::library;

/// Most words that are taken from a set.
const SET_WORDS: usize = 4;
/// Longest name of a tool or a filter that is written down, in characters.
const LONGEST_NAME: usize = 48;

/// The name of the call: `aws ec2 describe-instances`, `git stash pop`; the tool alone where no pattern matches its
/// words. A command that only runs another (`npx jest`) is dropped where the other is known.
pub fn name_of(tool: &str, call: &[OsString]) -> String {
    let words = commands::as_text(call);
    let inner = commands::unwrap(&words);
    let tool = plain_name(tool);
    let Some(inner_tool) = inner.first().map(|first| commands::base_name(first)) else { return tool };
    let named = if inner.len() == words.len() {
        tool.as_str()
    } else if CALLS.of(inner_tool).is_some() || library::is_known(inner_tool) {
        inner_tool
    } else {
        return tool;
    };
    // The first words that a pattern of the table or the command of a filter matches.
    let words = commands::positional(inner);
    let patterns = CALLS.of(inner_tool).unwrap_or_default();
    let of_table = patterns.iter().map(|pattern| length_of(pattern, &words)).max().unwrap_or(0);
    let of_filter = library::known_words(inner).min(words.len());
    [&[named], &words[..of_table.max(of_filter)]].concat().join(" ")
}

/// A name from outside (a tool's, a filter's), cut; characters other than letters, digits and `.-_+` become `_`.
pub fn plain_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || ".-_+".contains(c) { c } else { '_' };
    name.chars().take(LONGEST_NAME).map(safe).collect()
}

/// The number of words that a pattern matches: all of its own or none; of a set (`~`) as many as are in the set.
fn length_of(pattern: &[&str], named: &[&str]) -> usize {
    if let Some((&"~", set)) = pattern.split_first() {
        return named.iter().take(SET_WORDS).take_while(|word| set.contains(word)).count();
    }
    let fits = |(part, word): (&&str, &&str)| match *part {
        "@operation" => is_operation(word),
        _ => part.split('|').any(|alternative| alternative == *word),
    };
    let matches = pattern.len() <= named.len() && pattern.iter().zip(named).all(fits);
    if matches { pattern.len() } else { 0 }
}

/// Whether a word is like `list-objects-v2`: a known verb, then words of letters, each with two digits at the most.
fn is_operation(word: &str) -> bool {
    let Some((verb, noun)) = word.split_once('-') else { return false };
    let is_plain = |part: &str| {
        let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
        !letters.is_empty()
            && part.len() - letters.len() <= 2
            && letters.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let is_verb = VERBS.of("@operation").is_some_and(|verbs| verbs[0].contains(&verb));
    word.len() <= 71 && is_verb && noun.split('-').all(is_plain)
}

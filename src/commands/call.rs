//! Finds the words of a command that name the tool and its subcommand, behind wrappers, options and their values.

use std::ffi::OsString;

use super::table::{RUNS, VALUES};

/// The words of a call as text; what is not UTF-8 becomes U+FFFD.
pub fn as_text(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Whether `pattern`, a filter's command without its tool, matches the command `words`. Options of the pattern may
/// stand anywhere; its other words must be the first positional words of the command. `*` matches any word.
pub fn matches(pattern: &[&str], words: &[String]) -> bool {
    let named = positional(words);
    let mut at = 0;
    pattern.iter().all(|word| {
        if word.starts_with('-') && word.len() > 1 {
            return words[1..].iter().any(|given| {
                given == word || given.strip_prefix(word).is_some_and(|value| value.starts_with('='))
            });
        }
        at += 1;
        named.get(at - 1).is_some_and(|given| *word == "*" || given == word)
    })
}

/// The positional words behind the tool's name: neither options (`-x`, `+nightly`) nor values of options.
pub fn positional(words: &[String]) -> Vec<&str> {
    let tool = base_name(&words[0]);
    let with_value = values_of(tool);
    let mut named = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        if with_value.contains(&word.as_str()) {
            rest.next();
        } else if !(word.starts_with('-') && word.len() > 1 || word.starts_with('+')) {
            named.push(word.as_str());
        }
    }
    named
}

/// The words without leading wrappers, which are commands that only run another one.
pub fn unwrap(words: &[String]) -> &[String] {
    let mut words = words;
    while let Some(inner) = behind_wrapper(words) {
        words = inner;
    }
    words
}

/// The command that these words' own command runs, if that is a wrapper.
pub fn behind_wrapper(words: &[String]) -> Option<&[String]> {
    let (first, rest) = words.split_first()?;
    let tool = base_name(first);
    RUNS.of(tool)?.iter().find_map(|wanted| behind(wanted, values_of(tool), rest))
}

/// The command that a wrapper runs, if these are the words behind its name.
fn behind<'a>(wanted: &[&str], values: &[&str], mut rest: &'a [String]) -> Option<&'a [String]> {
    for wanted in wanted {
        rest = if wanted.starts_with('-') { rest } else { behind_options(rest, values) };
        rest = match *wanted {
            "=" => &rest[rest.iter().take_while(|word| word.contains('=')).count()..],
            "*" => rest.split_first()?.1,
            "--" => &rest[rest.iter().position(|word| word == "--")? + 1..],
            _ => rest.split_first().filter(|(word, _)| word == wanted)?.1,
        };
    }
    let rest = behind_options(rest, values);
    (!rest.is_empty()).then_some(rest)
}

/// The words from the first that is neither an option nor the value of an option; `--` ends the options.
pub fn behind_options<'a>(words: &'a [String], values: &[&str]) -> &'a [String] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-') && word.len() > 1) {
        at += 1 + usize::from(values.contains(&word.as_str()));
        if word == "--" {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}

/// The options of a tool whose value is the next word.
pub fn values_of(tool: &str) -> &'static [&'static str] {
    VALUES.of(tool).map_or(&[][..], |patterns| patterns[0])
}

pub fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

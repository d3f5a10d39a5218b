//! Looks up which commands are rewritten, and which are not and why. Users add to the tables by rules
//! (`rewrites.toml`).
//!
//! Whether a call talks with its user or never ends is told by `src/passthrough/table.toml`, not here.

use super::lists::{EXCEPT, NEVER, PARTS, SEARCH, WHOLE};
use crate::filter::command;

/// Why the tables leave a command alone; None where it is to be rewritten. The tool's name, without a directory, is
/// the first of the words.
pub(super) fn unlisted(words: &[String]) -> Option<&'static str> {
    let name = words[0].as_str();
    if let Some((reason, _)) = NEVER.iter().find(|(_, names)| has(names, name)) {
        return Some(reason);
    }
    let patterns = patterns_in(PARTS, name);
    if patterns.is_none() && !WHOLE.iter().any(|names| has(names, name)) {
        return Some("it is not on the list");
    }
    let one_matches = |patterns: &str| patterns.split(", ").any(|pattern| matches(pattern, words));
    let is_excepted = patterns_in(EXCEPT, name).is_some_and(one_matches);
    (is_excepted || !patterns.is_none_or(one_matches)).then_some("this subcommand is not on the list")
}

/// Whether the tool reads files that its arguments name.
pub(super) fn reads_files(name: &str) -> bool {
    has(SEARCH, name)
}

fn patterns_in(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| has(names, name)).map(|(_, patterns)| *patterns)
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

fn matches(pattern: &str, words: &[String]) -> bool {
    let mut pattern: Vec<&str> = pattern.split(' ').collect();
    let alone = pattern.pop_if(|last| *last == ".").is_some();
    if !command::matches(&pattern, words) {
        return false;
    }
    pattern.push("*");
    !(alone && command::matches(&pattern, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_there_twice() {
        let never = NEVER.iter().map(|(_, names)| *names);
        let parts = PARTS.iter().map(|(names, _)| *names);
        let tables = WHOLE.iter().copied().chain(never).chain(parts).collect::<Vec<_>>();
        for lists in [tables, EXCEPT.iter().map(|(names, _)| *names).collect()] {
            let mut names: Vec<_> = lists.into_iter().flat_map(str::split_whitespace).collect();
            names.sort_unstable();
            let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }
}

//! Looks up which commands are rewritten, and which are not and why. Users add to the tables by rules
//! (`rewrites.toml`).
//!
//! Whether a call talks with its user or never ends is told by `src/passthrough/table.toml`, not here.

use super::lists::{EXCEPT, NEVER, PARTS, SEARCH, WHOLE};
use crate::filter::command;

/// What the tables say of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    /// To be rewritten.
    Yes,
    /// Not to be rewritten, for this reason.
    No(&'static str),
}

/// What the tables say of a command's words, the tool's name (without a directory) first.
pub fn listed(words: &[String]) -> Listed {
    let name = words[0].as_str();
    if let Some((reason, _)) = NEVER.iter().find(|(_, names)| has(names, name)) {
        return Listed::No(reason);
    }
    let patterns = PARTS.iter().find(|(tool, _)| *tool == name).map(|(_, patterns)| *patterns);
    if patterns.is_none() && !WHOLE.iter().any(|names| has(names, name)) {
        return Listed::No("it is not on the list");
    }
    let excepted = EXCEPT.iter().filter(|(tool, _)| *tool == name).flat_map(|(_, patterns)| *patterns);
    if excepted.into_iter().any(|pattern| matches(pattern, words))
        || patterns.is_some_and(|patterns| !patterns.iter().any(|pattern| matches(pattern, words)))
    {
        return Listed::No("this subcommand is not on the list");
    }
    Listed::Yes
}

/// Whether the tool reads files that its arguments name.
pub fn reads_files(name: &str) -> bool {
    has(SEARCH, name)
}

fn has(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|listed| listed == name)
}

fn matches(pattern: &str, words: &[String]) -> bool {
    let mut pattern: Vec<&str> = pattern.split(' ').collect();
    let alone = pattern.last() == Some(&".");
    if alone {
        pattern.pop();
    }
    if !command::matches(&pattern, words) {
        return false;
    }
    pattern.push("*");
    !(alone && command::matches(&pattern, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_listed(line: &str) -> bool {
        listed(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()) == Listed::Yes
    }

    #[test]
    fn options_in_front_do_not_hide_the_subcommand() {
        for line in [
            "git -C /x --no-pager log -p",
            "cargo +nightly --color never test",
            "git branch -vv",
            "npm --prefix a test",
        ] {
            assert!(is_listed(line), "{line}");
        }
        for line in [
            "git -C log commit",
            "git branch new",
            "git branch -D old",
            "npm install",
            "cargo run",
            "find . -delete",
            "$X status",
        ] {
            assert!(!is_listed(line), "{line}");
        }
    }

    #[test]
    fn no_name_is_in_two_tables() {
        let whole = WHOLE.iter().flat_map(|names| names.split_whitespace());
        let never = NEVER.iter().flat_map(|(_, names)| names.split_whitespace());
        let mut names: Vec<_> = whole.chain(never).chain(PARTS.iter().map(|(name, _)| *name)).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}

//! Exit statuses that answer a question: no failure, and nothing to tell of.

use crate::filter::command::{base_name, matches};
use crate::run::Status;

/// Commands whose exit status 1 says no: nothing found, the two differ, it is not so.
const ANSWERS: &[&str] = &[
    "[",
    "ack",
    "ag",
    "bzgrep",
    "cmp",
    "colordiff",
    "comm",
    "diff",
    "diff3",
    "egrep",
    "expr",
    "fgrep",
    "git diff",
    "git diff-files",
    "git diff-index",
    "git diff-tree",
    "git grep",
    "pgrep",
    "rg",
    "sdiff",
    "test",
    "xzgrep",
    "zcmp",
    "zdiff",
    "zgrep",
    "grep",
];

/// Whether the command `words` answers by this status.
pub(super) fn is_answer(words: &[String], status: Status) -> bool {
    let Some(tool) = words.first().map(|word| base_name(word)) else { return false };
    let is_named = |answer: &&str| {
        let mut parts = answer.split(' ');
        parts.next() == Some(tool) && matches(&parts.collect::<Vec<_>>(), words)
    };
    status == Status::Exited(1) && ANSWERS.iter().any(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_an_answer_and_trouble_is_a_failure() {
        let is = |line: &str, code| {
            is_answer(&line.split(' ').map(String::from).collect::<Vec<_>>(), Status::Exited(code))
        };
        assert!(is("grep x", 1) && is("/usr/bin/diff a b", 1) && is("git -C /x diff --no-index a b", 1));
        assert!(!is("grep x", 2) && !is("git fetch", 1) && !is("git diff", 128) && !is("find /etc diff", 1));
    }
}

//! Exit statuses that answer a question: no failure, and nothing to tell of.

use crate::commands::ANSWERS;
use crate::run::Status;

/// Whether the command `words` answers by this status.
pub(super) fn is_answer(words: &[String], status: Status) -> bool {
    status == Status::Exited(1) && ANSWERS.holds_for(words)
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

//! Exit statuses that answer a question: no failure, and nothing to tell of.

use crate::commands::ANSWERS;
use crate::run::Status;

/// Whether the command `words` answers by this status.
pub(super) fn is_answer(words: &[String], status: Status) -> bool {
    status == Status::Exited(1) && ANSWERS.holds_for(words)
}

#[cfg(test)]
#[path = "../../tests/unit/viewer/answers.rs"]
mod tests;

//! Keeps the user's permission rules in force. An agent asks its rules about the text that is run, and a rewrite
//! changes that text: so a command is rewritten only where the rules still give the same answer.

mod claude;
mod mentions;

use super::line::{Seen, pipeline};
use super::protocol::Question;
use crate::agents::{Agent, Hook};

/// Whether the agent's rules could give another answer for the rewritten line, or cannot be read.
pub fn may_differ(agent: &Agent, hook: &Hook, question: &Question, rewritten: &str, front: &str) -> bool {
    let original = question.command();
    let Some(stages) = pipeline(original) else { return false };
    let seen = Seen::new(original, &stages[0]);
    match agent.id {
        "claude" => claude::may_differ(question, &seen, rewritten, front),
        _ => mentions::may_differ(&hook.rules, question, &seen),
    }
}

//! Keeps the user's permission rules in force. An agent asks its rules about the text that is run, and a rewrite
//! changes that text: so a command is rewritten only where the rules still give the same answer.

mod claude;
mod mentions;
mod seen;

use super::line::pipeline;
use super::protocol::Question;
use crate::agents::{Agent, Hook};
use seen::Seen;

/// The rule for which to leave the command alone; None where the agent's rules give the same answer for both lines.
pub fn differ(
    agent: &Agent,
    hook: &Hook,
    question: &Question,
    rewritten: &str,
    front: &str,
) -> Option<String> {
    let original = question.command();
    let stages = pipeline(original)?;
    let seen = Seen::new(original, &stages[0]);
    match agent.id {
        "claude" => claude::differ(question, &seen, rewritten, front),
        _ => mentions::differ(&hook.rules, question, &seen),
    }
}

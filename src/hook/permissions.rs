//! Keeps the user's permission rules in force. An agent asks its rules about the text that is run, and a rewrite
//! changes that text: so a command is rewritten only where the rules still give the same answer.

mod claude;
mod mentions;

use super::line::{Simple, pipeline};
use super::protocol::Question;
use crate::agents::{Agent, Hook};
use crate::filter::command::base_name;

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

/// The forms of a command that rules may see.
#[derive(Debug)]
struct Seen {
    /// The line as it is, and other forms of it: without assignments, without quotes, the name without a directory.
    forms: Vec<String>,
    /// The tool's name, without a directory.
    name: String,
}

impl Seen {
    fn new(line: &str, command: &Simple<'_>) -> Self {
        let mut values = command.values();
        let behind = &line[command.words[0].start..];
        let mut forms = vec![line.trim().to_owned(), behind.trim().to_owned(), values.join(" ")];
        values[0] = base_name(&values[0]).into();
        forms.push(values.join(" "));
        Self { forms, name: values.swap_remove(0) }
    }
}

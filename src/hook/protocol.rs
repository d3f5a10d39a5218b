//! The messages of agents to a hook and its answers; the form of each agent's is data (`src/agents/*.toml`,
//! `[hook]`).

use serde_json::{Map, Value};

use crate::agents::Hook;

/// A question for us, about a command that is about to run.
#[derive(Debug)]
pub struct Question {
    /// The whole message.
    pub message: Value,
    arguments: Map<String, Value>,
}

impl Question {
    /// The command.
    pub fn command(&self) -> &str {
        self.arguments.get("command").and_then(Value::as_str).unwrap_or_default()
    }

    /// The text under a key of the message.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.message.get(key).and_then(Value::as_str)
    }
}

/// Reads a question; None for anything but a command that is about to run.
pub fn question(hook: &Hook, input: &[u8]) -> Option<Question> {
    let message: Value = serde_json::from_slice(input).ok()?;
    let tool = message.get(hook.tool_key)?.as_str()?;
    if !hook.tools.contains(&tool) {
        return None;
    }
    // Copilot passes the arguments as a text that is JSON.
    let arguments = match message.get(hook.arguments_key)? {
        Value::Object(arguments) => arguments.clone(),
        Value::String(text) => serde_json::from_str(text).ok()?,
        _ => return None,
    };
    arguments.get("command")?.as_str()?;
    Some(Question { message, arguments })
}

/// The answer that has the agent run `command` instead, with all other arguments as they were. None where the
/// agent's data is not JSON.
pub fn answer(hook: &Hook, question: &Question, command: &str) -> Option<String> {
    let mut answer: Value = serde_json::from_str(&hook.answer.replace('\n', " ")).ok()?;
    let mut open = vec![&mut answer];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text == "@COMMAND@" => *value = command.into(),
            Value::String(text) if text == "@INPUT@" => {
                let mut arguments = question.arguments.clone();
                arguments.insert("command".into(), command.into());
                *value = arguments.into();
            }
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
    Some(answer.to_string())
}

#[cfg(test)]
#[path = "../../tests/unit/hook/protocol.rs"]
mod tests;

//! The messages of agents to a hook, and its answers; their forms are data (`src/agents/*.toml`, `[hook]`).

use serde_json::{Map, Value};

use crate::agents::Hook;

/// A question for us, about a command that is about to run.
#[derive(Debug)]
pub struct Question {
    pub message: Value,
    pub(super) arguments: Map<String, Value>,
}

impl Question {
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

/// The answer that has the agent run `command` instead, all other arguments as they were.
pub fn answer(hook: &Hook, question: &Question, command: &str) -> Option<String> {
    let mut answer: Value = serde_json::from_str(&hook.answer.replace('\n', " ")).ok()?;
    for_each_string(&mut answer, |value| match value.as_str() {
        Some("@COMMAND@") => *value = command.into(),
        Some("@INPUT@") => {
            let mut arguments = question.arguments.clone();
            arguments.insert("command".into(), command.into());
            *value = arguments.into();
        }
        _ => {}
    });
    Some(answer.to_string())
}

/// Changes every string in a value.
pub fn for_each_string(value: &mut Value, mut change: impl FnMut(&mut Value)) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(_) => change(value),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values_mut()),
            _ => {}
        }
    }
}

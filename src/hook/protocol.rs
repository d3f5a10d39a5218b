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
mod tests {
    use super::*;
    use crate::agents::AGENTS;

    fn answered(id: &str, input: &str, command: &str) -> String {
        let hook = AGENTS.iter().find(|agent| agent.id == id).unwrap().hook.as_ref().unwrap();
        answer(hook, &question(hook, input.as_bytes()).unwrap(), command).unwrap()
    }

    #[test]
    fn a_long_number_came_out_as_its_neighbour() {
        let number = "5.0006666666666667e+76";
        let input = format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"x","timeout":{number}}}}}"#);
        let answer = answered("claude", &input, "y");
        let (_, timeout) = answer.split_once("\"timeout\":").unwrap();
        assert_eq!(timeout.trim_end_matches('}').parse(), number.parse::<f64>(), "{answer}");
    }

    #[test]
    fn arguments_may_be_json_in_a_text() {
        let input = r#"{"toolName":"bash","toolArgs":"{\"command\":\"aws\",\"mode\":\"sync\"}"}"#;
        assert_eq!(answered("copilot", input, "t"), r#"{"modifiedArgs":{"command":"t","mode":"sync"}}"#);
    }

    #[test]
    fn what_a_command_says_is_no_part_of_the_answers_form() {
        let input = r#"{"tool_name":"bash","tool_input":{"command":"x"}}"#;
        assert_eq!(answered("opencode", input, "@INPUT@"), r#"{"command":"@INPUT@"}"#);
    }

    #[test]
    fn every_agents_answer_is_json_and_only_codex_says_allow() {
        for (agent, hook) in AGENTS.iter().filter_map(|agent| Some((agent.id, agent.hook.as_ref()?))) {
            let arguments: Map<String, Value> = [("command".into(), "x".into())].into_iter().collect();
            let question = Question { message: Value::Null, arguments };
            let answer = answer(hook, &question, "toto x").unwrap_or_else(|| panic!("{agent}"));
            assert!(answer.contains(r#""command":"toto x""#), "{agent}: {answer}");
            assert_eq!(answer.contains("allow"), agent == "codex", "{agent}: {answer}");
        }
    }
}

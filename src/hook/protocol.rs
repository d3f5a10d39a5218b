//! What agents say to a hook and what they want to hear: one table.
//!
//! No answer ever says "allow" where the agent would take that for a permission; what was seen of each is told in
//! docs/hook.md.

use serde_json::{Map, Value, json};

/// How one agent speaks with its hooks.
#[derive(Debug)]
pub struct Protocol {
    /// The agent (`src/agents`).
    pub agent: &'static str,
    /// The event that a hook is asked at.
    pub event: &'static str,
    /// The tool that runs commands.
    pub tools: &'static [&'static str],
    /// Where the tool's name and its arguments stand.
    pub keys: (&'static str, &'static str),
    /// How the answer is put.
    answer: Answer,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    /// `hookSpecificOutput.updatedInput`: the whole input.
    Updated,
    /// The same; without this word Codex does not take it, and its own approval rules are asked all the same.
    UpdatedAllowed,
    /// `hookSpecificOutput.tool_input`: what differs.
    Partial,
    /// `modifiedArgs`: the whole input.
    Modified,
    /// The command alone, for a plugin of ours.
    Command,
}

/// Every agent whose hooks can rewrite a command.
pub const PROTOCOLS: &[Protocol] = &[
    Protocol {
        agent: "claude",
        event: "PreToolUse",
        tools: &["Bash"],
        keys: ("tool_name", "tool_input"),
        answer: Answer::Updated,
    },
    Protocol {
        agent: "codex",
        event: "PreToolUse",
        tools: &["Bash"],
        keys: ("tool_name", "tool_input"),
        answer: Answer::UpdatedAllowed,
    },
    Protocol {
        agent: "copilot",
        event: "preToolUse",
        tools: &["bash"],
        keys: ("toolName", "toolArgs"),
        answer: Answer::Modified,
    },
    Protocol {
        agent: "gemini",
        event: "BeforeTool",
        tools: &["run_shell_command"],
        keys: ("tool_name", "tool_input"),
        answer: Answer::Partial,
    },
    Protocol {
        agent: "opencode",
        event: "tool.execute.before",
        tools: &["bash"],
        keys: ("tool_name", "tool_input"),
        answer: Answer::Command,
    },
];

/// The protocol of an agent.
pub fn of(agent: &str) -> Option<&'static Protocol> {
    PROTOCOLS.iter().find(|protocol| protocol.agent == agent)
}

/// A question that is for us: a command that is about to run.
#[derive(Debug)]
pub struct Question {
    /// Everything that was said.
    pub message: Value,
    arguments: Map<String, Value>,
}

impl Question {
    /// The command.
    pub fn command(&self) -> &str {
        self.arguments.get("command").and_then(Value::as_str).unwrap_or_default()
    }

    /// A text of the message.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.message.get(key).and_then(Value::as_str)
    }
}

impl Protocol {
    /// Reads a question; None for anything but a command that is about to run.
    pub fn question(&self, input: &[u8]) -> Option<Question> {
        let message: Value = serde_json::from_slice(input).ok()?;
        let tool = message.get(self.keys.0)?.as_str()?;
        if !self.tools.contains(&tool) {
            return None;
        }
        // Copilot hands the arguments as a text that is JSON.
        let arguments = match message.get(self.keys.1)? {
            Value::Object(arguments) => arguments.clone(),
            Value::String(text) => serde_json::from_str(text).ok()?,
            _ => return None,
        };
        arguments.get("command")?.as_str()?;
        Some(Question { message, arguments })
    }

    /// The answer that has another command run; everything else of the input stays.
    pub fn answer(&self, question: &Question, command: &str) -> String {
        let mut arguments = question.arguments.clone();
        arguments.insert("command".into(), command.into());
        let answer = match self.answer {
            Answer::Updated => json!({"hookSpecificOutput": {
                "hookEventName": self.event, "updatedInput": arguments,
            }}),
            Answer::UpdatedAllowed => json!({"hookSpecificOutput": {
                "hookEventName": self.event, "permissionDecision": "allow", "updatedInput": arguments,
            }}),
            Answer::Partial => json!({"hookSpecificOutput": {
                "hookEventName": self.event, "tool_input": {"command": command},
            }}),
            Answer::Modified => json!({"modifiedArgs": arguments}),
            Answer::Command => json!({"command": command}),
        };
        answer.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_the_input_is_copied() {
        let claude = of("claude").unwrap();
        let question = claude
            .question(br#"{"tool_name":"Bash","tool_input":{"command":"aws x","timeout":5,"run_in_background":true},"cwd":"/"}"#)
            .unwrap();
        assert_eq!(question.command(), "aws x");
        assert_eq!(
            claude.answer(&question, "toto aws x"),
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"toto aws x","timeout":5,"run_in_background":true}}}"#
        );
    }

    #[test]
    fn arguments_may_be_json_in_a_text() {
        let copilot = of("copilot").unwrap();
        let question = copilot
            .question(br#"{"toolName":"bash","toolArgs":"{\"command\":\"aws\",\"mode\":\"sync\"}"}"#)
            .unwrap();
        assert_eq!(copilot.answer(&question, "t"), r#"{"modifiedArgs":{"command":"t","mode":"sync"}}"#);
    }

    #[test]
    fn anything_else_is_no_question() {
        for input in [
            "",
            "{}",
            "[]",
            r#"{"tool_name":"Read","tool_input":{"command":"x"}}"#,
            r#"{"tool_name":"Bash","tool_input":{"command":7}}"#,
            "\u{0}",
        ] {
            assert!(of("claude").unwrap().question(input.as_bytes()).is_none(), "{input}");
        }
        assert!(PROTOCOLS.iter().all(|p| crate::agents::AGENTS.iter().any(|agent| agent.id == p.agent)));
    }
}

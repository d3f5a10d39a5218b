//! Texts for an agent's hooks: a greeting when a session starts, and a list of the saved outputs before a compaction.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::farm::shells::quote;
use crate::plural::counted;
use crate::store::{Facts, Saved, Store};

/// What an agent is told about toto when a session starts. It says only what holds for every linked tool.
const GREETING: &str = "git, cargo, pytest, aws and others print compactly when you read them directly, several to a \
    call: every fact, failures complete. Programs (| jq, > file) get the usual output; | tail only hides. `toto show \
    ID` prints what an output names.";

/// How many of the last outputs are named one by one.
const NAMED: usize = 20;

/// The session that a hook's input names.
pub fn session_of_hook(input: &[u8]) -> Option<OsString> {
    let input: serde_json::Value = serde_json::from_slice(input).ok()?;
    Some(input.get("session_id")?.as_str()?.into())
}

/// The answer of a hook at the start of a session: the greeting as additional context.
pub fn greeting() -> String {
    serde_json::json!({
        "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": GREETING }
    })
    .to_string()
}

/// A passage for the summary's instructions: the session's saved outputs, if any, and how to read them.
pub fn note(session: &OsStr) -> Option<String> {
    let saved = Store::of_session(session).saved();
    if saved.is_empty() {
        return None;
    }
    let mut text = String::from(
        "Keep this list in the summary word for word. Outputs of this session's commands are saved whole; \
         `toto show ID` prints one, with --lines A:B, --grep RE or --path a.b a part of it:\n",
    );
    let older = saved.len().saturating_sub(NAMED);
    if older > 0 {
        text += &format!("- {older} older ones: toto history --session {}\n", quote(Path::new(session)));
    }
    text.extend(saved[older..].iter().map(line));
    Some(text)
}

fn line(saved: &Saved) -> String {
    let facts = Facts::of(&saved.path).map_or(String::new(), |facts| {
        let status =
            facts.status.filter(|status| *status != 0).map(|status| format!(", exit status {status}"));
        format!(" ({}{})", counted(facts.lines, "line"), status.unwrap_or_default())
    });
    format!("- toto show {}: {}{facts}, in {}\n", saved.id, saved.tool, saved.path.display())
}

#[cfg(test)]
mod tests {
    use super::GREETING;
    use crate::tokens;

    #[test]
    fn the_greeting_is_paid_once_a_session_and_short() {
        let tokens = tokens::count(GREETING.as_bytes());
        assert!(tokens < 60, "{tokens} tokens");
    }
}

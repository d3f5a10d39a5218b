//! Texts for an agent's hooks: a greeting when a session starts, and a list of the saved outputs before a compaction.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::commands::GREETED;
use crate::farm::shells::quote;
use crate::plural::counted;
use crate::store::{Facts, Saved, Store};

/// What an agent is told about these tools when a session starts. It says only what holds for every linked tool (a mark
/// says what `git log` says once), and asks for nothing: agents that were told to leave `| tail` out also read more of
/// what stays as long as ever, and with "mostly as usual" they asked git again what it had said (docs/work.md).
const GREETING: &str = "is shortened; without a mark it is complete. git and files print as usual; \
    pipes (| jq) carry raw output. `toto show ID`: all.";

/// The tool of which the greeting says that its output is as usual.
const AS_USUAL: &str = "git";
/// How many tools the greeting names, and the longest name.
const NAMED_FIRST: usize = 3;
const LONGEST: usize = 12;

/// How many of the last outputs are named one by one.
const NAMED: usize = 20;

pub fn session_of_hook(input: &[u8]) -> Option<OsString> {
    let input: serde_json::Value = serde_json::from_slice(input).ok()?;
    Some(input.get("session_id")?.as_str()?.into())
}

/// The answer of a hook at the start of a session: the greeting as additional context, for these linked tools.
pub fn greeting(linked: &[&str]) -> String {
    serde_json::json!({
        "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": said_of(linked) }
    })
    .to_string()
}

fn said_of(linked: &[&str]) -> String {
    let is_named = |name: &&str| name.len() <= LONGEST && *name != AS_USUAL;
    let mut named: Vec<_> = linked.iter().copied().filter(is_named).collect();
    named.sort_by_key(|name| GREETED.of(name).map_or("last", |place| place[0][0]));
    named.truncate(NAMED_FIRST);
    if !named.is_empty() && named.len() < linked.len() {
        named.push("others");
    }
    let (last, rest) = named.split_last().unwrap_or((&"linked tools", &[]));
    let and = if rest.is_empty() { "" } else { " and " };
    format!("Long output of {}{and}{last} {GREETING}", rest.join(", "))
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
        let lines = facts.lines.map(|lines| counted(lines, "line"));
        let status = facts.status.filter(|status| *status != 0).map(|status| format!("exit status {status}"));
        let known: Vec<String> = lines.into_iter().chain(status).collect();
        if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
    });
    format!("- toto show {}: {}{facts}, in {}\n", saved.id, saved.tool, saved.path.display())
}

#[cfg(test)]
#[path = "../../tests/unit/agent_setup/note.rs"]
mod tests;

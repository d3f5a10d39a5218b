//! The names that are better not linked, with the reason.

use std::ffi::OsStr;

use crate::agents::{self, Agent};
use crate::commands::UNLINKED;

/// The reasons not to put a shim in front of a name, by their word in the table of commands.
const REASONS: [(&str, &str); 6] = [
    ("shell", "a shell: what it prints is the output of other commands, which have shims of their own"),
    ("interpreter", "an interpreter: what it prints is up to the script, and other tools start through it"),
    ("core", "a core utility: scripts run it all the time, and its output is short or is the file asked for"),
    ("starter", "it only starts other commands, which have shims of their own"),
    ("manager", "a version manager: link the tools that it manages instead"),
    ("terminal", "it needs the terminal"),
];

/// Agents' own commands beside those of `src/agents/*.toml`.
const OTHER_LAUNCHERS: &str = "crush droid auggie kiro-cli q openhands pi";

/// The name without the version behind it: `python` of `python3.12`.
pub fn without_version(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

pub fn reason(name: &OsStr) -> Option<&'static str> {
    let name = name.to_str()?;
    let bare = without_version(name).trim_end_matches('-');
    let launches_other = |listed: &str| listed == name || listed == bare;
    let launches = |agent: &Agent| [agent.process.names, agent.process.scripts].concat().contains(&name);
    if agents::all().any(launches) || OTHER_LAUNCHERS.split(' ').any(launches_other) {
        return Some("an agent's own launcher: nobody reads its output but you");
    }
    // A version behind a name (python3.12) does not matter.
    let word = UNLINKED.of(name).or_else(|| UNLINKED.of(bare))?[0][0];
    REASONS.iter().find(|(reason, _)| *reason == word).map(|(_, words)| *words)
}

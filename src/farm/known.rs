//! The well-known tools: the way by which each is reached, and the interpreter that runs it as a module or script. And
//! the names that are better not linked, with the reason.

use std::ffi::OsStr;

use crate::agents::{self, Agent};
use crate::commands::UNLINKED;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// On PATH: a link in the farm.
    Farm,
    /// In environments, too: a link in the farm only while it is on PATH, so that nobody finds what is not there.
    Environments,
    /// A word of the agent's own shell and nothing else: no link in the farm, so no script ever meets a shim of it.
    Shell,
}

/// Tools by way and by the words of the interpreter that runs them.
fn rows() -> impl Iterator<Item = (Way, &'static str, &'static str)> {
    include_str!("known.txt").split("\n[").skip(1).filter_map(|row| {
        let (head, names) = row.split_once(']')?;
        let (way, interpreter) = head.split_once(' ').unwrap_or((head, ""));
        let way = match way {
            "farm" => Way::Farm,
            "environments" => Way::Environments,
            _ => Way::Shell,
        };
        Some((way, interpreter, names))
    })
}

/// Commands that only start another one: never listed, but words of the agent's own shell while that has words for
/// tools that the command would find in an environment.
pub const WRAPPERS: &str = "timeout env xargs";

/// Directories in which projects keep tools, and the tools that are called by such a path.
pub const BY_PATH: &[(&str, &str)] = &[
    (".venv/bin venv/bin", "pytest mypy ruff pip tox coverage python python3"),
    ("node_modules/.bin", "tsc eslint jest vitest prettier playwright"),
    ("vendor/bin", "phpunit simple-phpunit phpstan pest php-cs-fixer"),
    ("bin", "rails rspec rubocop rake phpunit composer golangci-lint"),
    (".", "gradlew mvnw configure"),
];

/// The names of tools worth a shim, most talkative first.
pub fn well_known() -> impl Iterator<Item = &'static str> {
    rows().flat_map(|(.., names)| names.split_ascii_whitespace())
}

pub fn way_of(name: &str) -> Option<Way> {
    rows().find(|(.., names)| has(names, name)).map(|(way, ..)| way)
}

/// The words of the interpreter that runs a well-known tool as a module or script; empty where none does.
pub fn interpreter_of(name: &str) -> &'static str {
    rows().find(|(.., names)| has(names, name)).map_or("", |(_, interpreter, _)| interpreter)
}

/// Whether this is the word of an interpreter that runs well-known tools.
pub fn is_interpreter(word: &str) -> bool {
    rows().any(|(_, interpreter, _)| has(interpreter, word))
}

pub fn has(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|listed| listed == name)
}

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

pub fn why_not(name: &OsStr) -> Option<&'static str> {
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

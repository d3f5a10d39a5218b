//! The list of `toto agents`: a table for people, JSON for programs.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::cli::gain::table::{FAINT, GAIN, STRONG};
use crate::cli::out;
use crate::integration::{Found, Place, State, Status};

/// Style of what the user still has to do.
const WARNING: Style = AnsiColor::Yellow.on_default();
/// Style of errors.
const FAULT: Style = AnsiColor::Red.on_default();

/// A table of the agents that are here, one per row, and a line that names the others. `width` is the terminal's, in
/// columns; None without a terminal.
pub fn text(all: &[Status], place: &Place, width: Option<u16>) -> String {
    let (here, absent): (Vec<_>, Vec<_>) = all.iter().partition(|status| status.found != Found::No);
    let names = |list: &[&Status]| list.iter().map(|status| status.agent.id).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    if here.is_empty() {
        text += "No agent that toto knows is here.\n";
    } else {
        text += &table(&here, place);
    }
    if !absent.is_empty() {
        text += &wrapped(&format!("Not here: {}.", names(&absent)), width);
    }
    let open: Vec<_> =
        here.iter().copied().filter(|status| matches!(status.state, State::NotSetUp)).collect();
    if !open.is_empty() {
        text += "\nPut the shims on their PATH: \x1b[1mtoto agents setup\x1b[0m\n";
        text += "See the changes first:       toto agents setup --dry-run\n";
    }
    for status in &here {
        if let State::Unreadable(reason) = &status.state {
            text += &format!("\n{}: {reason}\n", status.agent.id);
        }
    }
    text
}

fn table(here: &[&Status], place: &Place) -> String {
    let mut rows = vec![["AGENT", "SHIMS ON ITS PATH", "HOOK", "FOUND"].map(|title| painted(FAINT, title))];
    for status in here {
        let (word, colour) = match &status.state {
            State::InConfiguration => ("yes, by its configuration", GAIN),
            State::InStartFiles => ("yes, by the shells' start files", GAIN),
            State::NotSetUp => ("no", WARNING),
            State::Unreadable(_) => ("its configuration cannot be read", FAULT),
        };
        let hook = if status.rewrites { "rewrites" } else { "-" };
        rows.push([
            painted(STRONG, status.agent.id),
            painted(colour, word),
            hook.to_owned(),
            found(&status.found, &place.home),
        ]);
    }
    out::columns(&rows) + "\n"
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn found(found: &Found, home: &Path) -> String {
    let short = |path: &Path| match path.strip_prefix(home) {
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    };
    match found {
        Found::Program(path) | Found::Directory(path) => short(path),
        Found::No => "-".into(),
    }
}

/// The text, wrapped at blanks to `width`.
fn wrapped(text: &str, width: Option<u16>) -> String {
    let width = width.map_or(usize::MAX, usize::from);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().map_or(0, |line| line.len());
        if line > 0 && line + 1 + word.len() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    lines.join("\n") + "\n"
}

/// The agents as JSON.
pub fn json(all: &[Status]) -> Value {
    let entry = |status: &Status| {
        let (how, error) = match &status.state {
            State::InConfiguration => ("configuration", None),
            State::InStartFiles => ("start files", None),
            State::NotSetUp => ("none", None),
            State::Unreadable(reason) => ("unreadable", Some(reason)),
        };
        let path = match &status.found {
            Found::Program(path) | Found::Directory(path) => Some(path),
            Found::No => None,
        };
        json!({ "id": status.agent.id, "title": status.agent.title, "found": path, "setup": how, "error": error,
                "rewrites": status.rewrites })
    };
    Value::Array(all.iter().map(entry).collect())
}

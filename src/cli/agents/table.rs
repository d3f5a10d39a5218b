//! The agents as a table.

use std::path::Path;

use comfy_table::{Attribute, Cell, Color, ContentArrangement, Table, presets};
use serde_json::{Value, json};

use crate::integration::{Found, Place, State, Status};

/// The agents that are here, one a row, and a line for the others. `width` is the terminal's, None elsewhere.
pub fn text(all: &[Status], place: &Place, width: Option<u16>) -> String {
    let (here, absent): (Vec<_>, Vec<_>) = all.iter().partition(|status| status.found != Found::No);
    let names = |list: &[&Status]| list.iter().map(|status| status.agent.id).collect::<Vec<_>>().join(", ");
    let mut text = String::new();
    if here.is_empty() {
        text += "No agent that toto knows is here.\n";
    } else {
        text += &table(&here, place, width);
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

fn table(here: &[&Status], place: &Place, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).enforce_styling();
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    let head = ["AGENT", "FOUND", "SHIMS ON ITS PATH", "HOOK"];
    table.set_header(head.map(|title| Cell::new(title).add_attribute(Attribute::Dim)));
    for status in here {
        let (word, colour) = match &status.state {
            State::InConfiguration => ("yes, by its configuration", Color::Green),
            State::InStartFiles => ("yes, by the shells' start files", Color::Green),
            State::NotSetUp => ("no", Color::Yellow),
            State::Unreadable(_) => ("its configuration cannot be read", Color::Red),
        };
        table.add_row([
            Cell::new(status.agent.id).add_attribute(Attribute::Bold),
            Cell::new(found(&status.found, &place.home)),
            Cell::new(word).fg(colour),
            Cell::new(if status.rewrites { "rewrites" } else { "-" }),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines = table.to_string();
    lines.lines().map(|line| format!("{}\n", line.trim_end())).collect::<String>() + "\n"
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

/// Words on as many lines as they need.
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

/// The same for programs.
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

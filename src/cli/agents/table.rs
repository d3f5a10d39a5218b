//! The list of `toto agents`: a table for people, JSON for programs.

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};

use crate::agent_setup::{Place, State, Status};
use crate::cli::gain::table::{FAINT, GAIN, STRONG};
use crate::cli::out;

/// A table of the agents that are here, and a line that names the others, for a terminal of `width` columns.
pub fn text(all: &[Status], place: &Place, width: Option<u16>) -> String {
    let (here, absent): (Vec<_>, Vec<_>) = all.iter().partition(|status| status.found.is_some());
    let mut text = match here.as_slice() {
        [] => "No agent that toto knows is here.\n".to_owned(),
        here => table(here, place),
    };
    if !absent.is_empty() {
        let names: Vec<_> = absent.iter().map(|status| status.agent.id).collect();
        text += &wrapped(&format!("Not here: {}.", names.join(", ")), width);
    }
    if here.iter().any(|status| matches!(status.state, State::NotSetUp)) {
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
            State::NotSetUp => ("no", AnsiColor::Yellow.on_default()),
            State::Unreadable(_) => ("its configuration cannot be read", AnsiColor::Red.on_default()),
        };
        let hook = if status.rewrites { "rewrites" } else { "-" };
        rows.push([
            painted(STRONG, status.agent.id),
            painted(colour, word),
            hook.to_owned(),
            status.found.as_ref().map_or("-".into(), |path| match path.strip_prefix(&place.home) {
                Ok(rest) => format!("~/{}", rest.display()),
                Err(_) => path.display().to_string(),
            }),
        ]);
    }
    out::columns(&rows) + "\n"
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn wrapped(text: &str, width: Option<u16>) -> String {
    let width = width.map_or(usize::MAX, usize::from);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

pub fn json(all: &[Status]) -> String {
    let entry = |status: &Status| {
        let (how, error) = match &status.state {
            State::InConfiguration => ("configuration", None),
            State::InStartFiles => ("start files", None),
            State::NotSetUp => ("none", None),
            State::Unreadable(reason) => ("unreadable", Some(reason)),
        };
        json!({ "id": status.agent.id, "title": status.agent.title, "found": status.found, "setup": how,
                "error": error, "rewrites": status.rewrites })
    };
    format!("{:#}\n", all.iter().map(entry).collect::<Value>())
}

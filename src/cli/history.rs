//! `toto history` lists saved outputs; `toto clean` removes them.

use std::ffi::OsString;

use clap::Args;
use serde_json::{Value, json};

use super::out;
use crate::config;
use crate::store::{self, Facts, Saved, Store, session_of_caller};

/// List the saved outputs of this session, the newest last
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// Of every session
    #[arg(long, conflicts_with = "session")]
    all: bool,
    /// Of this session
    #[arg(short, long, value_name = "NAME")]
    session: Option<OsString>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Remove saved outputs that are too old, or too much (see toto config show)
#[derive(Debug, Args)]
pub struct CleanArgs {
    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
    /// All of them, of every session
    #[arg(long)]
    all: bool,
}

pub fn run(args: &HistoryArgs) -> anyhow::Result<i32> {
    let mut saved: Vec<Saved> = if args.all {
        store::sessions().iter().flat_map(|dir| store::saved_in(dir)).collect()
    } else {
        let session = args.session.clone().unwrap_or_else(session_of_caller);
        Store::of_session(&session).saved()
    };
    saved.sort_unstable_by(|a, b| (&a.time, &a.tool, &a.id).cmp(&(&b.time, &b.tool, &b.id)));
    if args.json {
        let object = |Saved { id, time, tool, path }: &Saved| {
            let path_text = path.display().to_string();
            json!({ "id": id, "time": time, "tool": tool, "path": path_text, "facts": Facts::of(path) })
        };
        return out::bytes(format!("{:#}\n", saved.iter().map(object).collect::<Value>()));
    }
    if saved.is_empty() {
        return out::styled("nothing is saved; an output is when something was left out of it\n");
    }
    out::styled(out::columns(&saved.iter().map(row).collect::<Vec<_>>()))
}

fn row(saved: &Saved) -> [String; 5] {
    let bytes = saved.path.metadata().map_or(0, |meta| meta.len());
    let (call, lines, status) = match Facts::of(&saved.path) {
        Some(Facts { call, lines, status, .. }) => {
            let status = status.map_or(String::new(), |status| format!("exit {status}"));
            (call, lines.map_or(String::new(), |lines| out::counted(lines, "line")), status)
        }
        None => (None, String::new(), "running or killed".into()),
    };
    let call = call.as_ref().unwrap_or(&saved.tool);
    let part = |range| saved.time.get(range).unwrap_or_default();
    let [year, month, day, hour, minute, second] = [0..4, 4..6, 6..8, 9..11, 11..13, 13..15].map(part);
    let time = format!("{year}-{month}-{day} {hour}:{minute}:{second}");
    let stream = if saved.path.extension().is_some_and(|e| e == "err") { " (stderr)" } else { "" };
    [saved.id.clone(), time, format!("{call}{stream}"), format!("{} {lines}", size(bytes)), status]
}

fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..10_000_000 => format!("{} KB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}

/// Fails when a setting cannot be used, or standard output cannot be written.
pub fn run_clean(args: &CleanArgs) -> anyhow::Result<i32> {
    let surplus = store::surplus(config::load()?.store, args.all);
    if !args.dry_run {
        store::remove(&surplus);
    }
    let would = if args.dry_run { "would remove" } else { "removed" };
    let outputs = out::counted(surplus.outputs as u64, "saved output");
    out::styled(format!("{would} {outputs}, {}\n", size(surplus.bytes)))
}

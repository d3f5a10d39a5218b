//! `toto list`: what toto stands in front of, by which way, the tool behind it, and what that saved.

use std::collections::HashMap;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::gain::since;
use super::gain::table::{fitted, grouped, short};
use super::out;
use crate::farm::known::{Way, way_of};
use crate::farm::list::{Listed, State};
use crate::farm::{Farm, reach};
use crate::ledger::database::Ledger;
use crate::ledger::spool;
use crate::ledger::sums::{self, By, Sums};
use crate::path::NotFound;

/// List what toto stands in front of, by which way, and what it saved in 30 days
#[derive(Debug, Args)]
pub struct ListArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    /// The ways by which it is reached: `farm`, `shell`, `environments`.
    pub(super) reached: Vec<&'static str>,
    pub(super) tool: Option<String>,
    /// What is wrong; empty if nothing.
    pub(super) trouble: String,
    pub(super) calls: u64,
    pub(super) saved: i64,
}

/// Fails without a home directory, or where the list cannot be read.
pub fn run(args: &ListArgs) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let has_words = reach::is_written(&farm);
    let figures = figures();
    let rows: Vec<Row> = farm.listed()?.iter().map(|listed| Row::of(listed, has_words, &figures)).collect();
    if args.json {
        return out::bytes(format!("{:#}\n", json!(rows)));
    }
    if rows.is_empty() {
        return out::styled(
            "nothing is linked yet; toto setup offers what is here, toto link NAME… takes one\n",
        );
    }
    out::styled(text(&rows, out::width().map_or(usize::MAX, usize::from)))
}

/// The sums of each tool. A ledger that cannot be read says nothing here; `toto gain` tells why.
fn figures() -> HashMap<String, Sums> {
    let is_there = spool::home().is_some_and(|home| home.is_dir());
    let scope = since("30d").unwrap_or_default();
    let sums = is_there.then(|| Ledger::open().ok()?.ask(|ledger| sums::by(ledger, By::Tool, &scope)).ok());
    sums.flatten().unwrap_or_default().into_iter().collect()
}

impl Row {
    fn of(listed: &Listed, has_words: bool, figures: &HashMap<String, Sums>) -> Self {
        let name = listed.name.display().to_string();
        let (tool, trouble) = match &listed.state {
            State::Working(tool) => (Some(tool.display().to_string()), String::new()),
            State::Unfound(NotFound::Missing { .. }) => (None, String::new()),
            State::Unfound(reason) => (None, reason.to_string()),
            State::Stale => (None, format!("leads nowhere (toto link {name})")),
            State::Foreign => (None, "not a shim of toto's".into()),
        };
        let is_shim = !matches!(listed.state, State::Foreign);
        let in_environments = way_of(&name) == Some(Way::Environments) || !listed.in_farm;
        let ways = [
            (listed.in_farm, "farm"),
            (has_words && is_shim, "shell"),
            (has_words && in_environments && way_of(&name) != Some(Way::Shell), "environments"),
        ];
        let reached = ways.into_iter().filter_map(|(is_one, way)| is_one.then_some(way)).collect();
        let sums = figures.get(&name).copied().unwrap_or_default();
        Self { name, reached, tool, trouble, calls: sums.runs, saved: sums.saved() }
    }

    fn cells(&self) -> [String; 5] {
        let ways = match &self.reached[..] {
            [] => "not yet (toto agents setup)".into(),
            ways => ways.join(", ").replace("shell", "agent's shell"),
        };
        let tool = match &self.tool {
            _ if !self.trouble.is_empty() => self.trouble.clone(),
            Some(tool) => tool.clone(),
            None => "not here now".into(),
        };
        let [calls, saved] = match self.calls {
            0 => [String::new(), String::new()],
            calls => [grouped(calls), short(self.saved)],
        };
        [self.name.clone(), ways, tool, format!("{calls:>5}"), format!("{saved:>5}")]
    }
}

pub(super) fn text(rows: &[Row], width: usize) -> String {
    let cells = rows.iter().map(Row::cells).collect();
    fitted(["name", "reached by", "tool", "calls", "saved"], cells, 2, width)
}

//! `toto gain`: what was saved, for people, for programs, as an HTML page, and for Prometheus.

pub(super) mod page;
pub(super) mod query;
pub(super) mod rows;
pub mod table;

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueHint};

use super::out::{self, Refusal, refuse_unless};
use crate::config;
use crate::ledger::database::Ledger;
use crate::ledger::sums::{self, By, Scope};
use crate::ledger::{fold, spool};
use crate::store;
pub use query::since;
use query::{Query, overview, today};
use table::grouped;

/// Show what was saved: tokens, percent, money
///
/// Savings are net of toto's own receipts, and are counted against what the agent would have been given: what it cuts
/// by itself is no saving of toto's.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct GainArgs {
    #[command(flatten)]
    by: ByArgs,
    #[command(flatten)]
    form: FormArgs,
    /// Only what was since: a date (2026-11-21), or 12h, 7d, 2w
    #[arg(long, value_name = "WHEN", value_parser = since)]
    since: Option<Scope>,
    /// Only this session; without a name the one that toto is called in
    #[arg(short, long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    session: Option<OsString>,
    /// Show so many rows at most
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Dollars for a million tokens (default: ledger.price of the configuration)
    #[arg(long, value_name = "DOLLARS", value_parser = price, allow_negative_numbers = true)]
    price: Option<f64>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option; clap sees to it that one is given")]
struct ByArgs {
    /// A row for each day
    #[arg(long)]
    daily: bool,
    /// A row for each week, by its Monday
    #[arg(long)]
    weekly: bool,
    /// A row for each tool
    #[arg(long)]
    by_tool: bool,
    /// A row for each command, without its arguments
    #[arg(long)]
    by_command: bool,
    /// A row for each filter, or notation where there was none
    #[arg(long)]
    by_filter: bool,
    /// A row for each agent
    #[arg(long)]
    by_agent: bool,
}

#[derive(Args)]
#[group(multiple = false)]
struct FormArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Write a page for a browser (`-`: to standard output)
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "", value_hint = ValueHint::FilePath)]
    html: Option<OsString>,
    /// Print metrics for Prometheus
    #[arg(long)]
    openmetrics: bool,
}

#[derive(Subcommand)]
enum Command {
    Merge(MergeArgs),
}

/// Take in the spools of CI machines and containers; the same twice counts once
#[derive(Args)]
struct MergeArgs {
    /// Spool files (2026-11-21.jsonl), or directories of them; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Fails without a home directory, or where the ledger can neither be read nor made anew.
pub fn run(args: &GainArgs) -> anyhow::Result<i32> {
    let mut ledger = Ledger::open()?;
    if let Some(Command::Merge(args)) = &args.command {
        let status = merge(args, &mut ledger)?;
        tell(&ledger);
        return Ok(status);
    }
    let query = asked(args)?;
    let keys = [
        (args.by.daily, By::Day, "day"),
        (args.by.weekly, By::Week, "week"),
        (args.by.by_tool, By::Tool, "tool"),
        (args.by.by_command, By::Call, "command"),
        (args.by.by_filter, By::Filter, "filter"),
        (args.by.by_agent, By::Agent, "agent"),
    ];
    let text = if args.form.openmetrics {
        ledger.ask(|connection| rows::metrics(connection, &query.scope))?
    } else if args.form.html.is_some() {
        ledger.ask(|connection| page::text(connection, &query))?
    } else if let Some((_, by, name)) = keys.into_iter().find(|(is_chosen, ..)| *is_chosen) {
        let mut groups = ledger.ask(|connection| sums::by(connection, by, &query.scope))?;
        let total = ledger.ask(|connection| sums::total(connection, &query.scope))?;
        match by {
            // Of days and weeks the last ones are kept.
            By::Day | By::Week => drop(groups.drain(..groups.len().saturating_sub(query.most()))),
            _ => groups.truncate(query.most()),
        }
        match (args.form.json, args.form.csv) {
            (true, _) => rows::grouped_json(name, &groups, &total, &query),
            (_, true) => rows::csv(name, &groups, &query),
            _ => table::text(name, &groups, &total, query.price),
        }
    } else {
        let overview = ledger.ask(|connection| overview(connection, &query.scope))?;
        match (args.form.json, args.form.csv) {
            (true, _) => rows::overview_json(&overview, &query),
            (_, true) => rows::csv("tool", &overview.tools, &query),
            _ => table::glance(&overview, &query, table::width(), today()),
        }
    };
    tell(&ledger);
    match &args.form.html {
        Some(file) => page::write(Path::new(file), &text),
        None if args.form.json || args.form.csv || args.form.openmetrics => out::bytes(text),
        None => out::styled(text),
    }
}

/// Merges all files, or none. Fails when a file cannot be read, or the ledger cannot be written.
fn merge(args: &MergeArgs, ledger: &mut Ledger) -> anyhow::Result<i32> {
    let mut sources: Vec<Box<dyn Read>> = Vec::new();
    for file in &args.files {
        if file.as_os_str() == "-" {
            sources.push(Box::new(std::io::stdin().lock()));
        } else if file.is_dir() {
            let name = file.display();
            let segments = spool::segments(file).with_context(|| format!("cannot read {name}"))?;
            refuse_unless!(!segments.is_empty(), "{name} holds no spool files (2026-11-21.jsonl)");
            for segment in segments.into_values() {
                sources.push(Box::new(fs_err::File::open(segment)?));
            }
        } else {
            sources.push(Box::new(fs_err::File::open(file)?));
        }
    }
    let merged = fold::merge(&mut ledger.connection, &mut sources)?;
    let known = merged.runs - merged.new;
    out::styled(format!("{} merged, {} known already\n", out::counted(merged.new, "run"), grouped(known)))?;
    merged.uncounted().for_each(|line| out::complain(&line));
    Ok(i32::from(merged.runs == 0 && merged.damaged > 0))
}

fn asked(args: &GainArgs) -> anyhow::Result<Query> {
    let settings = config::load().map_err(|error| Refusal::bad(error.to_string()))?;
    let mut scope = args.since.clone().unwrap_or_default();
    if let Some(name) = &args.session {
        let name = if name.is_empty() { store::session_of_caller() } else { name.clone() };
        scope.session = Some(spool::session_hash(&name));
    }
    let price = args.price.unwrap_or(settings.ledger.price);
    Ok(Query { scope, price, top: args.top })
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.trim_start_matches('$').parse().ok().filter(|price| config::is_price(*price));
    price.ok_or_else(|| "expected dollars, as 3 or 0.25".to_owned())
}

fn tell(ledger: &Ledger) {
    ledger.notes.iter().for_each(|note| out::complain(note));
}

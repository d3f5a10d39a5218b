//! `toto gain`: what was saved, for people, for programs, as an HTML page, and for Prometheus.

pub mod figures;
mod glance;
mod merge;
mod metrics;
mod page;
mod query;
mod rows;
pub mod table;

use std::ffi::OsString;
use std::path::Path;

use clap::{Args, Subcommand, ValueHint};

use super::out::{self, Refusal};
use crate::config;
use crate::ledger::database::Ledger;
use crate::ledger::spool;
use crate::ledger::sums::{self, By, Scope, Sums};
use crate::store;
use query::{Query, overview};

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
    #[arg(long, value_name = "WHEN", value_parser = query::since)]
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
    Merge(merge::MergeArgs),
}

impl ByArgs {
    fn chosen(&self) -> Option<By> {
        let Self { daily, weekly, by_tool, by_command, by_filter, by_agent } = *self;
        let chosen = [daily, weekly, by_tool, by_command, by_filter, by_agent].into_iter();
        let keys = [By::Day, By::Week, By::Tool, By::Call, By::Filter, By::Agent];
        chosen.zip(keys).find_map(|(is_chosen, by)| is_chosen.then_some(by))
    }
}

/// Fails without a home directory, or where the ledger can neither be read nor made anew.
pub fn run(args: &GainArgs) -> anyhow::Result<i32> {
    let mut ledger = Ledger::open()?;
    if let Some(Command::Merge(args)) = &args.command {
        let status = merge::run(args, &mut ledger)?;
        tell(&ledger);
        return Ok(status);
    }
    let query = query(args)?;
    let text = if args.form.openmetrics {
        ledger.ask(|connection| metrics::text(connection, &query.scope))?
    } else if args.form.html.is_some() {
        ledger.ask(|connection| page::text(connection, &query))?
    } else if let Some(by) = args.by.chosen() {
        let groups = ledger.ask(|connection| sums::by(connection, by, &query.scope))?;
        let total = ledger.ask(|connection| sums::total(connection, &query.scope))?;
        grouped(args, &query, by, &total, groups)
    } else {
        let overview = ledger.ask(|connection| overview(connection, &query.scope))?;
        match (args.form.json, args.form.csv) {
            (true, _) => rows::overview_json(&overview, &query),
            (_, true) => rows::csv("tool", top(&query, overview.tools), query.price),
            _ => glance::text(&overview, &query, table::width(), query::today()),
        }
    };
    tell(&ledger);
    match &args.form.html {
        Some(file) => page::write(Path::new(file), &text),
        None if args.form.json || args.form.csv || args.form.openmetrics => out::bytes(text),
        None => out::styled(text),
    }
}

fn query(args: &GainArgs) -> anyhow::Result<Query> {
    let settings = config::load().map_err(|error| Refusal::bad(error.to_string()))?;
    let mut scope = args.since.clone().unwrap_or_default();
    if let Some(name) = &args.session {
        let name = if name.is_empty() { store::session_of_caller() } else { name.clone() };
        scope.session = Some(spool::session_hash(&name));
    }
    let price = args.price.unwrap_or(settings.ledger.price);
    if !price.is_finite() || price < 0.0 {
        return Err(Refusal::bad(format!("ledger.price is {price}; expected dollars for a million tokens")));
    }
    Ok(Query { scope, price, top: args.top })
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.trim_start_matches('$').parse().ok();
    let price = price.filter(|price: &f64| price.is_finite() && *price >= 0.0);
    price.ok_or_else(|| "expected dollars, as 3 or 0.25".to_owned())
}

fn grouped(args: &GainArgs, query: &Query, by: By, total: &Sums, groups: Vec<(String, Sums)>) -> String {
    let groups = match by {
        // Of days and weeks the last ones are kept.
        By::Day | By::Week => {
            let skipped = groups.len().saturating_sub(query.top.unwrap_or(usize::MAX));
            groups.into_iter().skip(skipped).collect()
        }
        _ => top(query, groups),
    };
    if args.form.json {
        rows::grouped_json(name_of(by), &groups, total, query)
    } else if args.form.csv {
        rows::csv(name_of(by), groups, query.price)
    } else {
        table::text(name_of(by), &groups, total, query.price)
    }
}

fn top(query: &Query, groups: Vec<(String, Sums)>) -> Vec<(String, Sums)> {
    groups.into_iter().take(query.top.unwrap_or(usize::MAX)).collect()
}

fn name_of(by: By) -> &'static str {
    match by {
        By::Day => "day",
        By::Week => "week",
        By::Tool => "tool",
        By::Call => "command",
        By::Shape => "shape",
        By::Filter => "filter",
        By::Agent => "agent",
    }
}

/// Prints what is wrong with the ledger, one line each.
fn tell(ledger: &Ledger) {
    ledger.notes.iter().for_each(|note| out::complain(note));
}

//! `toto report [FILE]`: the records of a test run, a build or a linter.

use std::path::PathBuf;

use anyhow::Context;

use super::out::{self, Refusal, refuse_unless};
use crate::pipeline::visible;
use crate::report::{self, Earlier, Options};
use crate::store;

/// Tells a report of tests, compilers or linters completely: totals, failures with place and reason, findings once
#[derive(clap::Args)]
pub struct ReportArgs {
    /// A file that holds what a tool printed; standard input without it
    file: Option<PathBuf>,
    /// The records as JSON
    #[arg(long)]
    json: bool,
    /// Says first what changed since this run, which is saved: an id, as in `toto show ID`
    #[arg(long, value_name = "ID", conflicts_with = "json")]
    since: Option<String>,
}

pub fn run(args: &ReportArgs) -> anyhow::Result<i32> {
    let bytes = match &args.file {
        Some(path) => fs_err::read(path)?,
        None => out::input().context("standard input")?,
    };
    let text = visible::readable(&bytes);
    let text = report::plain(&text);
    let Some(report) = report::read(&text, &[]) else {
        anyhow::bail!("no test, no finding and no totals in it");
    };
    if args.json {
        return out::bytes(format!("{:#}\n", report.to_json()));
    }
    let earlier = args.since.as_deref().map(earlier).transpose()?;
    let since = earlier.as_ref().map(|(text, recall)| Earlier { text, recall });
    out::bytes(report.digest(&Options { since, ..Options::default() }).text)
}

/// What the saved run printed, and the command that shows it.
fn earlier(id: &str) -> anyhow::Result<(String, String)> {
    let saved = store::find(&store::session_of_caller(), id)
        .ok_or_else(|| Refusal::bad(format!("no saved output {id}; toto history lists what is saved")))?;
    let text = visible::readable(&fs_err::read(&saved.path)?);
    let is_report = report::read(&report::plain(&text), &[]).is_some();
    refuse_unless!(is_report, "{id} is no report of tests or findings");
    Ok((text, format!("toto show {}", saved.id)))
}

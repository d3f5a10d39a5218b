//! `toto report [FILE]`: the records of a test run, a build or a linter.

use std::path::PathBuf;

use anyhow::Context;

use super::out;
use crate::pipeline::visible;
use crate::report::{self, Hint, Options};

/// Tells a report of tests, compilers or linters completely: totals, failures with place and reason, findings once
#[derive(clap::Args)]
pub struct ReportArgs {
    /// A file that holds what a tool printed; standard input without it
    file: Option<PathBuf>,
    /// The records as JSON
    #[arg(long)]
    json: bool,
    /// At most so many characters
    #[arg(long, value_name = "N", conflicts_with = "json")]
    most: Option<usize>,
}

pub fn run(args: &ReportArgs) -> anyhow::Result<i32> {
    let bytes = match &args.file {
        Some(path) => fs_err::read(path)?,
        None => out::input().context("standard input")?,
    };
    let text = visible::readable(&bytes);
    let text = report::plain(&text);
    let Some(report) = report::read(&text, &Hint::default()) else {
        anyhow::bail!("no test, no finding and no totals in it");
    };
    if args.json {
        return out::bytes(format!("{:#}\n", report.to_json()));
    }
    let options = Options { most: args.most.unwrap_or(usize::MAX), ..Options::default() };
    out::bytes(report.digest(&options).text)
}

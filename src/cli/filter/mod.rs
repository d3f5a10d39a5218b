//! `toto filter …`: writes, tests, finds and installs text filters.

mod check;
mod list;
mod new;
mod pack;
mod test;

use std::path::Path;

use clap::{Args, Subcommand};

pub use check::{CheckArgs, run as run_check};
pub use list::{LsArgs, run as run_ls};
pub use test::{TestArgs, run as run_test};

use super::refusal::Refusal;
use crate::custom::schema::FilterFile;
use crate::custom::testing;
use crate::mistake::Mistake;
use crate::sys::files::read_small;
use crate::trust::LONGEST_FILE;

/// Write, test and look for text filters (docs/filters.md)
///
/// `toto check`, `toto test` and `toto ls` are short for the same.
#[derive(Debug, Args)]
pub struct FilterArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(CheckArgs),
    Test(TestArgs),
    #[command(alias = "list")]
    Ls(LsArgs),
    Show(list::ShowArgs),
    New(new::NewArgs),
    Install(pack::InstallArgs),
    Update(pack::UpdateArgs),
    Remove(pack::RemoveArgs),
    Verify(test::VerifyArgs),
}

/// Runs the subcommand; exit status 1 where a test fails or a file has a mistake.
///
/// # Errors
/// When a file cannot be read or holds a mistake, or there is no such filter.
pub fn run(args: &FilterArgs) -> anyhow::Result<i32> {
    match &args.command {
        Command::Check(args) => check::run(args),
        Command::Test(args) => test::run(args),
        Command::Ls(args) => list::run(args),
        Command::Show(args) => list::show(args),
        Command::New(args) => new::run(args),
        Command::Install(args) => pack::install(args),
        Command::Update(args) => pack::update(args),
        Command::Remove(args) => pack::remove(args),
        Command::Verify(args) => test::verify(args),
    }
}

/// The text of a filter file.
fn read(path: &Path) -> anyhow::Result<String> {
    let named = |error: &dyn std::fmt::Display| Refusal::bad(format!("{}: {error}", path.display()));
    let bytes = read_small(path, LONGEST_FILE).map_err(|error| named(&error))?;
    String::from_utf8(bytes).map_err(|error| named(&error))
}

/// A filter file and its text. A mistake in it is an error, which names the first one.
fn load(path: &Path) -> anyhow::Result<(FilterFile, String)> {
    let source = read(path)?;
    let (file, mistakes) = testing::check_all(&source);
    match (file, mistakes.first()) {
        (Some(file), None) => Ok((file, source)),
        (_, first) => {
            let more = mistakes.len().saturating_sub(1);
            let more = if more > 0 { format!(" (and {more} more: toto check)") } else { String::new() };
            let first = first.map_or_else(|| "not a filter".to_owned(), Mistake::to_string);
            Err(Refusal::bad(format!("{}:{first}{more}", path.display())))
        }
    }
}

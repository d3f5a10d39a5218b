//! `toto filter …`: writes, tests, finds and installs text filters.

mod list;
pub(super) mod new;
mod pack;
pub(super) mod test;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::out::{self, Refusal};
use crate::custom::schema::FilterFile;
use crate::custom::testing;
use crate::mistake::Mistake;
use crate::sys::files::read_text;
use crate::trust::LONGEST_FILE;

pub use list::{LsArgs, run as run_ls};
pub use test::{TestArgs, run as run_test};

/// Write, test and look for text filters (docs/filters.md)
///
/// `toto check`, `toto test` and `toto ls` are short for the same.
#[derive(Args)]
pub struct FilterArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! {
    Check(CheckArgs) => run_check;
    Test(TestArgs) => test::run;
    #[command(alias = "list")]
    Ls(LsArgs) => list::run;
    Show(list::ShowArgs) => list::show;
    New(new::NewArgs) => new::run;
    Install(pack::InstallArgs) => pack::install;
    Update(pack::UpdateArgs) => pack::update;
    Remove(pack::RemoveArgs) => pack::remove;
    Verify(test::VerifyArgs) => test::verify;
}

/// Runs the subcommand; exit status 1 where a test fails or a file has a mistake. Fails when a file cannot be read or
/// holds a mistake, or there is no such filter.
pub fn run(args: &FilterArgs) -> anyhow::Result<i32> {
    args.command.run()
}

/// Say what is wrong with filter files, with line and column
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Filter files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints every mistake of every file, one per line; exit status 1 if there is one.
pub fn run_check(args: &CheckArgs) -> anyhow::Result<i32> {
    let mut status = 0;
    for path in &args.files {
        let placed = |mistake: &Mistake| format!("{}:{mistake}", path.display());
        let mistakes = match read(path) {
            Ok(source) => testing::check_all(&source).1.iter().map(placed).collect(),
            Err(error) => vec![error.to_string()],
        };
        for mistake in &mistakes {
            out::complain(mistake);
            status = 1;
        }
        if mistakes.is_empty() {
            out::bytes(format!("{}: ok\n", path.display()))?;
        }
    }
    Ok(status)
}

fn read(path: &Path) -> anyhow::Result<String> {
    read_text(path, LONGEST_FILE).map_err(|error| Refusal::bad(format!("{}: {error}", path.display())))
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

//! `toto filter …`: writes, tests, finds and installs text filters.

mod check;
mod list;
mod new;
mod pack;
mod test;

use clap::{Args, Subcommand};

pub use check::{CheckArgs, run as run_check};
pub use list::{LsArgs, run as run_ls};
pub use test::{TestArgs, run as run_test};

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

/// Runs the subcommand; exit status 1 where a test fails or a file has a mistake. Fails when a file cannot be read or
/// holds a mistake, or there is no such filter.
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

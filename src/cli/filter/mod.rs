//! `toto filter …`: writes, tests, finds and installs text filters.

mod check;
mod list;
pub(super) mod new;
mod pack;
pub(super) mod test;

use clap::{Args, Subcommand};

pub use check::{CheckArgs, run_check};
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

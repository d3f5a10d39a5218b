//! `toto rewrite` prints what the hook would make of a command; `toto shim` is what a rewritten command runs.

use std::ffi::OsString;

use anyhow::Context as _;
use clap::Args;

use super::out::{self, Refusal};
use crate::hook::{self, rules};
use crate::shim;

/// Print what `toto hook` would run in place of a command
#[derive(Args)]
#[command(hide = true)]
pub struct RewriteArgs {
    /// The command line, as one argument
    #[arg(required_unless_present = "check", value_name = "COMMAND")]
    command: Option<String>,
    /// Say why
    #[arg(long)]
    explain: bool,
    /// Only look for mistakes in rewrites.toml
    #[arg(long, conflicts_with = "command")]
    check: bool,
}

/// Run a command as its shim would, without one
#[derive(Args)]
#[command(hide = true)]
pub struct ShimArgs {
    /// The command and its arguments
    #[arg(required = true, last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// Fails when `rewrites.toml` has a mistake, or standard output cannot be written.
pub fn run(args: &RewriteArgs) -> anyhow::Result<i32> {
    let rules = rules::load().map_err(|fault| Refusal::bad(fault.to_string()))?;
    let Some(command) = &args.command else {
        let place = rules::path().map(|path| path.display().to_string()).unwrap_or_default();
        let text = match rules.rules.len() + rules.skip.len() {
            0 => format!("no rules in {place}\n"),
            count => format!("{place}: {count} rules and skip patterns, no mistake\n"),
        };
        return out::bytes(text);
    };
    let front = hook::front().context("the path of this program is not UTF-8 text")?;
    let (line, why) = match (hook::rewrite(command, &rules, &front), hook::defined(command)) {
        (Ok(_), Some(place)) => (command.clone(), place),
        (Ok((line, because)), None) => (line, because),
        (Err(reason), _) => (command.clone(), format!("unchanged: {reason}")),
    };
    if args.explain {
        out::bytes(format!("{why}\n"))?;
    }
    out::bytes(format!("{line}\n"))
}

#[expect(clippy::unnecessary_wraps, reason = "of the form of every subcommand")]
pub fn run_shim(args: &ShimArgs) -> anyhow::Result<i32> {
    Ok(shim::main(&args.command[0], &args.command))
}

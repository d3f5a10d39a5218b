//! `toto hook`: commands are rewritten before an agent runs them, for those who want that.

use std::ffi::OsString;
use std::io::Read as _;
use std::panic::catch_unwind;

use clap::{Args, Subcommand};

use super::out;
use crate::hook::{self, protocol};

/// A longer question is no question, in bytes.
const LONGEST_QUESTION: u64 = 4 << 20;

/// Rewrite an agent's commands before they run (the farm on PATH does without)
#[derive(Args)]
pub struct HookArgs {
    #[command(subcommand)]
    command: HookCommand,
}

#[derive(Subcommand)]
enum HookCommand {
    /// Answer an agent's hook: its JSON comes in, ours goes out
    Handle {
        /// The agent
        agent: OsString,
    },
}

/// Runs `toto hook`.
///
/// # Errors
/// As the subcommand.
pub fn run(args: &HookArgs) -> anyhow::Result<i32> {
    match &args.command {
        HookCommand::Handle { agent } => Ok(handle(std::slice::from_ref(agent))),
    }
}

/// Answers an agent's hook and returns 0, whatever happens: no answer is the command as it is.
pub fn handle(args: &[OsString]) -> i32 {
    std::panic::set_hook(Box::new(|_| {}));
    if let Ok(Some(answer)) = catch_unwind(|| answer(args)) {
        let _ = out::bytes(answer.as_bytes());
    }
    0
}

fn answer(args: &[OsString]) -> Option<String> {
    let protocol = protocol::of(args.first()?.to_str()?)?;
    let mut input = Vec::new();
    std::io::stdin().take(LONGEST_QUESTION).read_to_end(&mut input).ok()?;
    let question = protocol.question(&input)?;
    let command = hook::ask(protocol, &question)?;
    Some(protocol.answer(&question, &command))
}

//! `toto hook`: commands are rewritten before an agent runs them, for those who want that.

use std::ffi::OsString;
use std::io::Read as _;
use std::panic::catch_unwind;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::out;
use super::refusal::Refusal;
use crate::env;
use crate::farm::Farm;
use crate::foreign::File;
use crate::hook::{self, install, protocol};

/// A longer question is no question, in bytes.
const LONGEST_QUESTION: u64 = 4 << 20;

/// Rewrite an agent's commands before they run; `toto rewrite` shows how
#[derive(Args)]
pub struct HookArgs {
    #[command(subcommand)]
    command: HookCommand,
}

#[derive(Subcommand)]
enum HookCommand {
    /// Put the hook into an agent's configuration
    Install(PlaceArgs),
    /// Take it out again; the file is then as it was
    Remove(PlaceArgs),
    /// Answer an agent's hook: its JSON comes in, ours goes out
    Handle {
        /// The agent
        agent: OsString,
    },
}

#[derive(Args)]
struct PlaceArgs {
    /// The agent: claude, codex, copilot, gemini or opencode
    #[arg(long = "agent", required = true, value_name = "NAME")]
    agents: Vec<String>,
    /// For every project (the default)
    #[arg(long, conflicts_with = "project")]
    global: bool,
    /// For the project in the current directory
    #[arg(long)]
    project: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Runs `toto hook`.
///
/// # Errors
/// As the subcommand.
pub fn run(args: &HookArgs) -> anyhow::Result<i32> {
    match &args.command {
        HookCommand::Install(args) => place(args, true),
        HookCommand::Remove(args) => place(args, false),
        HookCommand::Handle { agent } => Ok(handle(std::slice::from_ref(agent))),
    }
}

/// Puts the hook where the agents look for it (or, not `wanted`, takes it out); a file that cannot be edited is told
/// of, and the others are done.
fn place(args: &PlaceArgs, wanted: bool) -> anyhow::Result<i32> {
    let farm = Farm::from_env()?;
    let program = Some(farm.binary()).filter(|binary| binary.exists()).unwrap_or_else(hook::own_program);
    let home = std::env::var_os(env::HOME).map(PathBuf::from).context("HOME is not set")?;
    let directory = std::env::current_dir()?;
    let places = args.agents.iter().map(|agent| install::of(agent).ok_or_else(|| unknown(agent)));
    let mut status = 0;
    for place in places.collect::<Result<Vec<_>, _>>()? {
        let path = if args.project { place.project(&directory) } else { place.global(&home) };
        let changes = place.changes(&program);
        let edit = File::open(&path, farm.home()).and_then(|file| {
            let plan = if wanted { File::put_in } else { File::take_out };
            plan(file, install::OWNER, &changes)
        });
        let done = edit.and_then(|edit| {
            let is_change = edit.is_change();
            if !args.dry_run {
                edit.commit()?;
            }
            Ok(is_change)
        });
        match done {
            Ok(is_change) => {
                out::styled(&format!("{} {}\n", verb(is_change, wanted, args.dry_run), path.display()))?;
                if let (Some(hint), true) = (place.hint, wanted && is_change) {
                    out::styled(&format!("  {hint}\n"))?;
                }
            }
            Err(fault) => {
                super::complain(&fault.to_string());
                status = super::FAILURE;
            }
        }
    }
    Ok(status)
}

fn verb(is_change: bool, wanted: bool, dry: bool) -> &'static str {
    match (is_change, wanted, dry) {
        (false, true, _) => "already in",
        (false, false, _) => "not in",
        (true, true, false) => "put the hook into",
        (true, true, true) => "would put the hook into",
        (true, false, false) => "took the hook out of",
        (true, false, true) => "would take the hook out of",
    }
}

fn unknown(agent: &str) -> anyhow::Error {
    let names: Vec<_> = install::PLACES.iter().map(|place| place.agent).collect();
    Refusal::bad(format!("{agent}: its hooks cannot rewrite a command; those of {} can", names.join(", ")))
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

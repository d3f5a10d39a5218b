//! `toto hook`: rewrites an agent's commands before they run, for users who want that; `toto rewrite` prints what it
//! would make of one.

use std::ffi::OsString;

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::agents::make;
use super::out::{self, Refusal};
use crate::agent_setup::{self, REWRITING, Wanted};
use crate::agents::{self, AGENTS, Agent, Hook};
use crate::farm::changes::Changes;
use crate::hook::{self, protocol, rules};
use crate::sys::files::at_most;
use crate::sys::guard::guarded;

/// Most bytes of a hook's question that are read; a longer question gets no answer.
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
    #[arg(long = "agent", required = true, value_name = "NAME", help = which_agent())]
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

fn which_agent() -> String {
    let with_hook = AGENTS.iter().filter(|agent| agent.hook.is_some()).map(|agent| agent.id);
    format!("The agent: {}, or one of your own", with_hook.collect::<Vec<_>>().join(", "))
}

pub fn run(args: &HookArgs) -> anyhow::Result<i32> {
    match &args.command {
        HookCommand::Install(args) => place(args, true),
        HookCommand::Remove(args) => place(args, false),
        HookCommand::Handle { agent } => Ok(handle(std::slice::from_ref(agent))),
    }
}

/// Puts the hook into the agents' configuration or, if not `wanted`, takes it out. A fault does not stop the others.
fn place(args: &PlaceArgs, wanted: bool) -> anyhow::Result<i32> {
    let mut place = super::agents::place()?;
    place.project = args.project.then(std::env::current_dir).transpose()?;
    let wants = if wanted { Wanted::All } else { Wanted::Nothing };
    let (mut status, mut changes, mut hints) = (0, Changes::new(args.dry_run), String::new());
    for (agent, hook) in args.agents.iter().map(|name| of(name)).collect::<Result<Vec<_>, _>>()? {
        let before = changes.lines.len();
        let done = agent_setup::plan(agent, hook.edits, REWRITING, &place, wants)
            .and_then(|edits| make(edits, &mut changes));
        if let Err(fault) = done {
            super::complain(&fault.to_string());
            status = out::FAILURE;
        } else if wanted && changes.lines.len() > before {
            hints.extend(hook.hint.map(|hint| format!("  {hint}\n")));
        }
    }
    if status == 0 && changes.lines.is_empty() {
        return out::styled("nothing to change\n");
    }
    out::styled(changes.text() + &hints)?;
    Ok(status)
}

/// The agent of this id, whose hooks can replace a command.
fn of(name: &str) -> anyhow::Result<(&'static Agent, &'static Hook)> {
    let hooks = agents::all().filter_map(|agent| Some((agent, agent.hook.as_ref()?)));
    hooks.clone().find(|(agent, _)| agent.id == name).ok_or_else(|| {
        let names: Vec<_> = hooks.map(|(agent, _)| agent.id).collect();
        Refusal::bad(format!("{name}: its hooks cannot rewrite a command; those of {} can", names.join(", ")))
    })
}

/// Answers an agent's hook and returns 0, whatever happens: without an answer the agent runs the command as it is.
pub fn handle(args: &[OsString]) -> i32 {
    let _ = guarded(|| answer(args).map(out::bytes));
    0
}

fn answer(args: &[OsString]) -> Option<String> {
    let (agent, hook) = of(args.first()?.to_str()?).ok()?;
    let input = at_most(std::io::stdin(), LONGEST_QUESTION).ok()?;
    let question = protocol::question(hook, &input)?;
    let command = hook::ask(agent, hook, &question)?;
    protocol::answer(hook, &question, &command)
}

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

/// Fails when `rewrites.toml` has a mistake, or standard output cannot be written.
pub fn run_rewrite(args: &RewriteArgs) -> anyhow::Result<i32> {
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

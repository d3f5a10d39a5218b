//! `toto agents`: lists the agents that are here, and puts the farm on their PATH.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use similar::TextDiff;

use super::gain::table::{FAINT, GAIN, STRONG};
use super::out::{self, Refusal};
use crate::agent_setup::{self, Known, OWNER, Place, State, Status, Wanted};
use crate::edits::Edit;
use crate::env;
use crate::farm::Farm;
use crate::farm::changes::Changes;
use crate::farm::list;
use crate::mistake::nearest;
use crate::store;
use crate::sys::files::at_most;

/// List the agents that are here, and put toto's shims on their PATH
#[derive(Args)]
pub struct AgentsArgs {
    #[command(subcommand)]
    command: Option<Command>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Put the shims on the PATH of an agent's commands, in its own configuration
    ///
    /// Comments and order are kept, and toto agents remove leaves every byte as it was.
    Setup(SetupArgs),
    /// Take out again what setup put in
    Remove(ChangeArgs),
    /// Write a Claude Code plugin that does what setup does
    Plugin(PluginArgs),
    /// Print where this session's saved outputs are (a hook before compaction runs it)
    Note,
    /// Print the sentence that tells an agent of toto (a hook at the start of a session runs it)
    Greet,
}

#[derive(Args)]
struct ChangeArgs {
    /// Agents, such as claude or codex; without any, those that are here
    #[arg(value_name = "NAME", conflicts_with = "all")]
    names: Vec<String>,
    /// Every agent that toto knows
    #[arg(long)]
    all: bool,
    /// Only in this directory's project
    #[arg(long)]
    project: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Args)]
struct SetupArgs {
    #[command(flatten)]
    change: ChangeArgs,
    /// Without the sentence that tells the agent how its commands print
    #[arg(long)]
    no_note: bool,
}

#[derive(Args)]
struct PluginArgs {
    /// The agent
    #[arg(value_parser = ["claude"])]
    agent: String,
    /// Where to write it
    directory: PathBuf,
}

/// Fails without a home directory, or where a file cannot be read or written.
pub fn run(args: &AgentsArgs) -> anyhow::Result<i32> {
    match &args.command {
        None => list(args.json),
        Some(Command::Setup(args)) => {
            change(&args.change, if args.no_note { Wanted::Path } else { Wanted::All })
        }
        Some(Command::Remove(args)) => change(args, Wanted::Nothing),
        Some(Command::Plugin(args)) => plugin(args),
        Some(Command::Note) => note(),
        Some(Command::Greet) => greet(),
    }
}

/// This user's farm and home directory. Fails without a home directory.
pub fn place() -> anyhow::Result<Place> {
    let farm = Farm::from_env()?;
    let home = env::home()
        .context("there is no home directory: HOME is not absolute, or that of who called sudo")?;
    Ok(Place { farm, home, project: None })
}

fn list(as_json: bool) -> anyhow::Result<i32> {
    let place = place()?;
    let all: Vec<_> =
        agent_setup::agents().map(|(agent, setup)| agent_setup::status(agent, setup, &place)).collect();
    out::styled(if as_json { json(&all) } else { text(&all, &place, out::width()) })
}

fn chosen(args: &ChangeArgs, place: &Place) -> anyhow::Result<Vec<Known>> {
    if args.names.is_empty() {
        let is_here = |(_, setup): &Known| args.all || agent_setup::found(setup, place).is_some();
        return Ok(agent_setup::agents().filter(is_here).collect());
    }
    let unknown = |name: &String| {
        let ids: Vec<_> = agent_setup::agents().map(|(agent, _)| agent.id).collect();
        let hint = match nearest(name, ids.iter().copied()) {
            Some(id) => format!("did you mean {id}?"),
            None => format!("known are {}", ids.join(", ")),
        };
        Refusal::bad(format!("{name}: no such agent; {hint}"))
    };
    let find = |name: &String| agent_setup::named(name).ok_or_else(|| unknown(name));
    args.names.iter().map(find).collect()
}

fn change(args: &ChangeArgs, wants: Wanted) -> anyhow::Result<i32> {
    let wanted = wants != Wanted::Nothing;
    let mut place = place()?;
    place.project = args.project.then(std::env::current_dir).transpose()?;
    let agents = chosen(args, &place)?;
    if agents.is_empty() {
        return out::styled("no agent is here; toto agents lists those that toto knows\n");
    }
    let mut changes = Changes::new(args.dry_run);
    let mut status = 0;
    let mut settled = Vec::new();
    for (agent, setup) in agents {
        let edits = agent_setup::plan(agent, setup.edits, OWNER, &place, wants);
        match edits {
            Ok(edits) if edits.is_empty() && (args.project || !setup.start_files) => {
                let place =
                    if args.project { "settings of its own for a project" } else { "place to set it up" };
                out::complain(&format!("{}: has no {place}", agent.id));
            }
            Ok(edits) => {
                settled.push((agent, setup));
                make(edits, &mut changes)?;
            }
            Err(error) => {
                out::complain(&format!("{}: {error:#}", agent.id));
                status = out::FAILURE;
            }
        }
    }
    let shared: &[_] = if args.project { &[] } else { &settled };
    if wanted && !settled.is_empty() || !wanted && !args.project {
        agent_setup::settle(&place, shared, wanted, &mut changes)?;
    }
    tell(&changes, &settled, wanted)?;
    Ok(status)
}

/// Makes the edits or, in a dry run, prints their differences.
pub fn make(edits: Vec<Edit>, changes: &mut Changes) -> anyhow::Result<()> {
    for edit in edits {
        let path = edit.file.path.display().to_string();
        if edit.is_change() {
            match (&edit.file.text, &edit.after) {
                (None, _) => changes.note("wrote", "write", path),
                (_, None) => changes.note("removed", "remove", path),
                _ => changes.note("changed", "change", path),
            }
        }
        if !changes.dry {
            edit.commit()?;
        } else if edit.is_change() {
            out::styled(unified(&edit))?;
        }
    }
    Ok(())
}

fn unified(edit: &Edit) -> String {
    let name = edit.file.path.display().to_string();
    let side = |text: &Option<String>| if text.is_some() { name.clone() } else { "/dev/null".to_owned() };
    let (before, after) = (&edit.file.text, &edit.after);
    let diff =
        TextDiff::from_lines(before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default())
            .unified_diff()
            .context_radius(2)
            .header(&side(before), &side(after))
            .to_string();
    let coloured = |line: &str| {
        let style = match line.as_bytes().first() {
            _ if line.starts_with("---") || line.starts_with("+++") => "\x1b[1m",
            Some(b'+') => "\x1b[32m",
            Some(b'-') => "\x1b[31m",
            Some(b'@') => "\x1b[36m",
            _ => return format!("{line}\n"),
        };
        format!("{style}{line}\x1b[0m\n")
    };
    diff.lines().map(coloured).collect()
}

fn tell(changes: &Changes, settled: &[Known], wanted: bool) -> anyhow::Result<i32> {
    let mut text = changes.text();
    let titles = settled.iter().map(|(agent, _)| agent.title).collect::<Vec<_>>().join(", ");
    if !settled.is_empty() && changes.lines.is_empty() {
        let state = if wanted { "already set up" } else { "nothing of toto's in" };
        text += &format!("{state}: {titles}\n");
    } else if !settled.is_empty() && !changes.dry {
        let next = if wanted { "; toto doctor asks whether it holds" } else { "" };
        text += &format!("\nStart {titles} anew{next}.\n");
        for (agent, setup) in settled.iter().filter(|_| wanted) {
            text.extend(setup.hint.map(|hint| format!("{}: {hint}\n", agent.title)));
        }
    }
    out::styled(text)
}

fn plugin(args: &PluginArgs) -> anyhow::Result<i32> {
    let place = place()?;
    let (agent, setup) = agent_setup::named(&args.agent).context("there is no such agent")?;
    let mut changes = Changes::new(false);
    agent_setup::write_claude_plugin(agent, setup, &place, &args.directory, &mut changes)?;
    let (made, directory) = (changes.text(), args.directory.display());
    out::styled(format!(
        "{made}\nTry it with: claude --plugin-dir {directory}\nInstall it with: /plugin marketplace add {directory}, \
         then /plugin install toto@toto\n"
    ))
}

/// Prints where the session's saved outputs are. An agent's hook runs this, so input that cannot be read is no error.
fn note() -> anyhow::Result<i32> {
    let input = std::io::stdin().lock();
    let asked = if input.is_terminal() { None } else { at_most(input, 1 << 20).ok() };
    let session = asked.and_then(|input| agent_setup::session_of_hook(&input));
    let session = session.unwrap_or_else(store::session_of_caller);
    agent_setup::note(&session).map_or(Ok(0), out::bytes)
}

/// Prints the greeting if the farm has a shim. An agent's hook runs this, so a farm that cannot be read is no error.
fn greet() -> anyhow::Result<i32> {
    let listed = place().and_then(|place| place.farm.listed()).unwrap_or_default();
    let working = listed.iter().filter(|one| matches!(one.state, list::State::Working(_)));
    let linked: Vec<&str> = working.filter_map(|one| one.name.to_str()).collect();
    if !linked.is_empty() {
        out::bytes(format!("{}\n", agent_setup::greeting(&linked)))?;
    }
    Ok(0)
}

/// A table of the agents that are here, and a line that names the others, for a terminal of `width` columns.
fn text(all: &[Status], place: &Place, width: Option<u16>) -> String {
    let (here, absent): (Vec<_>, Vec<_>) = all.iter().partition(|status| status.found.is_some());
    let mut text = match here.as_slice() {
        [] => "No agent that toto knows is here.\n".to_owned(),
        here => table(here, place),
    };
    if !absent.is_empty() {
        let names: Vec<_> = absent.iter().map(|status| status.agent.id).collect();
        let width = width.map_or(usize::MAX, usize::from);
        let mut lines: Vec<String> = Vec::new();
        for word in format!("Not here: {}.", names.join(", ")).split(' ') {
            match lines.last_mut() {
                Some(line) if line.len() + 1 + word.len() <= width => *line += &format!(" {word}"),
                _ => lines.push(word.to_owned()),
            }
        }
        text += &(lines.join("\n") + "\n");
    }
    if here.iter().any(|status| matches!(status.state, State::NotSetUp)) {
        text += "\nPut the shims on their PATH: \x1b[1mtoto agents setup\x1b[0m\n";
        text += "See the changes first:       toto agents setup --dry-run\n";
    }
    for status in &here {
        if let State::Unreadable(reason) = &status.state {
            text += &format!("\n{}: {reason}\n", status.agent.id);
        }
    }
    text
}

fn table(here: &[&Status], place: &Place) -> String {
    let mut rows = vec![["AGENT", "SHIMS ON ITS PATH", "HOOK", "FOUND"].map(|title| painted(FAINT, title))];
    for status in here {
        let (word, colour) = match &status.state {
            State::InConfiguration => ("yes, by its configuration", GAIN),
            State::InStartFiles => ("yes, by the shells' start files", GAIN),
            State::NotSetUp => ("not by its configuration", AnsiColor::Yellow.on_default()),
            State::Unreadable(_) => ("its configuration cannot be read", AnsiColor::Red.on_default()),
        };
        let hook = if status.rewrites { "rewrites" } else { "-" };
        rows.push([
            painted(STRONG, status.agent.id),
            painted(colour, word),
            hook.to_owned(),
            status.found.as_ref().map_or("-".into(), |path| match path.strip_prefix(&place.home) {
                Ok(rest) => format!("~/{}", rest.display()),
                Err(_) => path.display().to_string(),
            }),
        ]);
    }
    out::columns(&rows) + "\n"
}

fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

fn json(all: &[Status]) -> String {
    let entry = |status: &Status| {
        let (how, error) = match &status.state {
            State::InConfiguration => ("configuration", None),
            State::InStartFiles => ("start files", None),
            State::NotSetUp => ("none", None),
            State::Unreadable(reason) => ("unreadable", Some(reason)),
        };
        json!({ "id": status.agent.id, "title": status.agent.title, "found": status.found, "setup": how,
                "error": error, "rewrites": status.rewrites })
    };
    format!("{:#}\n", all.iter().map(entry).collect::<Value>())
}

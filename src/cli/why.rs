//! `toto why`: who would read a tool's output here and how that was found out, or what each notation would cost it.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use super::gain::table::grouped;
use super::out::{self, Refusal};
use crate::consumer::{self, Decision, Fd, StderrPlan, Step, Trace, View};
use crate::custom::{Call, places};
use crate::farm::list::{Listed, is_listed};
use crate::farm::reach::{self, Words};
use crate::farm::{Farm, known};
use crate::path::{self, Guard, Search, Verdict};
use crate::pipeline::{Count, Options, Shape, compress};
use crate::run::emit::say;
use crate::store::{find, session_of_caller};
use crate::{config, env};

/// Most looks for viewers: a shell becomes a viewer within a moment, but later on a busy machine.
const LOOKS: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Explain who reads a tool's output here, or what each notation costs it
///
/// Judges the streams that toto itself has: run it where the tool would be run (`toto why | cat`, in a script, in an
/// agent's shell).
#[derive(Args)]
pub struct WhyArgs {
    /// Print JSON, for a bug report
    #[arg(long)]
    json: bool,
    /// Tell what an output costs in each notation: of the command, which is run; of standard input; of a file or
    /// of a saved output by its id
    #[arg(long, value_name = "FILE|ID", num_args = 0..=1, default_missing_value = "-")]
    shapes: Option<PathBuf>,
    /// The command in question; its shim is not needed
    #[arg(value_name = "COMMAND", last = true)]
    command: Vec<OsString>,
}

/// Fails when the command is not found, the configuration is broken, or standard output cannot be written.
pub fn run(args: &WhyArgs) -> anyhow::Result<i32> {
    if let Some(of) = &args.shapes {
        return tell_shapes(of, &args.command, args.json);
    }
    let mut trace = Trace::on();
    let decision = consumer::decide(&mut trace);
    // A call may never be captured, whoever reads: `logs -f`, `exec -it`.
    let way = (!args.command.is_empty()).then(|| Way::of(&args.command));
    let (tool, passed_on) = match args.command.split_first() {
        Some((name, rest)) => {
            let found = path::resolve(name, &Guard::default(), rest).inspect_err(|_| {
                let way = way.as_ref().filter(|_| !args.json).map_or_else(String::new, Way::line);
                let _ = out::styled(way);
            })?;
            let tool = reach::tool_of(&args.command);
            let tool = tool.unwrap_or_else(|| path::base_of(name).to_string_lossy().into_owned());
            (Some(found.path), config::load()?.passes_on(&tool, rest))
        }
        None => (None, false),
    };
    let viewers = if passed_on { Vec::new() } else { viewers(&decision)? };
    let stderr = decision.captured.filter(|_| !passed_on);
    let verdict = verdict(&decision, passed_on, &viewers);
    let tool = tool.map(|path| path.display().to_string());
    if !args.json {
        let not_reached = way.as_ref().is_some_and(|way| way.by.is_none());
        let way = way.map_or_else(String::new, |way| way.line());
        let otherwise = if not_reached { "if it were:\n" } else { "" };
        return out::styled(way + otherwise + &text(&verdict, tool.as_deref(), stderr, &trace.steps));
    }
    let steps = |fd| trace.steps.iter().filter(move |step| step.fd == fd);
    let step = |step: &Step| json!({ "subject": step.subject, "finding": step.finding });
    let stream = |fd: Fd| json!({ "fd": fd.number(), "reader": decision.reader(fd), "steps": steps(fd).map(step).collect::<Value>() });
    let streams = [Fd::Stdout, Fd::Stderr].map(stream);
    let report = json!({
        "verdict": verdict, "compressed": stderr.is_some(), "linked": way.as_ref().is_none_or(|way| way.is_listed),
        "reached": way.as_ref().map(|way| json!({ "by": way.by, "because": way.because })), "stderr": stderr, "viewers": viewers,
        "agent": decision.agent.map(|agent| agent.id), "tool": tool,
        "streams": streams,
    });
    out::bytes(format!("{report:#}\n"))
}

/// The way by which a call meets its shim.
struct Way {
    is_listed: bool,
    /// `farm` or `shell`; None where the call meets none.
    by: Option<&'static str>,
    /// What was found, in words.
    because: String,
}

impl Way {
    fn of(command: &[OsString]) -> Self {
        let called = path::base_of(&command[0]);
        let tool = reach::tool_of(command).map_or_else(|| called.to_owned(), OsString::from);
        let is_listed = is_listed(called) || is_listed(&tool);
        let is_wrapper = known::has(known::WRAPPERS, &called.to_string_lossy());
        let by_word = consumer::parent_is_agents_shell();
        let (by, because) = match found(&command[0], by_word) {
            _ if !is_listed && called == tool && known::is_interpreter(&called.to_string_lossy()) => {
                (None, format!("{} runs a program that is no tool of the list", tool.display()))
            }
            _ if !is_listed => (None, format!("{0} is not on the list (toto link {0})", tool.display())),
            // What it starts, PATH finds.
            (None, _) if is_wrapper => found(&tool, false),
            (Some("shell"), _) if is_wrapper && !reach::stands_before(command) => found(&tool, false),
            found => found,
        };
        Self { is_listed, by, because }
    }

    fn line(&self) -> String {
        let not = if self.by.is_none() { "not " } else { "" };
        format!("{not}reached: {}\n", self.because)
    }
}

/// By what this name of the list, or of what starts its tool, is met here; `by_word`: in a shell that has its words.
fn found(name: &OsStr, by_word: bool) -> (Option<&'static str>, String) {
    let shown = name.display();
    let farm = Farm::from_env().ok();
    let listed = farm.as_ref().and_then(|farm| farm.listed().ok()).unwrap_or_default();
    let words = Words::of(&listed);
    let is_word = words.names.iter().chain(&words.paths).any(|word| name == word.as_str());
    if is_word && by_word {
        return (Some("shell"), format!("{shown} is a word of this agent's own shell"));
    }
    let search = Search::from_env();
    let first = search.all(name).find(|file| file.verdict != Verdict::NotExecutable);
    let only_in_shell =
        || format!("{shown} is a word only of agents' own shells, which read ~/.toto/agent.sh");
    match first {
        _ if name.as_encoded_bytes().contains(&b'/') && is_word => (None, only_in_shell()),
        _ if name.as_encoded_bytes().contains(&b'/') => (None, "a path goes round the shims".into()),
        Some(file) if file.verdict != Verdict::Tool => {
            (Some("farm"), format!("{} stands first on PATH", file.path.display()))
        }
        _ if !listed.iter().any(|one: &Listed| one.in_farm && one.name == name) => (None, only_in_shell()),
        Some(file) => (None, format!("{} stands in front of the farm on this PATH", file.path.display())),
        None => (None, "the farm is not on this PATH".into()),
    }
}

/// The viewers, if any, through which an agent reads descriptor 1. Waits until they are there.
fn viewers(decision: &Decision) -> anyhow::Result<Vec<String>> {
    let window = decision.window.as_ref().filter(|_| !decision.parses_output());
    let (Some(window), settings) = (window, config::load()?.viewers) else { return Ok(Vec::new()) };
    for _ in 0..LOOKS {
        match window.look(&settings.names) {
            View::Through(viewers) if settings.enabled => {
                return Ok(viewers.into_iter().map(|viewer| viewer.name).collect());
            }
            View::Soon | View::NotYet => std::thread::sleep(BETWEEN_LOOKS),
            View::Through(_) | View::Closed => break,
        }
    }
    Ok(Vec::new())
}

fn verdict(decision: &Decision, passed_on: bool, viewers: &[String]) -> String {
    let reader = decision.agent.map_or("an agent", |agent| agent.title);
    match decision.captured {
        _ if passed_on => "raw: this call is passed straight on, whoever reads".into(),
        Some(stderr) => {
            let errors = match stderr {
                StderrPlan::Inherit => "standard error stays as it is",
                StderrPlan::Separate => "standard error too",
                StderrPlan::Merged => "standard error with it, in order",
            };
            format!("compressed for {reader}; {errors}")
        }
        None if !viewers.is_empty() => format!(
            "raw, for {reader} through {}: if the tool fails, its status and what that hid are told",
            viewers.join(" and ")
        ),
        None => match decision.reader(Fd::Stdout) {
            Some(consumer) => format!("raw: the reader is {consumer}"),
            None => "raw, as TOTO asks".into(),
        },
    }
}

fn text(verdict: &str, tool: Option<&str>, stderr: Option<StderrPlan>, steps: &[Step]) -> String {
    let mut text = format!("{verdict}\n");
    if let Some(tool) = tool {
        text += &format!("the tool is {tool}\n");
    }
    for (fd, name) in [(Fd::Stdout, "standard output"), (Fd::Stderr, "standard error")] {
        let steps = steps.iter().filter(|step| step.fd == fd);
        let rows: Vec<_> = steps.map(|step| [format!("  {}", step.subject), step.finding.clone()]).collect();
        text += &format!("\n{name}\n{}", out::columns(&rows));
        if rows.is_empty() {
            text += match stderr {
                Some(StderrPlan::Merged) => "  is the same file\n",
                _ => "  is not asked about: it stays as it is\n",
            };
        }
    }
    text
}

/// A command as long as the one that a real output names, so that the counts are the same.
const RECALL: &str = "toto show k7q2x";

/// Prints what each shape costs for a command's output, for standard input (`-`), for a file, or for the saved output
/// of that id. Fails when there is no such file or output, or the command cannot be run.
fn tell_shapes(of: &Path, command: &[OsString], json: bool) -> anyhow::Result<i32> {
    let settings = config::load()?;
    let (input, exit) = if command.is_empty() { (read(of)?, None) } else { output(command)? };
    let (directories, project) = (places::user_directories(), places::project_directory());
    let call = Call { words: command, exit, directories, project, ..Call::default() };
    let (level, format, recall) = (settings.level, settings.format, RECALL);
    let options = Options { level, format, recall, call, is_seen: true, ..Options::default() };
    let report = compress(&input, &options);
    if json {
        // The exact count, or one that the text exceeds, if it was not counted to the end.
        let cost = |(shape, count): &(Shape, Count)| {
            let (tokens, more_than) = match *count {
                Count::Exact(tokens) => (Some(tokens), None),
                Count::MoreThan(tokens) => (None, Some(tokens)),
                Count::Unsuited => (None, None),
            };
            let is_taken = *shape == report.shape;
            json!({ "shape": shape.to_string(), "tokens": tokens, "more_than": more_than, "taken": is_taken })
        };
        out::bytes(format!("{:#}\n", report.costs.iter().map(cost).collect::<Value>()))?;
    } else {
        let row = |(shape, count): &(Shape, Count)| {
            let count = match *count {
                Count::Exact(tokens) => format!("{} tokens", grouped(tokens as u64)),
                Count::MoreThan(tokens) => format!("more than {}, not finished", grouped(tokens as u64)),
                Count::Unsuited => "does not suit this output".into(),
            };
            let name = match shape {
                Shape::Pvfn => "PVFN",
                Shape::SchemaYaml => "Schema-YAML",
                Shape::Json => "minified JSON",
                Shape::Text => "text, filtered",
                Shape::Forms => "text, known forms",
                Shape::Report => "digest of a report",
                Shape::Raw => "original",
            };
            [name.into(), count, if *shape == report.shape { "taken" } else { "" }.into()]
        };
        out::bytes(out::columns(&report.costs.iter().map(row).collect::<Vec<_>>()))?;
    }
    Ok(exit.unwrap_or(0))
}

fn read(of: &Path) -> anyhow::Result<Vec<u8>> {
    if of.as_os_str() == "-" {
        return Ok(out::input()?);
    }
    let saved = of.to_str().filter(|_| !of.exists()).and_then(|id| find(&session_of_caller(), id));
    let path = saved.map_or_else(|| of.to_owned(), |saved| saved.path);
    fs_err::read(path).map_err(|error| Refusal::bad(error.to_string()))
}

/// Runs the command. Returns its standard output and its exit status; its standard error goes to ours.
fn output(command: &[OsString]) -> anyhow::Result<(Vec<u8>, Option<i32>)> {
    let path = path::resolve(&command[0], &Guard::default(), &command[1..])?.path;
    #[expect(clippy::disallowed_methods, reason = "the user asks for this command to be run")]
    let mut process = Command::new(&path);
    process.arg0(&command[0]).args(&command[1..]).env(env::TOTO, "off");
    process.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = process.output().with_context(|| format!("cannot run {}", path.display()))?;
    let status = output.status.code().or_else(|| Some(128 + output.status.signal()?)).unwrap_or(1);
    if status != 0 {
        say(&format!("toto: exit status {status}"));
    }
    Ok((output.stdout, Some(status)))
}

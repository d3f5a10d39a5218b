//! `toto why`: who would read a tool's output here and how that was found out, or what each notation would cost an
//! output.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::{out, shapes};
use crate::config;
use crate::consumer::{self, Decision, Fd, Plan, StderrPlan, Step, Trace, View};
use crate::path::{self, Guard};

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
        return shapes::tell(of, &args.command, args.json);
    }
    let mut trace = Trace::on();
    let decision = consumer::decide(&mut trace);
    // A call may never be captured, whoever reads: `logs -f`, `exec -it`.
    let (tool, passed_on) = match args.command.split_first() {
        Some((name, rest)) => {
            let found = path::resolve(name, &Guard::default(), rest)?.path;
            (Some(found), config::load()?.passes_on(&path::base_of(name).to_string_lossy(), rest))
        }
        None => (None, false),
    };
    let viewers = if passed_on { Vec::new() } else { viewers(&decision)? };
    let stderr = match decision.plan {
        Plan::Capture { stderr } if !passed_on => Some(stderr),
        _ => None,
    };
    let verdict = verdict(&decision, passed_on, &viewers);
    let unlinked = args.command.first().filter(|name| !path::is_shim(name));
    let tool = tool.map(|path| path.display().to_string());
    if !args.json {
        let unlinked = unlinked.map_or_else(String::new, |name| {
            let name = name.display();
            format!("raw: {name} has no shim on this PATH; with one (toto link {name}) it would be:\n")
        });
        return out::styled(unlinked + &text(&verdict, tool.as_deref(), stderr, &trace.steps));
    }
    let steps = |fd| trace.steps.iter().filter(move |step| step.fd == fd);
    let step = |step: &Step| json!({ "subject": step.subject, "finding": step.finding });
    let stream = |fd| json!({ "fd": fd, "reader": decision.reader(fd), "steps": steps(fd).map(step).collect::<Value>() });
    let streams = [Fd::Stdout, Fd::Stderr].map(stream);
    let report = json!({
        "verdict": verdict, "compressed": stderr.is_some(), "linked": unlinked.is_none(), "stderr": stderr, "viewers": viewers,
        "agent": decision.agent.map(|agent| agent.id), "tool": tool,
        "streams": streams,
    });
    out::bytes(format!("{report:#}\n"))
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
    match decision.plan {
        _ if passed_on => "raw: this call is passed straight on, whoever reads".into(),
        Plan::Capture { stderr } => {
            let errors = match stderr {
                StderrPlan::Inherit => "standard error stays as it is",
                StderrPlan::Separate => "standard error too",
                StderrPlan::Merged => "standard error with it, in order",
            };
            format!("compressed for {reader}; {errors}")
        }
        Plan::Exec if !viewers.is_empty() => format!(
            "raw, for {reader} through {}: if the tool fails, its status and what that hid are told",
            viewers.join(" and ")
        ),
        Plan::Exec => match decision.reader(Fd::Stdout) {
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

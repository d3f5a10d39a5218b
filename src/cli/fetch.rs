//! `toto fetch`: several calls, one answer.

use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal as _};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use regex::bytes::{NoExpand, Regex};

use super::out::{Refusal, refuse, refuse_unless};
use super::run::{self, OptionArgs};
use crate::config::Settings;
use crate::consumer::{self, Consumer, Fd, StderrPlan, Trace};
use crate::deliver::{self, Answer, Delivery, patience};
use crate::env;
use crate::fetch::{names, unique};
use crate::hook::line::assigned;
use crate::marks::OURS;
use crate::path::{NotFound, base_of};
use crate::run::emit::say;
use crate::run::{Copying, End, Ended, Status, Task, batch};
use crate::store::Store;
use crate::sys::process;
use crate::words::split;

/// Run several commands side by side and get one answer
///
/// Documents are joined: rows of one shape in one table, under the call that gave them. Each command line is one
/// argument, and no shell runs it. Read by a program (`toto fetch … | jq`) the answer is one JSON object, each
/// call's document under its name.
#[derive(Debug, Args)]
pub struct FetchArgs {
    #[command(flatten)]
    options: OptionArgs,
    /// Run one command for each of these values, which stand where it has {}
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    each: Vec<OsString>,
    /// How many run at a time
    #[arg(short, long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Command lines, each quoted as one argument
    #[arg(value_name = "CALL")]
    calls: Vec<OsString>,
    /// The command of --each
    #[arg(last = true, value_name = "CMD")]
    command: Vec<OsString>,
}

struct Call {
    name: String,
    tool: String,
    /// `NAME=value` in front of the command.
    variables: Vec<OsString>,
    command: Vec<OsString>,
}

/// Runs the calls. The exit status is that of the first failed call, in the order of the command line. Fails when the
/// calls make no sense, nothing can be started, or the answer cannot be written.
pub fn run(args: &FetchArgs) -> anyhow::Result<i32> {
    let calls = calls(args)?;
    let settings = args.options.settings()?;
    let decision = consumer::decide(&mut Trace::off());
    // An agent is proved to read the answer, or a person reads it at a terminal.
    let is_for_eyes = match decision.captured {
        _ if args.options.format.is_some() => true,
        Some(_) => !decision.parses_output(),
        None => decision.reader(Fd::Stdout) == Some(Consumer::Person) && io::stdout().is_terminal(),
    };
    let delivery = Delivery {
        agent: decision.agent,
        parses_output: !is_for_eyes,
        reader: Some(&decision).filter(|_| args.options.format.is_none()),
        terminal: Some(&decision),
        receipt: env::asked_for() || decision.captured != Some(StderrPlan::Inherit),
        ..args.options.delivery(&settings, "fetch", &[])
    };
    let store = Store::for_saving(&delivery.session, delivery.settings.store);
    let (ended, interrupted) =
        run_all(&calls, usize::from(args.jobs), &settings, &store, patience(decision.agent))?;
    let answer = |(call, ended): (_, _)| {
        let Call { name, tool, command, .. }: &Call = call;
        Answer { name: name.clone(), tool, command, ended }
    };
    let mut answers: Vec<_> = calls.iter().zip(ended).map(answer).collect();
    let status = answers.iter().map(|answer| answer.ended.end.status()).find(|status| *status != 0);
    let written = deliver::several(&delivery, &mut answers, interrupted.is_some());
    if let Some(signal) = interrupted {
        process::end_with(Status::Killed(signal));
    }
    match (status, written) {
        (Some(status), _) => Ok(status),
        (None, written) => written.map(|()| 0).context("cannot write the answer"),
    }
}

/// Runs the calls in parallel; those that still run after `slow_after` are named. Returns how each ended, and the
/// signal that asked us to end, if there was one.
fn run_all(
    calls: &[Call],
    jobs: usize,
    settings: &Settings,
    store: &Store,
    slow_after: Option<Duration>,
) -> anyhow::Result<(Vec<Ended>, Option<i32>)> {
    let limits: Vec<_> = calls.iter().map(|call| settings.limits(&call.tool, false)).collect();
    let (mut tasks, mut names, mut ended) = (Vec::new(), Vec::new(), Vec::new());
    for (call, limits) in calls.iter().zip(&limits) {
        match run::program(&call.command) {
            Ok((mut program, guard)) => {
                for (name, value) in call.variables.iter().filter_map(|variable| divided(variable)) {
                    program.set_env(name, Some(value));
                }
                let copying = Copying { store, tool: &call.tool, keywords: &limits.keywords, slow_after };
                tasks.push(Task { program, guard, copying });
                names.push(call.name.as_str());
                ended.push(None);
            }
            Err(error) => {
                let end = error.downcast::<NotFound>().map(End::NotFound)?;
                ended.push(Some(Ended { out: None, err: None, end }));
            }
        }
    }
    let (results, interrupted) = batch(&tasks, jobs, &|running| {
        let names: Vec<&str> = running.iter().map(|at| names[*at]).collect();
        say(&format!("{OURS}still running: {}", names.join(", ")));
    })?;
    let mut were_run = results.into_iter();
    let ended = ended.into_iter().filter_map(|never_run| never_run.or_else(|| were_run.next()));
    Ok((ended.collect(), interrupted))
}

/// The calls that the arguments ask for, with their names.
fn calls(args: &FetchArgs) -> anyhow::Result<Vec<Call>> {
    let FetchArgs { each, calls, command, .. } = args;
    let lines = match (each.as_slice(), calls.as_slice(), command.as_slice()) {
        ([], [], []) => refuse!("nothing to fetch: give command lines, each as one argument"),
        ([], _, [_, ..]) => refuse!("`--` goes with --each; give each command line as one argument"),
        ([], lines, []) => {
            lines.iter().enumerate().map(|(at, line)| words(at, line)).collect::<Result<_, _>>()?
        }
        (_, [], []) => refuse!("--each needs a command: --each a,b -- CMD … {{}}"),
        (each, [], command) => for_each(each, command)?,
        (each, [line], []) => for_each(each, &words(0, line)?)?,
        _ => refuse!("--each takes one command: --each a,b -- CMD … {{}}"),
    };
    let text = |words: &Vec<OsString>| words.iter().map(|word| word.to_string_lossy().into()).collect();
    let names =
        if each.is_empty() { names(&lines.iter().map(text).collect::<Vec<_>>()) } else { unique(text(each)) };
    lines.into_iter().zip(names).map(|(words, name)| call(name, words)).collect()
}

/// The words of a command line; `at` is its index, for the message.
fn words(at: usize, line: &OsString) -> anyhow::Result<Vec<OsString>> {
    let words = split(line.as_bytes())
        .map_err(|error| Refusal::bad(format!("call {} (`{}`), {error}", at + 1, line.to_string_lossy())))?;
    Ok(words.into_iter().map(OsString::from_vec).collect())
}

/// The command once for each value, which replaces `{}`.
fn for_each(values: &[OsString], command: &[OsString]) -> anyhow::Result<Vec<Vec<OsString>>> {
    let has_all = !values.iter().any(|value| value.is_empty());
    refuse_unless!(has_all, "--each has an empty value; values are divided by commas");
    let place = Regex::new(r"\{\}")?;
    let has_place = command.iter().any(|word| place.is_match(word.as_bytes()));
    refuse_unless!(has_place, "the command has no {{}} for the values of --each");
    let filled = |word: &OsString, value: &OsString| {
        OsString::from_vec(place.replace_all(word.as_bytes(), NoExpand(value.as_bytes())).into_owned())
    };
    let command_with = |value| command.iter().map(|word| filled(word, value)).collect();
    Ok(values.iter().map(command_with).collect())
}

/// A call of these words. Leading `NAME=value` words are variables of the command, as in a shell.
fn call(name: String, mut words: Vec<OsString>) -> anyhow::Result<Call> {
    let variables = words.iter().take_while(|word| divided(word).is_some()).count();
    let command = words.split_off(variables);
    let Some(first) = command.first().filter(|first| !first.is_empty()) else {
        refuse!("no command in `{name}`");
    };
    Ok(Call { name, tool: base_of(first).to_string_lossy().into(), variables: words, command })
}

/// The name and the value of `NAME=value`; None for any other word.
fn divided(word: &OsStr) -> Option<(&str, &OsStr)> {
    let (name, value) = word.as_bytes().split_at(memchr::memchr(b'=', word.as_bytes())? + 1);
    Some((assigned(std::str::from_utf8(name).ok()?)?, OsStr::from_bytes(value)))
}

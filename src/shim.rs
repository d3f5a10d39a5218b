//! The story of a shim, from top to bottom: find the tool, find out who reads its output, then become the tool or
//! run it and compress the output.

use std::ffi::{OsStr, OsString};

use crate::config::{self, Settings};
use crate::consumer::{self, Decision, StderrPlan, Trace, View};
use crate::custom::Notices;
use crate::deliver::{self, Delivery, Substitute};
use crate::farm::reach;
use crate::path::{self, Guard, Resolved};
use crate::run::emit::say;
use crate::run::{Capture, Passing, Program};
use crate::sys::{auxv, process};
use crate::viewer::Viewing;
use crate::{env, source, store, trust};

/// Runs a call that a word of an agent's shell starts: of a tool that was taken off the list nothing but the tool is
/// seen. Returns as [`main`].
pub fn listed(args: &[OsString]) -> i32 {
    if reach::stands_before(args) {
        return main(&args[0], args);
    }
    match prepared(&args[0], args) {
        Ok((resolved, mut program)) => {
            // The shell's name for what it started.
            program.set_env(env::LAST_PROGRAM, Some(resolved.path.as_os_str()));
            exec(program, &resolved)
        }
        Err(status) => status,
    }
}

/// The tool, and what is run for this call of it; or the exit status, where there is none.
fn prepared(name: &OsStr, args: &[OsString]) -> Result<(Resolved, Program), i32> {
    let resolved = path::resolve(name, &Guard::from_env(), &args[1..]).map_err(|error| {
        say(&format!("toto: {error}"));
        error.status()
    })?;
    let program = Program::new(&resolved.path, &resolved.argv(args)).map_err(|error| {
        say(&format!("toto: {}: {error}", resolved.path.display()));
        process::NOT_STARTED
    })?;
    Ok((resolved, program))
}

/// Runs the tool `name` with `args` (the first is the name we were called by). Returns only where the tool could
/// not be run, with the exit status for that.
pub fn main(name: &OsStr, args: &[OsString]) -> i32 {
    let (resolved, mut program) = match prepared(name, args) {
        Ok(prepared) => prepared,
        Err(status) => return status,
    };
    program.can_spare(env::TOTO_GUARD);
    if env::asked_for() {
        program.set_env(env::TOTO, None);
    }
    if source::is_reader(&path::base_of(name).to_string_lossy()) {
        print_files(&program, &resolved, name, args);
    } else {
        attend(&program, &resolved, name, args);
    }
    hand_guard(&mut program, &resolved, std::process::id());
    exec(program, &resolved)
}

/// Runs a tool whose output an agent reads, by itself or through viewers, and ends as it ends; returns where the tool
/// is to take our place.
fn attend(program: &Program, resolved: &Resolved, name: &OsStr, args: &[OsString]) {
    let decision = consumer::decide(&mut Trace::off());
    // A script that parses the output gets the bytes of its window and no words of ours.
    let window = decision.window.as_ref().filter(|_| !decision.parses_output());
    if decision.captured.is_none() && window.is_none() {
        return;
    }
    let tool = tool_name(name, args);
    let Some(settings) = settings_for(&tool, args) else { return };
    if let Some(stderr) = decision.captured {
        let notices = Notices::default();
        // A script that parses the output gets the command that it asked for, no substitute.
        let wanted = !decision.parses_output();
        let other = wanted.then(|| Substitute::of(&settings, args, &notices)).flatten();
        let (program, resolved) =
            other.as_ref().map_or((program, resolved), |other| (&other.program, &other.resolved));
        let prepare = |program: &mut Program, pid| hand_guard(program, resolved, pid);
        let Ok(capture) = Capture::start(program, stderr, prepare) else { return };
        let ran = other.as_ref().map(|other| other.told.as_str());
        Delivery { ran, notices, ..delivery(&decision, &settings, &tool, args) }.run(capture)
    }
    let Some(window) = window.filter(|window| {
        settings.viewers.enabled && window.first_look(&settings.viewers.names) != View::Closed
    }) else {
        return;
    };
    let prepare = |program: &mut Program, pid| hand_guard(program, resolved, pid);
    let Ok(passing) = Passing::start(program, window.has_errors(), prepare) else { return };
    Viewing { window, delivery: delivery(&decision, &settings, &tool, args) }.run(passing)
}

/// Runs a tool that prints files which do not fit the agent's page, and ends as it ends; returns, before anything is
/// captured, where the tool is to take our place.
fn print_files(program: &Program, resolved: &Resolved, name: &OsStr, args: &[OsString]) {
    let Some(words) = args[1..].iter().map(|word| word.to_str()).collect::<Option<Vec<_>>>() else { return };
    let Some(asked) = source::Request::read(&path::base_of(name).to_string_lossy(), &words) else { return };
    let decision = consumer::decide(&mut Trace::off());
    if decision.captured.is_none() || decision.parses_output() {
        return;
    }
    let tool = tool_name(name, args);
    let Some(settings) = settings_for(&tool, args) else { return };
    let delivery = delivery(&decision, &settings, &tool, args);
    let Some(part) = deliver::part_of(&delivery, &asked) else { return };
    let prepare = |program: &mut Program, pid| hand_guard(program, resolved, pid);
    if let Ok(capture) = Capture::start(program, StderrPlan::Inherit, prepare) {
        deliver::run_source(&delivery, capture, &part)
    }
}

fn hand_guard(program: &mut Program, resolved: &Resolved, pid: u32) {
    program.set_env(env::TOTO_GUARD, Some(&resolved.guard.for_pid(pid)));
}

/// The settings for this call; `None` where the tool is to run uncaptured: by somebody else's rights, by the
/// pass-through table, or because the configuration has a mistake.
fn settings_for(tool: &str, args: &[OsString]) -> Option<Settings> {
    // With rights that our caller lacks, nothing of the caller's is read or written.
    if auxv::is_elevated() || reach::runs_own_program(args) {
        return None;
    }
    let settings = match config::load() {
        Ok(settings) => settings,
        Err(error) => {
            let line = format!("toto: {error}; the output is the tool's own");
            if trust::should_warn_again(&line) {
                say(&line);
            }
            return None;
        }
    };
    (!settings.passes_on(tool, &args[1..])).then_some(settings)
}

fn exec(mut program: Program, resolved: &Resolved) -> i32 {
    let error = program.exec();
    say(&format!("toto: cannot run {}: {error}", resolved.path.display()));
    process::exec_failure_status(&error)
}

/// The name by which the call is known: of `python3 -m pytest` that of the tool, not of its interpreter.
fn tool_name(name: &OsStr, args: &[OsString]) -> String {
    reach::tool_of(args).unwrap_or_else(|| path::base_of(name).to_string_lossy().into_owned())
}

/// How the call's output is delivered to its reader.
fn delivery<'a>(
    decision: &'a Decision,
    settings: &'a Settings,
    tool: &'a str,
    command: &'a [OsString],
) -> Delivery<'a> {
    let is_elsewhere = decision.captured == Some(StderrPlan::Inherit);
    let session = store::current_session(decision.agent.and_then(|agent| agent.session_variable));
    Delivery {
        agent: decision.agent,
        parses_output: decision.parses_output(),
        reader: Some(decision),
        terminal: Some(decision),
        // A reader of stderr other than the agent gets the tool's own bytes. A script that parses (Codex's code
        // mode) gets both streams as one string, in which a line of ours would be a syntax error.
        receipt: !decision.parses_output() && (env::asked_for() || !is_elsewhere),
        shares_page: !env::asked_for(),
        ..Delivery::new(settings, tool, command, session)
    }
}

//! `toto run [OPTIONS] -- CMD…`: one command through the pipeline, whoever reads.

use std::borrow::Cow;
use std::ffi::{CString, OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use rustix::fs::fstat;

use super::options::OptionArgs;
use crate::consumer::StderrPlan;
use crate::custom::Notices;
use crate::deliver::{Delivery, Substitute};
use crate::env;
use crate::path::{self, Guard, GuardValue};
use crate::run::{Capture, Program};
use crate::sys::process;

/// Run a command and compress its output, whoever reads it
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub options: OptionArgs,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "CMD")]
    pub command: Vec<OsString>,
}

/// Runs the command, whose first word is its name, and ends as the command ended. Fails when the command is not found
/// or cannot be started, or a setting cannot be used.
pub fn run(options: &OptionArgs, command: &[OsString]) -> anyhow::Result<i32> {
    let settings = options.settings()?;
    let tool = tool(command);
    if settings.passes_on(&tool, &command[1..]) {
        return pass_on(command);
    }
    let notices = Notices::default();
    let (program, guard, ran) = if let Some(other) = Substitute::of(&settings, command, &notices) {
        (other.program, Some(other.resolved.guard), Some(other.told))
    } else {
        let (program, guard) = program(command, environment())?;
        (program, guard, None)
    };
    let capture = Capture::start(&program, stderr(), |program, pid| {
        program.set_env(env::TOTO_GUARD, guard.map(|guard| guard.for_pid(pid)).as_deref());
    })?;
    let delivery = options.delivery(&settings, &tool, command);
    Delivery { ran: ran.as_deref(), notices, ..delivery }.run(capture)
}

/// Replaces this process by the command, which talks with its user or never ends.
fn pass_on(command: &[OsString]) -> anyhow::Result<i32> {
    let (mut program, guard) = program(command, environment())?;
    program.set_env(env::TOTO_GUARD, guard.map(|guard| guard.for_pid(std::process::id())).as_deref());
    let error = program.exec();
    super::complain(&format!("cannot run {}: {error}", command[0].display()));
    Ok(process::exec_failure_status(&error))
}

/// The name of the tool that `command` calls.
pub(super) fn tool(command: &[OsString]) -> Cow<'_, str> {
    Path::new(&command[0]).file_name().unwrap_or(&command[0]).to_string_lossy()
}

/// The environment of the command, without `TOTO=on`, which is meant for this call and not for the calls that the
/// tool makes.
pub(super) fn environment() -> Vec<CString> {
    let mut environment = process::environment();
    environment.retain(|entry| entry.to_bytes() != format!("{}=on", env::TOTO).as_bytes());
    environment
}

/// The real tool that `command` calls, ready to be started, and the guard's value for its environment. The error is a
/// [`path::NotFound`] where there is no such tool.
pub(super) fn program(
    command: &[OsString],
    environment: Vec<CString>,
) -> anyhow::Result<(Program, Option<GuardValue>)> {
    let (path, guard) = find(&command[0], &command[1..])?;
    let mut program = Program::new(&path, command, environment)?;
    program.can_spare(env::TOTO_GUARD);
    Ok((program, guard))
}

/// The tool's path. A name with a slash is that path; any other name is looked up on PATH past the farm, so that the
/// output is compressed only once.
fn find(name: &OsStr, args: &[OsString]) -> Result<(PathBuf, Option<GuardValue>), path::NotFound> {
    if Path::new(name).components().count() > 1 {
        return Ok((name.into(), None));
    }
    path::resolve(name, &Guard::from_env(), args).map(|found| (found.path, Some(found.guard)))
}

/// How to capture standard error: in one pipe with standard output if both are the same file, so that the order is
/// kept.
fn stderr() -> StderrPlan {
    match (fstat(rustix::stdio::stdout()), fstat(rustix::stdio::stderr())) {
        (Ok(out), Ok(err)) if (out.st_dev, out.st_ino) == (err.st_dev, err.st_ino) => StderrPlan::Merged,
        (_, Ok(_)) => StderrPlan::Separate,
        _ => StderrPlan::Inherit,
    }
}

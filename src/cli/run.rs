//! `toto run [OPTIONS] -- CMD…`: one command through the pipeline, whoever reads; and the options that it shares with
//! every other compressing command.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;

use crate::config::{self, Format, Ledger, Level, Mode, ReceiptMode, Settings};
use crate::consumer::{self, Consumer, Fd, StderrPlan, Trace};
use crate::custom::Notices;
use crate::deliver::{Delivery, Substitute};
use crate::path::{self, Guard, GuardValue};
use crate::run::{Capture, Program};
use crate::sys::files::identity;
use crate::sys::process;
use crate::{env, store};

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
pub fn run(RunArgs { options, command }: &RunArgs) -> anyhow::Result<i32> {
    let settings = options.settings()?;
    let tool = path::base_of(&command[0]).to_string_lossy();
    if settings.passes_on(&tool, &command[1..]) {
        // It talks with its user, or never ends.
        let (mut program, guard) = program(command)?;
        let guard = guard.map(|guard| guard.for_pid(std::process::id()));
        program.set_env(env::TOTO_GUARD, guard.as_deref());
        let error = program.exec();
        super::complain(&format!("cannot run {}: {error}", command[0].display()));
        return Ok(process::exec_failure_status(&error));
    }
    let notices = Notices::default();
    let (program, guard, ran) = if let Some(other) = Substitute::of(&settings, command, &notices) {
        (other.program, Some(other.resolved.guard), Some(other.told))
    } else {
        let (program, guard) = program(command)?;
        (program, guard, None)
    };
    // In one pipe, which keeps the order, where both streams are the same file.
    let stderr = match [1, 2].map(identity) {
        [_, None] => StderrPlan::Inherit,
        [out, err] if out == err => StderrPlan::Merged,
        _ => StderrPlan::Separate,
    };
    let capture = Capture::start(&program, stderr, |program, pid| {
        program.set_env(env::TOTO_GUARD, guard.map(|guard| guard.for_pid(pid)).as_deref());
    })?;
    let delivery = options.delivery(&settings, &tool, command);
    Delivery { ran: ran.as_deref(), notices, ..delivery }.run(capture)
}

/// The real tool that `command` calls, ready to be started, and the guard's value for its environment. A name with a
/// slash is the tool's path; any other name is looked up on PATH past the farm, so that the output is compressed only
/// once. `TOTO=on` is meant for this call and not for the calls that the tool makes. The error is a [`path::NotFound`]
/// where there is no such tool.
pub(super) fn program(command: &[OsString]) -> anyhow::Result<(Program, Option<GuardValue>)> {
    let (mut program, guard) = if Path::new(&command[0]).components().count() > 1 {
        (Program::new(Path::new(&command[0]), command)?, None)
    } else {
        let found = path::resolve(&command[0], &Guard::from_env(), &command[1..])?;
        (Program::new(&found.path, &found.argv(command))?, Some(found.guard))
    };
    program.can_spare(env::TOTO_GUARD);
    if env::asked_for() {
        program.set_env(env::TOTO, None);
    }
    Ok((program, guard))
}

/// What the user asks for by options; what is None is the configuration's to say.
#[derive(Args, Clone, Debug, Default)]
pub struct OptionArgs {
    /// How much may be left out: lossless, standard or max (the original is kept)
    #[arg(long, value_enum, value_name = "LEVEL", hide_possible_values = true)]
    pub level: Option<Level>,
    /// Notation of structured output: auto, pvfn, schema-yaml, json, raw
    #[arg(long, value_enum, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<Format>,
    /// The line on stderr that says what was saved: auto, full, short, off
    #[arg(long, value_enum, value_name = "RECEIPT", hide_possible_values = true)]
    pub receipt: Option<ReceiptMode>,
    /// Characters (tokens, with mode reject) of output that go out whole
    #[arg(short, long, value_name = "N")]
    pub threshold: Option<usize>,
    /// What is done with larger output: buffer, truncate, reject, off
    #[arg(long, value_enum, value_name = "MODE", hide_possible_values = true)]
    pub overflow: Option<Mode>,
    /// Where saved outputs go
    #[arg(short, long, value_name = "NAME")]
    pub session: Option<OsString>,
    /// Say on stderr how long each stage took
    #[arg(long)]
    pub timing: bool,
}

impl OptionArgs {
    /// The settings in force, overridden by these options.
    pub fn settings(&self) -> Result<Settings, config::Error> {
        let settings = config::load()?;
        // What a person reads is no saving of an agent's.
        let is_persons = consumer::decide(&mut Trace::off()).reader(Fd::Stdout) == Some(Consumer::Person);
        let ledger = Ledger { enabled: settings.ledger.enabled && !is_persons, ..settings.ledger };
        Ok(Settings {
            ledger,
            level: self.level.unwrap_or(settings.level),
            format: self.format.unwrap_or(settings.format),
            receipt: self.receipt.unwrap_or(settings.receipt),
            threshold: self.threshold.or(settings.threshold),
            mode: self.overflow.or(settings.mode),
            ..settings
        })
    }

    /// The delivery of an output that is compressed whoever reads it. `command` is the call that printed the output,
    /// empty if it is not known; `tool` names the saved original.
    pub fn delivery<'a>(
        &self,
        settings: &'a Settings,
        tool: &'a str,
        command: &'a [OsString],
    ) -> Delivery<'a> {
        let session = self.session.clone().unwrap_or_else(store::session_of_caller);
        Delivery { timing: self.timing, ..Delivery::new(settings, tool, command, session) }
    }
}

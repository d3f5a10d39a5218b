//! Commands that the user's own filter names: in place of the requested command, or beside it.

use std::ffi::OsString;
use std::time::Duration;

use crate::config::{Format, Level, Settings};
use crate::custom::{Call, Notices, Steps, commands, find, places};
use crate::env;
use crate::path::{self, Guard, Resolved};
use crate::run::Program;
use crate::run::aside::output_of;

/// Time limit of a command beside the tool.
const WITHIN: Duration = Duration::from_secs(2);
/// Most bytes that such a command may print.
const MOST: u64 = 1 << 20;

/// A command that runs in place of the requested one.
pub struct Substitute {
    pub program: Program,
    pub resolved: Resolved,
    pub told: String,
}

impl Substitute {
    /// The command that the user's own filter names in place of `command`. `None` if it cannot be run, which a notice
    /// says: then `command` itself runs. Also `None` where no filter runs: at level `lossless`, with raw output, and
    /// inside a command that a filter runs.
    pub fn of(settings: &Settings, command: &[OsString], notices: &Notices) -> Option<Self> {
        if settings.level == Level::Lossless || settings.format == Format::Raw || env::switched_off() {
            return None;
        }
        let call = Call {
            words: command,
            directories: places::user_directories(),
            project: places::project_directory(),
            notices: Some(notices),
            ..Call::default()
        };
        let words = find::in_place(&call)?;
        let made = resolve(&words).and_then(|resolved| {
            let program = Program::new(&resolved.path, &resolved.argv(&words));
            Ok((program.map_err(|error| error.to_string())?, resolved))
        });
        match made {
            Ok((mut program, resolved)) => {
                program.can_spare(env::TOTO_GUARD);
                program.set_env(env::TOTO, Some("off".as_ref()));
                Some(Self { program, resolved, told: commands::told(&words) })
            }
            Err(error) => {
                Notices::add(Some(notices), &format!("the filter's `run`: {error}; run as it was asked for"));
                None
            }
        }
    }
}

/// Runs a filter's commands beside the tool.
#[derive(Debug)]
pub(super) struct Beside;

impl Steps for Beside {
    fn output(&self, _name: &str, command: &str) -> Result<Vec<u8>, String> {
        // A filter's commands are run with compression switched off.
        if env::switched_off() {
            return Err("not run by a command that a filter runs".into());
        }
        let words = commands::words_of(command)?;
        output_of(&resolve(&words)?.path, &words, WITHIN, MOST)
    }
}

fn resolve(words: &[OsString]) -> Result<Resolved, String> {
    path::resolve(&words[0], &Guard::from_env(), &words[1..]).map_err(|error| error.to_string())
}

//! The call whose output is filtered, as users' own filters see it.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use super::notice::Notices;

/// The call whose output is filtered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Call<'a> {
    /// The tool's name, then its arguments; empty where the command is not known.
    pub words: &'a [OsString],
    /// The tool's exit status; `None` where it is not known, which counts as a failure.
    pub exit: Option<i32>,
    /// Directories in which filters are looked for before the library; the first match wins.
    pub directories: &'a [PathBuf],
    /// Directory of the project's filters, which must be trusted. It comes first of all.
    pub project: Option<&'a Path>,
    /// Directory of the filter, for files beside the filter; set once the filter is found.
    pub beside: Option<&'a Path>,
    /// Whether the command that was run is the one that the filter names in the call's place
    /// ([`super::commands::in_place`]).
    pub in_place: bool,
    /// Runs the commands that a filter names beside the call; `None` for running none.
    pub steps: Option<&'a dyn Steps>,
    /// Whether the text is the tool's standard error.
    pub is_stderr: bool,
    /// Receives the notices about filters that cannot be used.
    pub notices: Option<&'a Notices>,
}

impl Call<'_> {
    /// Whether the command is known to have succeeded.
    pub fn succeeded(&self) -> bool {
        self.exit == Some(0)
    }
}

/// Runs the commands of a filter's `step` tables.
pub trait Steps: fmt::Debug {
    /// Runs the command and returns its output; `name` is the output's name in the filter. The error says in one line
    /// why there is none.
    fn output(&self, name: &str, command: &str) -> Result<Vec<u8>, String>;
}

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
    /// The tool's exit status; `None` where nobody knows it, which counts as a failure.
    pub exit: Option<i32>,
    /// Where filters are looked for before the library, first match wins.
    pub directories: &'a [PathBuf],
    /// Where the filters of the project lie, which must be trusted: they come first of all.
    pub project: Option<&'a Path>,
    /// Where the filter lies, for what lies beside it; set once it is found.
    pub beside: Option<&'a Path>,
    /// Whether what was run is what the filter names in the call's place ([`super::commands::in_place`]).
    pub in_place: bool,
    /// Who runs what a filter names beside the call; nothing is run where nobody does.
    pub steps: Option<&'a dyn Steps>,
    /// Whether it is the tool's standard error.
    pub is_stderr: bool,
    /// Who is to be told of a filter that cannot be used.
    pub notices: Option<&'a Notices>,
}

impl Call<'_> {
    /// Whether the command is known to have succeeded.
    pub fn succeeded(&self) -> bool {
        self.exit == Some(0)
    }
}

/// Runs what a filter's `step` names.
pub trait Steps: fmt::Debug {
    /// What the command printed; `name` is what the filter calls it.
    ///
    /// # Errors
    /// In one line: why there is nothing.
    fn output(&self, name: &str, command: &str) -> Result<Vec<u8>, String>;
}

//! What a lookup ends with: the tool to run, or why there is none.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use thiserror::Error;

use super::guard::GuardValue;
use crate::sys::process::NOT_STARTED;

#[derive(Debug)]
pub struct Resolved {
    /// Path as found on PATH, its links unresolved.
    pub path: PathBuf,
    /// Value of `_TOTO_GUARD` for the tool's environment.
    pub guard: GuardValue,
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum NotFound {
    /// No file of that name on PATH, except toto itself.
    #[error("{}: not found on PATH{}", .name.display(), behind_shim(.name, *.shim))]
    Missing {
        name: OsString,
        /// Whether the farm has a shim of that name (which the user may want to remove).
        shim: bool,
    },
    /// Only files that may not be executed were found; this is the first of them.
    #[error("{}: found, but not executable", .0.display())]
    NotExecutable(PathBuf),
    /// Every candidate was tried, and called us back time after time.
    #[error(
        "{0}: {1} keeps calling the shim instead of the tool, and nothing else on PATH has that name (to remove the shim: toto unlink {0})",
        .name.display(), .path.display()
    )]
    Loop {
        name: OsString,
        /// The first of the candidates on PATH.
        path: PathBuf,
    },
}

impl NotFound {
    /// The exit status by the shells' convention: 127 not found, 126 found but not runnable (POSIX, Shell Command
    /// Language 2.8.2).
    pub fn status(&self) -> i32 {
        match self {
            Self::Missing { .. } => 127,
            Self::NotExecutable(_) | Self::Loop { .. } => NOT_STARTED,
        }
    }
}

fn behind_shim(name: &OsStr, is_shim: bool) -> String {
    let remedy = || format!(" behind its shim (to remove the shim: toto unlink {})", name.display());
    if is_shim { remedy() } else { String::new() }
}

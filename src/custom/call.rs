//! The call whose output is filtered, as users' own filters see it.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

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
    /// Whether a command that the filter names was run in the call's place ([`super::commands::in_place`]).
    pub in_place: bool,
    /// Runs the commands that a filter names beside the call; `None` for running none.
    pub steps: Option<&'a dyn Steps>,
    pub is_stderr: bool,
    /// Receives the notices about filters that cannot be used.
    pub notices: Option<&'a Notices>,
}

impl Call<'_> {
    pub fn succeeded(&self) -> bool {
        self.exit == Some(0)
    }
}

/// Runs the commands of a filter's `step` tables.
pub trait Steps: fmt::Debug {
    /// The output of the command, which the filter calls `name`; the error says in one line why there is none.
    fn output(&self, name: &str, command: &str) -> Result<Vec<u8>, String>;
}

/// Notices for stderr about filters that could not be used, each once, with the key of one that is given now and then.
#[derive(Debug, Default)]
pub struct Notices(RefCell<IndexMap<String, Option<String>>>);

impl Notices {
    pub fn add(to: Option<&Self>, line: &str) {
        Self::add_about(to, line.to_owned(), None);
    }

    /// The same for a line about something that holds for one call after another: by its key `about`,
    /// [`Notices::take_news`] can leave out a line that was given lately.
    pub fn add_about(to: Option<&Self>, line: String, about: Option<String>) {
        if let Some(Self(lines)) = to {
            lines.borrow_mut().entry(line).or_insert(about);
        }
    }

    pub fn take(&self) -> Vec<String> {
        self.take_news(|_| true)
    }

    /// Takes the lines out; those with a key only where `should_warn_again` is true of the key.
    pub fn take_news(&self, should_warn_again: impl Fn(&str) -> bool) -> Vec<String> {
        let mut all = self.0.take();
        all.retain(|_, about| about.as_deref().is_none_or(&should_warn_again));
        all.into_keys().collect()
    }

    /// Moves the lines of another list into this one.
    pub fn merge(&self, other: &Self) {
        for (line, about) in other.0.take() {
            Self::add_about(Some(self), line, about);
        }
    }
}

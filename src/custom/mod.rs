//! Filters that users write, with all their features: templates, sections, records, JSON, trees, scripts, other
//! commands. The schema is that of tokf, so that filters written for tokf run here. [`apply`] is the only way in: a
//! call for which the user has no filter is left to the library's (`filter/`), which uses nothing of this room.
//!
//! Apart from reading filter files, the room is pure. Every line of the result is a line of the input or stands behind
//! a mark (`… 212 passing tests`). docs/filters.md is the reference.
#![forbid(unsafe_code)]

pub mod checks;
pub mod commands;
mod engine;
pub mod find;
pub mod places;
pub mod schema;
mod script;
mod summary;
mod template;
pub mod testing;
#[cfg(test)]
#[path = "../../tests/unit/custom.rs"]
mod tests;
mod tidy;
mod tree;
mod value;

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::filter::{FilterName, Filtered};

/// The call whose output is filtered, as users' own filters see it.
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
    /// Whether a command that the filter names was run in the call's place ([`find::in_place`]).
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

/// The user's own filter for a call, unless the filter is only for the output of a `run` command that was not run.
fn own(call: &Call<'_>) -> Option<find::Found> {
    find::own(call).filter(|own| own.file.run.is_none() || call.in_place)
}

/// What the user's own filters make of a text.
pub enum Applied {
    /// The call's own filter has made this of it.
    Own(Filtered),
    /// It stays as it is: the call's own filter leaves it so.
    Unchanged,
    /// It is left to the library's filter for the call.
    Library,
    /// It is left to the library's rule for any text.
    AnyText,
}

/// Filters the text of a call by the user's own filter, where there is one.
///
/// A filter with a mistake is not used, and a notice says so; one with a `run` command only where that was run.
pub fn apply(text: &[u8], call: &Call<'_>) -> Applied {
    let Some(own) = own(call) else { return Applied::Library };
    if own.passes_on(call) {
        return Applied::AnyText;
    }
    let found = find::variant_of(own, text, call);
    let rules = match engine::Rules::new(&found.file, &found.source, call.succeeded()) {
        Ok(rules) => rules,
        Err(mistake) => {
            Notices::add(call.notices, &find::unusable(&found.name, &mistake));
            return Applied::AnyText;
        }
    };
    let call = Call { beside: Path::new(&found.name).parent(), ..*call };
    let filtered = engine::run(&rules, text, &call);
    let name = FilterName::Own(found.name);
    filtered.map_or(Applied::Unchanged, |filtered| Applied::Own(Filtered { filter: Some(name), ..filtered }))
}

/// Whether a filter of the user's own reads this call's output as JSON.
pub fn reads_json(call: &Call<'_>) -> bool {
    own(call).is_some_and(|own| own.file.json.is_some() && !own.passes_on(call))
}

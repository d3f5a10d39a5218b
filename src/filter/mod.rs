//! Text in fewer tokens: what a filter of the library or of the user says about this command, else what holds for
//! any text. Pure: captured text, exit status and command words in; text and what was left out of it out.
//!
//! Every line of the result is a line of the input or a mark (`… 212 passing tests`). docs/filters.md is the
//! reference.
#![forbid(unsafe_code)]

mod any;
pub mod command;
pub mod commands;
mod engine;
mod honest;
pub mod honesty;
pub mod library;
mod lines;
mod notice;
mod opaque;
mod pattern;
mod reason;
mod replace;
pub mod reshape;
pub mod schema;
mod script;
mod select;
mod summary;
pub mod testing;
mod tidy;
mod tree;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use engine::Rules;
use lines::Lines;
pub use lines::{MARK, is_mark};
pub use notice::Notices;
pub use reason::says_why;

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
    /// Whether what was run is what the filter names in the call's place ([`commands::in_place`]).
    pub in_place: bool,
    /// Who runs what a filter names beside the call; nothing is run where nobody does.
    pub steps: Option<&'a dyn commands::Steps>,
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

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The text for the reader.
    pub text: Vec<u8>,
    /// Input lines that cannot be read back from it.
    pub left_out: usize,
    /// The filter whose rules were used, by its name, or by its path if it is the user's.
    pub filter: Option<String>,
}

impl Filtered {
    /// Whether a filter of the user's own did it, which is named by its path.
    pub fn is_own(&self) -> bool {
        self.filter.as_ref().is_some_and(|name| name.contains('/'))
    }
}

/// Filters the text of a call. Nothing to leave out: `None`.
///
/// A filter with a mistake is no filter; somebody is told.
pub fn apply(text: &[u8], call: &Call<'_>) -> Option<Filtered> {
    let found = library::find(call).map(|found| library::variant_of(found, text, call));
    let directory = found.as_ref().and_then(|found| Path::new(&found.name).parent().map(Path::to_owned));
    let call = &Call { beside: directory.as_deref(), ..*call };
    let rules = found.as_ref().and_then(|found| {
        let rules = Rules::new(&found.file, &found.source, call.succeeded());
        let told =
            rules.map_err(|mistake| Notices::add(call.notices, &library::unusable(&found.name, &mistake)));
        told.ok()
    });
    let filtered = run(text, rules.as_ref(), call)?;
    let filter = found.filter(|_| rules.is_some()).map(|found| found.name);
    Some(Filtered { filter, ..filtered })
}

/// Whether a filter of the user's own reads this call's output as JSON.
pub fn reads_json(call: &Call<'_>) -> bool {
    let has_own = !call.directories.is_empty() || call.project.is_some();
    has_own
        && library::find_own(call)
            .is_some_and(|found| found.file.json.is_some() && (found.file.run.is_none() || call.in_place))
}

/// Runs rules, then what holds for any text.
fn run(text: &[u8], rules: Option<&Rules>, call: &Call<'_>) -> Option<Filtered> {
    let mut lines = Lines::new(text);
    let done = rules.map(|rules| rules.run(text, &mut lines, call)).unwrap_or_default();
    if !done.is_settled {
        any::fold(&mut lines);
    }
    if let Some(rules) = rules {
        rules.conclude(text, &mut lines, call);
    }
    done.tell(&mut lines);
    lines.finish(text)
}

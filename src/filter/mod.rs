//! Text in fewer tokens: what a filter of the library or of the user says about this command, else what holds for
//! any text. Pure: captured text, exit status and command words in; text and what was left out of it out.
//!
//! Every line of the result is a line of the input or a mark (`… 212 passing tests`). docs/filters.md is the
//! reference.
#![forbid(unsafe_code)]

mod any;
mod engine;
mod frames;
pub mod honesty;
pub mod library;
mod lines;
mod mask;
mod opaque;
mod pattern;
mod reason;
pub mod reshape;
pub mod schema;
pub mod testing;

use std::ffi::OsString;
use std::path::PathBuf;

pub use engine::Rules;
use lines::Lines;
pub use lines::is_mark;
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
}

/// Filters the text of a call. Nothing to leave out: `None`.
///
/// A filter with a mistake is no filter.
pub fn apply(text: &[u8], call: &Call<'_>) -> Option<Filtered> {
    let rules = library::find(call)
        .ok()
        .flatten()
        .and_then(|found| Rules::new(&found.file, &found.source, call.succeeded()).ok());
    run(text, rules.as_ref(), call.succeeded())
}

/// Runs rules, then what holds for any text.
fn run(text: &[u8], rules: Option<&Rules>, succeeded: bool) -> Option<Filtered> {
    let mut lines = Lines::new(text);
    if let Some(rules) = rules {
        rules.run(&mut lines);
        reshape::run(&rules.reshape, &mut lines, succeeded);
    }
    if rules.is_none_or(|rules| !rules.verbatim) {
        any::fold(&mut lines, succeeded);
    }
    lines.finish(text)
}

//! Shortens a text by the library's filter for its command, if there is one, and by the rule for any text. Pure: takes
//! captured text, command words and exit status, and returns the shorter text and the number of lines left out.
//!
//! Every line of the result is a line of the input, perhaps in a shorter form, or a mark (`… 212 passing tests`).
//! Users' own filters, which may do more, have their own room (`custom/`). docs/filters.md is the reference of both.
#![forbid(unsafe_code)]

pub mod fold;
pub mod generic;
pub mod library;
pub mod lines;
pub mod pattern;
pub mod reshape;
pub mod schema;

use crate::{commands, mistake};

pub use lines::{FilterName, Filtered, MARK, is_mark};

/// Filters the text that a command printed: by the folds and devices of the library's filter, then by the rule for any
/// text. `words` are the tool's name and its arguments; they are empty where the command is not known. `None` where the
/// text stays as it is.
pub fn apply(text: &[u8], words: &[String], succeeded: bool) -> Option<Filtered> {
    let filter = library::find_source(commands::unwrap(words)).and_then(|source| {
        // The test suite checks that every filter of the library parses and compiles.
        Some((source, mistake::parse::<schema::LibraryFile>(source.rules, false).ok()?))
    });
    let filter = filter.as_ref().and_then(|(source, file)| {
        let branch = if succeeded { &file.on_success } else { &file.on_failure };
        let folds = fold::Folds::new(file.fold.iter().chain(&branch.fold), source.rules, succeeded).ok()?;
        Some((source.name, file, folds))
    });
    let mut lines = lines::Lines::new(text);
    if let Some((_, file, folds)) = &filter {
        folds.run(&mut lines);
        reshape::run(&file.reshape, &mut lines);
    }
    if !filter.as_ref().is_some_and(|(_, file, _)| file.verbatim) {
        generic::fold(&mut lines);
    }
    let filtered = lines.finish(text)?;
    Some(Filtered { filter: filter.map(|(name, ..)| FilterName::Library(name)), ..filtered })
}

#[cfg(test)]
#[path = "../../tests/unit/filter.rs"]
pub(crate) mod tests;

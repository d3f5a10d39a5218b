//! Runs a filter of the library over an output: folds, then devices, then the rules for any text.

use std::ffi::OsString;

use super::fold::Folds;
use super::lines::{Filtered, Lines};
use super::schema::LibraryFile;
use super::{command, generic, library, reshape};

/// Filters the text that a command printed. `words` are the tool's name and its arguments; they are empty where the
/// command is not known. `None` where the text stays as it is.
pub fn apply(text: &[u8], words: &[OsString], succeeded: bool) -> Option<Filtered> {
    let words = command::as_text(words);
    let filter = library::find_source(command::unwrap(&words)).and_then(|source| {
        // The test suite checks that every filter of the library parses and compiles.
        let file: LibraryFile = toml::from_str(source.rules).ok()?;
        let branch = if succeeded { &file.on_success } else { &file.on_failure };
        let folds = Folds::new(file.fold.iter().chain(&branch.fold), source.rules, succeeded).ok()?;
        Some((source.name, file, folds))
    });
    let mut lines = Lines::new(text);
    if let Some((_, file, folds)) = &filter {
        folds.run(&mut lines);
        reshape::run(&file.reshape, &mut lines);
    }
    if !filter.as_ref().is_some_and(|(_, file, _)| file.verbatim) {
        generic::fold(&mut lines);
    }
    let filtered = lines.finish(text)?;
    Some(Filtered { filter: filter.map(|(name, ..)| name.to_owned()), ..filtered })
}

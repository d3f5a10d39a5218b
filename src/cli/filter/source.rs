//! Reads filter files.

use std::path::Path;

use crate::cli::out::Refusal;
use crate::custom::schema::FilterFile;
use crate::custom::testing;
use crate::mistake::Mistake;
use crate::sys::files::read_small;
use crate::trust::LONGEST_FILE;

/// The text of a filter file.
pub(super) fn read(path: &Path) -> anyhow::Result<String> {
    let named = |error: &dyn std::fmt::Display| Refusal::bad(format!("{}: {error}", path.display()));
    let bytes = read_small(path, LONGEST_FILE).map_err(|error| named(&error))?;
    String::from_utf8(bytes).map_err(|error| named(&error))
}

/// A filter file and its text. A mistake in it is an error, which names the first one.
pub(super) fn load(path: &Path) -> anyhow::Result<(FilterFile, String)> {
    let source = read(path)?;
    let (file, mistakes) = testing::check_all(&source);
    match (file, mistakes.first()) {
        (Some(file), None) => Ok((file, source)),
        (_, first) => {
            let more = mistakes.len().saturating_sub(1);
            let more = if more > 0 { format!(" (and {more} more: toto check)") } else { String::new() };
            let first = first.map_or_else(|| "not a filter".to_owned(), Mistake::to_string);
            Err(Refusal::bad(format!("{}:{first}{more}", path.display())))
        }
    }
}

//! Faults of a text that is read back.

use thiserror::Error;

/// Deepest nesting that is read.
pub const MAX_DEPTH: usize = 300;

/// What is wrong, in words.
pub type Fault = String;

/// Why a text could not be read back.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct ExpandError {
    /// Line number, from 1.
    pub line: usize,
    /// Bytes from the mistake to the end of the line, if its place is known.
    pub(super) left: Option<usize>,
    /// What is wrong there.
    pub what: String,
}

impl ExpandError {
    /// The column of the mistake in its line of `text`, in characters from 1; where it is not known, the one behind the
    /// indentation. `text` is the text that was read.
    pub fn column(&self, text: &str) -> usize {
        let line = text.lines().nth(self.line.saturating_sub(1)).unwrap_or_default();
        let indentation = line.len() - line.trim_start_matches(' ').len();
        let before = self.left.map_or(indentation, |left| line.len().saturating_sub(left));
        line.get(..before).map_or(0, |before| before.chars().count()) + 1
    }

    /// The same error, its line counted from `lines` lines further up.
    pub(super) fn below(self, lines: usize) -> Self {
        Self { line: self.line + lines, ..self }
    }
}

pub fn fault(line: usize, what: impl Into<String>) -> ExpandError {
    ExpandError { line, left: None, what: what.into() }
}

/// The fault of a text that is nested deeper than any that toto writes.
pub fn too_deep() -> Fault {
    format!("nested deeper than {MAX_DEPTH} levels")
}

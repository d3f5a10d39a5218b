//! A mistake in a filter file, and its place.

use thiserror::Error;

/// A mistake in a filter file, and its place.
#[derive(Clone, Debug, Error, PartialEq, Eq, PartialOrd, Ord)]
#[error("{line}:{column}: {message}")]
pub struct Mistake {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The mistake, in one line.
    pub message: String,
}

impl Mistake {
    /// A mistake at a byte of `text`.
    pub fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let message = message.into().split_whitespace().collect::<Vec<_>>().join(" ");
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1, message }
    }
}

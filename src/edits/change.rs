//! A change of a text, whatever the format, and its pieces.

use std::ops::Range;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, also with comments and trailing commas (JSONC).
    Json,
    Toml,
    /// Any other format: the file is toto's alone, or it is not touched.
    Whole,
}

impl Format {
    /// The format by the file's extension; [`Format::Whole`] where it is not known.
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json" | "jsonc" | "json5") => Self::Json,
            Some("toml") => Self::Toml,
            _ => Self::Whole,
        }
    }
}

/// One thing that has to be in a file. A place is given by the keys that lead to it, outermost first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The array at this place has this element. Missing objects and a missing array are created.
    Append {
        at: Vec<String>,
        element: Value,
        /// Text in one of its strings that shows it to be toto's after others have rewritten the file.
        mark: String,
    },
    /// This place has this value, whatever was there.
    Set { at: Vec<String>, value: Value },
    /// The file has this text, and is toto's alone ([`Format::Whole`]).
    Text {
        text: String,
        /// Text that shows a file to be an older version of toto's.
        mark: String,
    },
}

/// A change of one place: every [`Change`] but [`Change::Text`].
pub(super) struct Place<'c> {
    pub(super) at: &'c [String],
    pub(super) value: &'c Value,
    /// The mark of an array's element ([`Change::Append`]); `None` where the value itself is set.
    pub(super) mark: Option<&'c str>,
}

impl Change {
    pub(super) fn place(&self) -> Option<Place<'_>> {
        match self {
            Self::Append { at, element, mark } => Some(Place { at, value: element, mark: Some(mark) }),
            Self::Set { at, value } => Some(Place { at, value, mark: None }),
            Self::Text { .. } => None,
        }
    }
}

/// What [`super::undo`] needs beside the change itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Whether anything was put in. If not, the change was there before, and stays.
    pub added: bool,
    /// Number of containers on the way to the place that existed before.
    pub existing: usize,
    /// The text of the replaced value, if a value was replaced.
    pub old: Option<String>,
}

impl Undo {
    /// For a change without a record: containers that are empty without the change go as well.
    pub const UNKNOWN: Self = Self { added: true, existing: 0, old: None };

    pub(super) const NOTHING: Self = Self { added: false, existing: usize::MAX, old: None };
}

/// Whether one of the value's strings contains the text.
pub(super) fn mentions(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| mentions(item, text)),
        Value::Object(members) => members.values().any(|value| mentions(value, text)),
        _ => false,
    }
}

/// A byte range of the old text, and the text in its place.
pub type Splice = (Range<usize>, String);

/// The text with all splices applied, which are in order and do not overlap.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let mut new = text.to_owned();
    splices.iter().rev().for_each(|(range, replacement)| new.replace_range(range.clone(), replacement));
    new
}

/// The line end of the text's first line.
pub fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

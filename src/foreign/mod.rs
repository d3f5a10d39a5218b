//! Edits configuration files of other programs: puts in what is needed, touches no other byte, and takes it out again
//! without a trace.
//!
//! | file | what it does |
//! |---|---|
//! | here | the pure part: [`edit`] a text by a [`Change`], [`undo`] it |
//! | `json/`, `toml/`, `whole.rs` | the same for one format: finds places in the text and puts text in |
//! | `record.rs` | pure too: the changes of several owners in one text, each of which can be taken out separately |
//! | `file.rs`, `disk.rs` | files: links, modes, the backup, writing whole or not at all |
//! | `made.rs` | the directories that toto created |
//!
//! Comments, order, indentation, line ends and the byte-order mark stay, since a file is never printed anew: a change
//! is a piece of text put in at one place. A text that does not parse is refused with line and column.

mod disk;
mod file;
mod json;
mod made;
mod record;
mod splice;
mod toml;
mod whole;

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use disk::{end_of_links, read, write};
pub use file::{Edit, File, FileFault, edited_files};
pub use made::{MADE, Made};
pub use record::{Owner, Record, with_changes};

use crate::mistake::Mistake;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, also with comments and trailing commas (JSONC).
    Json,
    /// TOML.
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
        /// Place of the array.
        at: Vec<String>,
        /// The element, as JSON.
        element: Value,
        /// Text in one of the element's strings that shows the element to be toto's after others have rewritten the
        /// file.
        mark: String,
    },
    /// This place has this value, whatever was there.
    Set {
        /// Place of the value.
        at: Vec<String>,
        /// The value, as JSON.
        value: Value,
    },
    /// The file has this text, and is toto's alone ([`Format::Whole`]).
    Text {
        /// The whole text.
        text: String,
        /// Text that shows a file to be an older version of toto's.
        mark: String,
    },
}

/// A change of one place: every [`Change`] but [`Change::Text`].
struct Place<'c> {
    at: &'c [String],
    value: &'c Value,
    /// The mark of an array's element ([`Change::Append`]); `None` where the value itself is set.
    mark: Option<&'c str>,
}

impl Change {
    fn place(&self) -> Option<Place<'_>> {
        match self {
            Self::Append { at, element, mark } => Some(Place { at, value: element, mark: Some(mark) }),
            Self::Set { at, value } => Some(Place { at, value, mark: None }),
            Self::Text { .. } => None,
        }
    }
}

/// What [`undo`] needs beside the change itself.
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

    /// The change was there already.
    const NOTHING: Self = Self { added: false, existing: usize::MAX, old: None };
}

/// The text with the change in it, and how to take the change out. Where it is there already, the text stays the same.
///
/// # Errors
/// [`Mistake`] where the text does not parse, where it has something else in place of an object or array that the change
/// needs, or where a file that has to be toto's alone is not.
pub fn edit(format: Format, text: &str, change: &Change) -> Result<(String, Undo), Mistake> {
    match (format, change.place()) {
        (Format::Json, Some(place)) => json::edit(text, &place),
        (Format::Toml, Some(place)) => toml::edit(text, &place),
        (Format::Whole, _) => whole::edit(text, change),
        _ => Err(Mistake::at(text, 0, "a JSON or TOML file is not ours alone")),
    }
}

/// The text without the change, and without the containers that came with it and are empty now. Everything that others
/// have changed since stays, and so does a value that they have put in place of toto's.
///
/// # Errors
/// [`Mistake`] where the text does not parse.
pub fn undo(format: Format, text: &str, change: &Change, undo: &Undo) -> Result<String, Mistake> {
    if !undo.added {
        return Ok(text.to_owned());
    }
    match (format, change.place()) {
        (Format::Json, Some(place)) => json::undo(text, &place, undo),
        (Format::Toml, Some(place)) => toml::undo(text, &place, undo),
        (Format::Whole, _) => Ok(whole::undo(text, change)),
        _ => Ok(text.to_owned()),
    }
}

/// Whether the text has nothing but blanks or, in JSON, an empty object.
fn is_blank(format: Format, text: &str) -> bool {
    let bare = text.trim_start_matches('\u{feff}').trim();
    bare.is_empty() || format == Format::Json && bare.strip_prefix('{').is_some_and(|rest| rest.trim() == "}")
}

/// Whether one of the value's strings contains the text.
fn mentions(value: &Value, text: &str) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(string) if string.contains(text) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    false
}

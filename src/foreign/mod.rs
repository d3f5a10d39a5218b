//! Editing configuration files that belong to somebody else: put in what is needed, touch no other byte, and take it
//! out again so that nothing is left.
//!
//! | file | what it does |
//! |---|---|
//! | here | the pure part: [`edit`] a text by a [`Change`], [`undo`] it |
//! | `json/`, `toml.rs`, `whole.rs` | the same for one format: places found in the text, text put in between |
//! | `record.rs` | pure too: what several owners changed in one text, so that each can be taken out by itself |
//! | `file.rs`, `disk.rs` | files: links, modes, the backup, whole or not at all |
//! | `made.rs` | the directories that were missing |
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

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JSON, also with comments and trailing commas (JSONC).
    Json,
    /// TOML.
    Toml,
    /// Anything: the file is ours alone or not touched.
    Whole,
}

impl Format {
    /// By the ending of the file's name; what is not known is [`Format::Whole`].
    pub fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("json" | "jsonc" | "json5") => Self::Json,
            Some("toml") => Self::Toml,
            _ => Self::Whole,
        }
    }
}

/// One thing that has to be in a file. Places are the keys that lead there, outermost first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The array at this place has this element. Missing objects and the array are made.
    Append {
        /// Where the array is.
        at: Vec<String>,
        /// The element, as JSON.
        element: Value,
        /// Text in one of the element's strings by which it is known to be ours when others have rewritten the file.
        mark: String,
    },
    /// This place has this value, whatever was there.
    Set {
        /// Where the value is.
        at: Vec<String>,
        /// The value, as JSON.
        value: Value,
    },
    /// The file has this text, and is ours ([`Format::Whole`]).
    Text {
        /// The whole text.
        text: String,
        /// Text in it by which an older version of ours is known.
        mark: String,
    },
}

/// What [`undo`] has to know beside the change itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Whether anything was put in; what was there already stays.
    pub added: bool,
    /// How many of the containers that lead to the place were there before.
    pub existing: usize,
    /// The text of the value that was replaced.
    pub old: Option<String>,
}

impl Undo {
    /// For a change of which no record was kept: containers that are empty without it go as well.
    pub const UNKNOWN: Self = Self { added: true, existing: 0, old: None };

    /// The change was there already.
    const NOTHING: Self = Self { added: false, existing: usize::MAX, old: None };
}

/// Why a text is left alone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl Fault {
    /// A fault at this byte of the text.
    fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self {
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: String::from_utf8_lossy(&before[line_start..]).chars().count() + 1,
            message: message.into(),
        }
    }
}

/// The text with the change in it, and how to take it out. Where it is there already, the same text.
///
/// # Errors
/// [`Fault`] where the text does not parse, or has something else where the change needs an object or array.
pub fn edit(format: Format, text: &str, change: &Change) -> Result<(String, Undo), Fault> {
    match format {
        Format::Json => json::edit(text, change),
        Format::Toml => toml::edit(text, change),
        Format::Whole => whole::edit(text, change),
    }
}

/// The text without the change, and without the containers that came with it and are empty now. Whatever others have
/// changed since stays; so does our own place where they have put another value there.
///
/// # Errors
/// [`Fault`] where the text does not parse.
pub fn undo(format: Format, text: &str, change: &Change, undo: &Undo) -> Result<String, Fault> {
    if !undo.added {
        return Ok(text.to_owned());
    }
    match format {
        Format::Json => json::undo(text, change, undo),
        Format::Toml => toml::undo(text, change, undo),
        Format::Whole => Ok(whole::undo(text, change)),
    }
}

/// Whether nothing stands in the text but an empty document.
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

//! Edits configuration files of other programs: puts in what is needed, touches no other byte, and takes it out again
//! without a trace.
//!
//! The pure part is `change.rs` and `record.rs`: [`edit()`] a text by a [`Change`], [`undo`] it, hold the changes of
//! several owners in one text. `json.rs` and `toml.rs` find places in the text. `file.rs` and `disk.rs` keep files,
//! links, modes, the backup and new directories. A file is never printed anew: a change is a piece of text put in at
//! one place. A text that does not parse is refused with line and column.

mod change;
mod disk;
mod file;
mod json;
mod record;
mod toml;

pub use change::{Change, Format, Undo};
pub use disk::{MADE, end_of_links, note_missing, read, sweep, write};
pub use file::{Edit, File, edited_files};
pub use record::{Record, edit, undo, with_changes};

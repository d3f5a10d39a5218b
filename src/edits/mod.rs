//! Edits configuration files of other programs: puts in what is needed, touches no other byte, and takes it out again
//! without a trace.
//!
//! The pure part is `record.rs`: [`edit()`] a text by a [`Change`], [`undo`] it, hold the changes of several owners in
//! one text. `json/` and `toml/` find places in the text. `file.rs`, `disk.rs` and `made.rs` keep files, links, modes,
//! the backup and new directories. A file is never printed anew: a change is a piece of text put in at one place. A text
//! that does not parse is refused with line and column.

mod change;
mod disk;
mod file;
mod json;
mod made;
mod record;
mod splice;
mod toml;

pub use change::{Change, Format, Undo};
pub use disk::{end_of_links, read, write};
pub use file::{Edit, File, edited_files};
pub use made::{MADE, Made};
pub use record::{Record, edit, undo, with_changes};

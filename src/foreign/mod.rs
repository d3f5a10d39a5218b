//! Edits configuration files of other programs: puts in what is needed, touches no other byte, and takes it out again
//! without a trace.
//!
//! | file | what it does |
//! |---|---|
//! | `change.rs`, `edit.rs` | the pure part: [`edit()`] a text by a [`Change`], [`undo`] it |
//! | `json/`, `toml/` | the same for one format: finds places in the text and puts text in |
//! | `record.rs` | pure too: the changes of several owners in one text, each of which can be taken out separately |
//! | `file.rs`, `disk.rs` | files: links, modes, the backup, writing whole or not at all |
//! | `made.rs` | the directories that toto created |
//!
//! Comments, order, indentation, line ends and the byte-order mark stay, since a file is never printed anew: a change
//! is a piece of text put in at one place. A text that does not parse is refused with line and column.

mod change;
mod disk;
mod edit;
mod file;
mod json;
mod made;
mod record;
mod splice;
mod toml;

pub use change::{Change, Format, Undo};
pub use disk::{end_of_links, read, write};
pub use edit::{edit, undo};
pub use file::{Edit, File, FileFault, edited_files};
pub use made::{MADE, Made};
pub use record::{Record, with_changes};

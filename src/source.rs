//! Source, read without gaps: commands that print files, and what they print where a page of the agent's host does not
//! hold it. docs/source.md has the rules.

mod command;
mod outline;
mod pages;
mod search;

pub use command::{Request, is_reader, word};
pub use outline::{LONGEST, further_down_in_help, is_help};
pub use pages::{LOOKED_AT, Look, Part, Room, behind_lines, count_lines};
pub use search::matches_by_file;

#[cfg(test)]
#[path = "../tests/unit/source.rs"]
mod tests;

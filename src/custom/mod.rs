//! Filters that users write, with all their features: templates, sections, records, JSON, trees, scripts, other
//! commands. The schema is that of tokf, so that filters written for tokf run here. [`apply`] is the only way in: a
//! call for which the user has no filter goes on to the library's (`filter/`), which uses nothing of this room.
//!
//! Apart from reading filter files, the room is pure: it takes captured text, exit status and command words, and
//! returns text and the number of lines that were left out. Every line of the result is a line of the input or stands
//! behind a mark (`… 212 passing tests`). docs/filters.md is the reference.
#![forbid(unsafe_code)]

mod apply;
mod call;
pub mod checks;
mod clock;
pub mod commands;
mod engine;
pub mod find;
mod marks;
mod notice;
pub mod places;
mod replace;
pub mod schema;
mod script;
mod select;
mod summary;
pub mod testing;
#[cfg(test)]
mod tests;
mod tidy;
mod tree;

pub use apply::{apply, reads_json};
pub use call::{Call, Steps};
pub use notice::Notices;

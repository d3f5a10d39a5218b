//! Shortens a text by the library's filter for its command, if there is one, and by the rules for any text. Pure: takes
//! captured text, command words and exit status, and returns the shorter text and the number of lines that were left
//! out.
//!
//! Every line of the result is a line of the input, perhaps in a shorter form, or a mark (`… 212 passing tests`).
//! Users' own filters, which may do more, have their own room (`custom/`), which builds on this one. docs/filters.md is
//! the reference of both.
#![forbid(unsafe_code)]

pub mod command;
mod engine;
pub mod fold;
pub mod generic;
pub mod library;
pub mod lines;
mod opaque;
pub mod pattern;
mod reason;
pub mod reshape;
pub mod schema;

pub use engine::apply;
pub use lines::{Filtered, MARK, is_mark};
pub use reason::says_why;

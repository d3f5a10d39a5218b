//! What may go of a text: what a filter of the library says about this command, else what holds for any text.
//! Pure: captured text, command words and exit status in; text and what was left out of it out.
//!
//! Every line of the result is a line of the input or a mark (`… 212 passing tests`). Users' own filters, which may say
//! more, are another room's (`custom/`), which builds on this one. docs/filters.md is the reference of both.
#![forbid(unsafe_code)]

pub mod command;
mod engine;
pub mod fold;
pub mod generic;
pub mod library;
pub mod lines;
mod mistake;
mod opaque;
pub mod pattern;
mod reason;
pub mod reshape;
pub mod schema;

pub use engine::apply;
pub use lines::{Filtered, MARK, is_mark};
pub use mistake::Mistake;
pub use reason::says_why;

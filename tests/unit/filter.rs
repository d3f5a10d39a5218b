//! Unit tests of the room, one file a module.

#[path = "filter/generic.rs"]
mod generic;
#[path = "filter/lines.rs"]
pub mod lines;

//! Unit tests of the room, one file a module.

#[path = "farm/reach/interpreter.rs"]
mod interpreter;
#[path = "farm/known.rs"]
mod known;
#[path = "farm/refusals.rs"]
mod refusals;
#[path = "farm/start_files.rs"]
mod start_files;

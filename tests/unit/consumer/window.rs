//! Unit tests of the room, one file a module.

#[path = "window/arguments.rs"]
mod arguments;
#[path = "window/viewers.rs"]
mod viewers;

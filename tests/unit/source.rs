//! Unit tests of the room, one file a module.

#[path = "source/command.rs"]
mod command;
#[path = "source/outline.rs"]
mod outline;
#[path = "source/search.rs"]
mod search;

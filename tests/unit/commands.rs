//! Unit tests of the room, one file a module.

#[path = "commands/call.rs"]
mod call;
#[path = "commands/raw.rs"]
mod raw;

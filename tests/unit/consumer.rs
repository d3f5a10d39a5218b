//! Unit tests of the room, one file a module.

#[path = "consumer/eyes.rs"]
mod eyes;
#[path = "consumer/process.rs"]
mod process;
#[path = "consumer/processes.rs"]
mod processes;
#[cfg(target_os = "linux")]
#[path = "consumer/terminal.rs"]
mod terminal;
#[path = "consumer/tree.rs"]
mod tree;

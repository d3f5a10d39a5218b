//! Unit tests of the room, one file a module.

#[path = "consumer/eyes.rs"]
mod eyes;
#[cfg(target_os = "linux")]
#[path = "consumer/linux/holders.rs"]
mod holders;
#[cfg(any(target_os = "macos", all(target_os = "linux", debug_assertions)))]
#[path = "consumer/macos.rs"]
mod macos;
#[path = "consumer/process.rs"]
mod process;
#[path = "consumer/processes.rs"]
mod processes;
#[path = "consumer/shells.rs"]
mod shells;
#[cfg(target_os = "linux")]
#[path = "consumer/linux/sock_diag.rs"]
mod sock_diag;
#[cfg(target_os = "linux")]
#[path = "consumer/linux/stat.rs"]
mod stat;
#[cfg(target_os = "linux")]
#[path = "consumer/terminal.rs"]
mod terminal;
#[path = "consumer/tree.rs"]
mod tree;
#[path = "consumer/window/viewers.rs"]
mod viewers;

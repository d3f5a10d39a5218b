//! Unit tests of the room, one file a module.

#[path = "linux/procfs.rs"]
mod procfs;
#[path = "linux/sock_diag.rs"]
mod sock_diag;
#[path = "linux/table.rs"]
mod table;

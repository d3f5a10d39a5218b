//! What every system answers of processes and their open files.

/// The facts that are read of every process in question.
#[derive(Clone, Default)]
pub struct Stat {
    /// The name of the process's main thread, not always UTF-8; see [`comm`].
    pub comm: Vec<u8>,
    /// Parent's process id; 0 at the top.
    pub parent: i32,
    pub session: i32,
    /// Device number of the controlling terminal; 0 for none.
    pub terminal: i32,
    /// Start time in hundredths of a second, on the same clock for all processes.
    pub started: u64,
    /// Whether the process's main thread sleeps: it neither runs nor waits to run. None where the system does not
    /// tell.
    pub asleep: Option<bool>,
}

/// A name, cut to the 15 bytes that the kernel keeps.
pub fn comm(name: &[u8]) -> Vec<u8> {
    name[..name.len().min(15)].to_vec()
}

/// Whether a process holds the other end, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// It does, by its own descriptors: all that lead there, at least one.
    Descriptors(Vec<i32>),
    /// It does: the kernel names it as the maker of the pair of sockets.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "Linux's kernel alone tells"))]
    Creator,
    /// No: everything that would show it was read.
    No,
    Unreadable,
}

/// Which end of a stream a process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It can read what we write.
    Reading,
    /// It can write what we read.
    Writing,
}

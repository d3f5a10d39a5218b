//! The answers to "does this process hold the other end of our stream?", the same on every platform.

/// Whether a process holds the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    Yes(How),
    /// No: everything that would show it was read.
    No,
    Unreadable,
}

/// What shows that a process holds the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// By its own descriptors: all that lead there, at least one.
    Descriptors(Vec<i32>),
    /// The kernel names it as the maker of the pair of sockets.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "Linux's kernel alone tells"))]
    Creator,
}

/// Which end of a stream a process holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It can read what we write.
    Reading,
    /// It can write what we read.
    Writing,
}

//! What the system tells of every process: its kernel's name, its parent, its session.

/// The facts that are read of every process in question.
#[derive(Clone, Copy, Default)]
pub struct Stat {
    /// The name of the process's main thread, cut by the kernel to 15 bytes.
    pub comm: Comm,
    /// Parent's process id; 0 at the top.
    pub parent: i32,
    /// Session id.
    pub session: i32,
    /// Device number of the controlling terminal; 0 for none.
    pub terminal: i32,
    /// Start time in hundredths of a second, on the same clock for all processes.
    pub started: u64,
    /// Whether the process's main thread sleeps: it neither runs nor waits to run. None where the system does not
    /// tell.
    pub asleep: Option<bool>,
}

/// The kernel's name of a process.
#[derive(Clone, Copy, Default)]
pub struct Comm {
    bytes: [u8; 15],
    length: u8,
}

impl Comm {
    /// A name, cut to the bytes that the kernel keeps.
    pub fn new(name: &[u8]) -> Self {
        let mut comm = Self::default();
        let length = name.len().min(comm.bytes.len());
        comm.bytes[..length].copy_from_slice(&name[..length]);
        comm.length = length as u8;
        comm
    }

    /// The bytes of the name, not always UTF-8.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

//! Processes and their open files: the same answers and functions on every system. Looks at descriptors, ours and those
//! of another process.

#[cfg(all(target_os = "linux", debug_assertions))]
#[path = "../../tests/unit/consumer/simulated.rs"]
mod simulated;

pub use super::answers::{End, Holds, Stat, comm};
use super::stream::{Fd, Identity, Stream, StreamKind};

#[cfg(all(target_os = "linux", not(debug_assertions)))]
pub use super::linux::*;
#[cfg(target_os = "macos")]
pub use super::macos::*;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub use super::unsupported::*;
#[cfg(all(target_os = "linux", debug_assertions))]
pub use simulated::*;

impl Stream {
    /// Looks at one of our own descriptors.
    pub fn of(fd: Fd) -> Self {
        let identity = Identity::of(fd);
        let has_link = matches!(identity.kind, StreamKind::Pipe | StreamKind::File);
        let link = if has_link { link(fd) } else { Vec::new() };
        Self::new(fd, None, identity, link)
    }

    /// Looks at a descriptor of another process; `None` where that cannot be read.
    pub fn of_process(process: i32, fd: Fd) -> Option<Self> {
        let (identity, link) = descriptor(process, fd.number())?;
        Some(Self::new(fd, Some(process), identity, link))
    }

    fn new(fd: Fd, owner: Option<i32>, mut identity: Identity, link: Vec<u8>) -> Self {
        // Without /proc a pipe is taken to have no name.
        if identity.kind == StreamKind::Pipe && !link.is_empty() && !link.starts_with(b"pipe:") {
            identity.kind = StreamKind::Fifo;
        }
        Self { fd, owner, identity, link }
    }
}

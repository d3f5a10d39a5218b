//! Looks at descriptors: at ours, and at those of another process.

use super::platform;
use super::stream::{Fd, Identity, Kind, Stream};

impl Stream {
    /// Looks at one of our own descriptors.
    pub fn of(fd: Fd) -> Self {
        let identity = Identity::of(fd);
        let mut link = Vec::new();
        if matches!(identity.kind, Kind::Pipe | Kind::File) {
            link = platform::link(fd.number());
        }
        Self::new(fd, None, identity, link)
    }

    /// Looks at a descriptor of another process; `None` where that cannot be read.
    pub fn of_process(process: i32, fd: Fd) -> Option<Self> {
        let (identity, link) = platform::descriptor(process, fd.number())?;
        Some(Self::new(fd, Some(process), identity, link))
    }

    fn new(fd: Fd, owner: Option<i32>, mut identity: Identity, link: Vec<u8>) -> Self {
        // Without /proc a pipe is taken to have no name.
        if identity.kind == Kind::Pipe && !link.is_empty() && !link.starts_with(b"pipe:") {
            identity.kind = Kind::Fifo;
        }
        Self { fd, owner, identity, link }
    }
}

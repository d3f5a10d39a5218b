//! Our standard streams: the kind and the identity of each.

use rustix::fd::BorrowedFd;
use rustix::fs::{FileType, Stat, fstat};
use std::fmt;

/// One of the three standard descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fd {
    Stdin,
    Stdout,
    Stderr,
}

impl Fd {
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The descriptor itself; it may be closed.
    pub(super) fn borrow(self) -> BorrowedFd<'static> {
        match self {
            Self::Stdin => rustix::stdio::stdin(),
            Self::Stdout => rustix::stdio::stdout(),
            Self::Stderr => rustix::stdio::stderr(),
        }
    }
}

/// What a descriptor leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    Closed,
    Null,
    /// A pipe without a name.
    Pipe,
    /// A pipe with a name, which anybody may open.
    Fifo,
    Socket,
    Terminal,
    File,
    /// Any other device, a directory.
    Other,
}

impl fmt::Display for StreamKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "closed",
            Self::Null => "/dev/null",
            Self::Pipe => "a pipe",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Terminal => "a terminal",
            Self::File => "a file",
            Self::Other => "a device",
        })
    }
}

/// Which file, pipe, socket or terminal it is: the fields of fstat(2) that tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub kind: StreamKind,
    pub device: u64,
    pub inode: u64,
    /// For a device file, the device's own number.
    pub special: u64,
}

impl Identity {
    const CLOSED: Self = Self { kind: StreamKind::Closed, device: 0, inode: 0, special: 0 };

    pub fn of(fd: Fd) -> Self {
        let mut identity = fstat(fd.borrow()).map_or(Self::CLOSED, |stat| Self::new(&stat));
        if identity.kind == StreamKind::Other && rustix::termios::isatty(fd.borrow()) {
            identity.kind = StreamKind::Terminal;
        }
        identity
    }

    /// The identity from an answer of stat(2). A named pipe is not told from other pipes here.
    #[allow(
        clippy::unnecessary_cast,
        clippy::cast_lossless,
        reason = "the fields' widths differ by platform"
    )]
    pub fn new(stat: &Stat) -> Self {
        let (device, inode, special) = (stat.st_dev as u64, stat.st_ino as u64, stat.st_rdev as u64);
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Fifo => StreamKind::Pipe,
            FileType::Socket => StreamKind::Socket,
            FileType::RegularFile => StreamKind::File,
            FileType::CharacterDevice => device_kind(special),
            _ => StreamKind::Other,
        };
        Self { kind, device, inode, special }
    }

    /// Whether both are the very same file, pipe, socket or terminal.
    pub fn is(&self, other: &Self) -> bool {
        (self.device, self.inode, self.special) == (other.device, other.inode, other.special)
            && self.kind != StreamKind::Closed
            && other.kind != StreamKind::Closed
    }
}

/// One of our standard streams, or of another process's.
#[derive(Clone, Debug)]
pub struct Stream {
    pub fd: Fd,
    /// Id of the process whose descriptor it is; None where it is ours.
    pub owner: Option<i32>,
    pub identity: Identity,
    /// `pipe:[123]` of a pipe, the path of a file; empty for other kinds and where it is not known.
    pub link: Vec<u8>,
}

impl Stream {
    /// Whether somebody's eyes, or a program, may be at the other end.
    pub fn has_reader(&self) -> bool {
        !matches!(self.identity.kind, StreamKind::Closed | StreamKind::Null)
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.identity.kind)?;
        if !self.link.is_empty() {
            return write!(f, " {}", self.link.escape_ascii());
        }
        match self.identity.kind {
            StreamKind::Closed | StreamKind::Null => Ok(()),
            _ => write!(f, " {}:{}", self.identity.device, self.identity.inode),
        }
    }
}

/// What a character device with this number is (Documentation/admin-guide/devices.txt of the kernel).
#[cfg(target_os = "linux")]
fn device_kind(number: u64) -> StreamKind {
    match (rustix::fs::major(number), rustix::fs::minor(number)) {
        (1, 3) => StreamKind::Null,
        (PTY_SLAVES | 4, _) | (5, 0 | 1) => StreamKind::Terminal,
        _ => StreamKind::Other,
    }
}

/// What a character device with this number is: /dev/null is 3, 2 (`bsd/dev/memdev.c`). Terminals that are no
/// pseudo-terminals are left to isatty(3).
#[cfg(target_os = "macos")]
fn device_kind(number: u64) -> StreamKind {
    match (number >> 24 & 0xff, number & 0x00ff_ffff) {
        (3, 2) => StreamKind::Null,
        _ if crate::sys::libproc::slave_unit(number).is_some() => StreamKind::Terminal,
        _ => StreamKind::Other,
    }
}

/// Always `Other`: device numbers differ from system to system, so neither a terminal nor /dev/null is known.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn device_kind(_: u64) -> StreamKind {
    StreamKind::Other
}

/// Number of the pseudo-terminal whose slave this device is.
#[cfg(target_os = "linux")]
pub fn pty_number(device: u64) -> Option<u32> {
    (rustix::fs::major(device) == PTY_SLAVES).then(|| rustix::fs::minor(device))
}

/// Major device number of pseudo-terminals' slaves.
#[cfg(target_os = "linux")]
const PTY_SLAVES: u32 = 136;

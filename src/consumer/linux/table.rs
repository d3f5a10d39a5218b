//! Descriptor tables of other processes: /proc/PID/fd, one `readlink` a descriptor.

use super::procfs::{each_number, path, read_piece};
use crate::consumer::stream::Stream;
use rustix::fs::readlinkat_raw;
use rustix::io::Errno;
use std::mem::MaybeUninit;

/// What a table is searched for.
pub enum Target {
    Nothing,
    Link(Vec<u8>),
    /// The master of the pseudo-terminal with this number.
    PtyMaster(u32),
}

impl Target {
    fn fits(&self, link: &[u8]) -> bool {
        match self {
            Self::Nothing => false,
            Self::Link(wanted) => link == wanted,
            Self::PtyMaster(_) => link.ends_with(b"ptmx"),
        }
    }
}

/// Descriptors whose link fits a target, each behind the target's index.
pub type Fitting = Vec<(usize, i32)>;

/// Searches a process's table for the targets of all streams in one pass.
///
/// From inside another user namespace the directory can be listed, but no link can be read: that is an error, never
/// an empty answer.
pub fn search(pid: i32, sought: &[(Target, Stream)]) -> Result<Fitting, Errno> {
    let mut found = Vec::new();
    let mut buffer = [MaybeUninit::uninit(); 4096];
    each_number(&path(pid, "fd"), |folder, name, descriptor| {
        match readlinkat_raw(folder, name, &mut buffer) {
            Ok((link, _)) => {
                let fitting = sought.iter().enumerate().filter(|(_, (target, _))| target.fits(link));
                found.extend(fitting.map(|(target, _)| (target, descriptor)));
                Ok(())
            }
            Err(Errno::NOENT) => Ok(()), // closed since it was listed
            Err(error) => Err(error),
        }
    })?;
    Ok(found)
}

/// The content of /proc/PID/fdinfo/FD.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Flags of open(2), if told.
    pub flags: Option<u32>,
    /// Number of the pseudo-terminal whose master it is.
    pub pty: Option<u32>,
    /// Offset, mount and inode as text: two descriptors of one open file agree in all of it.
    pub place: Vec<u8>,
}

impl Info {
    /// Reads the file; empty where it cannot be read.
    pub fn of(pid: i32, descriptor: i32) -> Self {
        let mut buffer = [MaybeUninit::uninit(); 1024];
        let path = path(pid, format_args!("fdinfo/{descriptor}"));
        read_piece(&path, &mut buffer).map_or_else(|_| Self::default(), Self::parse)
    }

    pub(super) fn parse(text: &[u8]) -> Self {
        let mut info = Self::default();
        for line in text.split(|&b| b == b'\n') {
            let Some(colon) = memchr::memchr(b':', line) else { continue };
            let value = std::str::from_utf8(&line[colon + 1..]).unwrap_or_default().trim_ascii();
            match &line[..colon] {
                b"flags" => info.flags = u32::from_str_radix(value, 8).ok(),
                b"tty-index" => info.pty = value.parse().ok(),
                b"pos" | b"mnt_id" | b"ino" => {
                    info.place.extend_from_slice(value.as_bytes());
                    info.place.push(b' ');
                }
                _ => {}
            }
        }
        info
    }

    /// Whether that descriptor can be read from; `false` where it is not known.
    pub fn reads(&self) -> bool {
        self.flags.is_some_and(|flags| matches!(flags & ACCESS_MODE, READ_ONLY | READ_WRITE))
    }

    /// Whether that descriptor can be written to; `false` where it is not known.
    pub fn writes(&self) -> bool {
        self.flags.is_some_and(|flags| flags & ACCESS_MODE != READ_ONLY)
    }

    /// Whether these two descriptors are certainly of one open file description. Only an offset other than 0 proves
    /// it.
    pub fn same_open_file(&self, other: &Self) -> bool {
        let shared = |info: &Self| info.flags.map(|flags| flags & !CLOSE_ON_EXEC);
        shared(self).is_some()
            && shared(self) == shared(other)
            && self.place == other.place
            && !self.place.starts_with(b"0 ")
    }
}

// Values of open(2) as fdinfo prints them, the same on every architecture of Linux.
const ACCESS_MODE: u32 = 0o3;
const READ_ONLY: u32 = 0o0;
const READ_WRITE: u32 = 0o2;
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

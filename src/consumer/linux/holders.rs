//! Finds out who holds the other end of a stream: the descriptor tables of /proc/PID/fd, one `readlink` a descriptor.

use super::{each_number, path, read_piece, sock_diag};
use crate::consumer::answers::{End, Holds};
use crate::consumer::stream::{Fd, Identity, Stream, StreamKind, pty_number};
use crate::sys::{kin::own_pid, peek};
use rustix::fs::readlinkat_raw;
use rustix::io::Errno;
use std::mem::MaybeUninit;

// Values of open(2) as fdinfo prints them, the same on every architecture of Linux.
const ACCESS_MODE: u32 = 0o3;
const READ_ONLY: u32 = 0o0;
const READ_WRITE: u32 = 0o2;
// On SPARC and Alpha it is another.
pub const APPEND: u32 = 0o2000;
const CLOSE_ON_EXEC: u32 = 0o2_000_000;

/// Descriptor tables of other processes, each read once for all streams in question.
pub struct Holders {
    sought: Vec<(Target, Stream)>,
    tables: Vec<(i32, Result<Fitting, Errno>)>,
}

impl Holders {
    pub fn of(streams: Vec<Stream>) -> Self {
        let sought = streams.into_iter().map(|stream| (target(&stream), stream)).collect();
        Self { sought, tables: Vec::new() }
    }

    /// Whether the process holds the other end of the stream at this descriptor of ours.
    pub fn holds(&mut self, process: i32, fd: Fd) -> Holds {
        let Some(index) = self.sought.iter().position(|(_, stream)| stream.fd == fd) else {
            return Holds::No;
        };
        let (target, stream) = &self.sought[index];
        let read = self.tables.iter().position(|(pid, _)| *pid == process).unwrap_or_else(|| {
            self.tables.push((process, search(process, &self.sought)));
            self.tables.len() - 1
        });
        match &self.tables[read].1 {
            Ok(entries) => {
                let fitting = entries.iter().filter(|(fits, _)| *fits == index).map(|(_, number)| *number);
                let descriptors: Vec<i32> =
                    fitting.filter(|number| leads_to(stream, process, *number, target)).collect();
                match target {
                    _ if !descriptors.is_empty() => Holds::Descriptors(descriptors),
                    // Where sock_diag is blind, the maker of the sockets is the next best witness.
                    Target::Nothing if made_by(process, stream) => Holds::Creator,
                    _ => Holds::No,
                }
            }
            Err(_) if made_by(process, stream) => Holds::Creator,
            Err(_) => Holds::Unreadable,
        }
    }

    /// Whether the process holds that end of the stream at this descriptor of ours, by whatever descriptor of its
    /// own.
    ///
    /// With `leaked` every child has inherited that end, so that only standard input counts. `None` where the
    /// process's descriptors cannot be read.
    pub fn has_end(&self, process: i32, fd: Fd, end: End, leaked: bool) -> Option<bool> {
        let index = self.sought.iter().position(|(_, stream)| stream.fd == fd)?;
        let is_pipe = self.sought[index].1.identity.kind == StreamKind::Pipe;
        let has = |&(_, descriptor): &(usize, i32)| {
            (descriptor == 0 || !leaked) && (!is_pipe || Info::of(process, descriptor).has(end))
        };
        match search(process, &self.sought[index..=index]) {
            Ok(entries) => Some(entries.iter().any(has)),
            Err(Errno::NOENT | Errno::SRCH) => Some(false), // it has ended
            Err(_) => None,
        }
    }
}

/// What a table is searched for.
enum Target {
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
type Fitting = Vec<(usize, i32)>;

/// Searches a process's table for the targets of all streams in one pass.
///
/// From inside another user namespace the directory can be listed, but no link can be read: that is an error, never
/// an empty answer.
fn search(pid: i32, sought: &[(Target, Stream)]) -> Result<Fitting, Errno> {
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

    pub fn parse(text: &[u8]) -> Self {
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

    /// Whether that descriptor can be read from, or written to; `false` where it is not known.
    fn has(&self, end: End) -> bool {
        self.flags.is_some_and(|flags| match end {
            End::Reading => matches!(flags & ACCESS_MODE, READ_ONLY | READ_WRITE),
            End::Writing => flags & ACCESS_MODE != READ_ONLY,
        })
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

fn target(stream: &Stream) -> Target {
    let identity = &stream.identity;
    match identity.kind {
        StreamKind::Pipe | StreamKind::File if !stream.link.is_empty() => Target::Link(stream.link.clone()),
        // unix(7) sockets have inode numbers of 32 bits
        StreamKind::Socket => match sock_diag::unix_peer(identity.inode as u32) {
            Some(peer) => Target::Link(format!("socket:[{peer}]").into_bytes()),
            None => Target::Nothing,
        },
        StreamKind::Terminal => pty_number(identity.special).map_or(Target::Nothing, Target::PtyMaster),
        _ => Target::Nothing,
    }
}

/// Whether that descriptor, whose link fits, really is the other end of the stream.
fn leads_to(stream: &Stream, pid: i32, descriptor: i32, target: &Target) -> bool {
    match (stream.identity.kind, target) {
        (StreamKind::Pipe, _) => Info::of(pid, descriptor).has(End::Reading),
        (StreamKind::Socket, _) => true,
        (StreamKind::Terminal, Target::PtyMaster(number)) => Info::of(pid, descriptor).pty == Some(*number),
        (StreamKind::File, _) => same_open_file(stream, pid, descriptor),
        _ => false,
    }
}

fn same_open_file(stream: &Stream, pid: i32, descriptor: i32) -> bool {
    let number = stream.fd.number();
    let owner = stream.owner.unwrap_or_else(own_pid);
    peek::same_open_file(owner, number, pid, descriptor)
        .unwrap_or_else(|_| Info::of(owner, number).same_open_file(&Info::of(pid, descriptor)))
}

/// Whether the kernel names the process as the maker of our socket.
fn made_by(pid: i32, stream: &Stream) -> bool {
    let is_own_socket = stream.identity.kind == StreamKind::Socket && stream.owner.is_none();
    is_own_socket && peek::socket_creator(stream.fd.borrow()).is_ok_and(|maker| maker == pid)
}

/// Whether one of these descriptors of a process leads to the same stream; `None` where that cannot be read.
pub fn shares(process: i32, descriptors: &[Fd], identity: &Identity) -> Option<bool> {
    let mut same = false;
    for descriptor in descriptors {
        match rustix::fs::stat(path(process, format_args!("fd/{}", descriptor.number()))) {
            Ok(stat) => same |= Identity::new(&stat).is(identity),
            Err(Errno::ACCESS | Errno::PERM) => return None,
            Err(_) => {}
        }
    }
    Some(same)
}

//! Finds out who holds the other end of a stream.

use super::procfs::path;
use super::sock_diag;
use super::table::{Fitting, Info, Target, search};
use crate::consumer::answers::{End, Holds};
use crate::consumer::stream::{Fd, Identity, Kind, Stream, pty_number};
use crate::sys::{kin::own_pid, peek};
use rustix::io::Errno;

/// Descriptor tables of other processes, each read once for all streams in question.
pub struct Holders {
    sought: Vec<(Target, Stream)>,
    tables: Vec<(i32, Result<Fitting, Errno>)>,
}

impl Holders {
    /// Prepares to look for the holders of these streams.
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
        let is_pipe = self.sought[index].1.identity.kind == Kind::Pipe;
        let has = |&(_, descriptor): &(usize, i32)| {
            let info = || Info::of(process, descriptor);
            (descriptor == 0 || !leaked)
                && match end {
                    End::Reading if is_pipe => info().reads(),
                    End::Writing if is_pipe => info().writes(),
                    _ => true,
                }
        };
        match search(process, &self.sought[index..=index]) {
            Ok(entries) => Some(entries.iter().any(has)),
            Err(Errno::NOENT | Errno::SRCH) => Some(false), // it has ended
            Err(_) => None,
        }
    }
}

fn target(stream: &Stream) -> Target {
    let identity = &stream.identity;
    match identity.kind {
        Kind::Pipe | Kind::File if !stream.link.is_empty() => Target::Link(stream.link.clone()),
        // unix(7) sockets have inode numbers of 32 bits
        Kind::Socket => match sock_diag::unix_peer(identity.inode as u32) {
            Some(peer) => Target::Link(format!("socket:[{peer}]").into_bytes()),
            None => Target::Nothing,
        },
        Kind::Terminal => pty_number(identity.special).map_or(Target::Nothing, Target::PtyMaster),
        _ => Target::Nothing,
    }
}

/// Whether that descriptor, whose link fits, really is the other end of the stream.
fn leads_to(stream: &Stream, pid: i32, descriptor: i32, target: &Target) -> bool {
    match (stream.identity.kind, target) {
        (Kind::Pipe, _) => Info::of(pid, descriptor).reads(),
        (Kind::Socket, _) => true,
        (Kind::Terminal, Target::PtyMaster(number)) => Info::of(pid, descriptor).pty == Some(*number),
        (Kind::File, _) => same_open_file(stream, pid, descriptor),
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
    let is_own_socket = stream.identity.kind == Kind::Socket && stream.owner.is_none();
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

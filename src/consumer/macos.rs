//! Processes and their open files on macOS: libproc, `KERN_PROCARGS2`, `LOCAL_PEERPID`. Compiled, never run.

use super::holds::{End, Holds, How};
use super::process::{Comm, Process, Stat};
use super::stream::{Fd, Identity, Kind, Stream};
use crate::sys::libproc;
use std::ffi::c_char;
use std::os::unix::fs::MetadataExt;

/// Major device numbers of <sys/conf.h>: terminals' slaves, and the memory devices with /dev/null.
const TERMINALS: u64 = 16;
const MEMORY: u64 = 3;
const NULL: u64 = 2;

/// Streams whose holders are asked for.
pub struct Holders(Vec<Stream>);

impl Holders {
    /// Takes the streams.
    pub fn of(streams: Vec<Stream>) -> Self {
        Self(streams)
    }

    fn kind(&self, fd: Fd) -> Option<&Identity> {
        self.0.iter().find(|stream| stream.fd == fd).map(|stream| &stream.identity)
    }

    /// Does the process hold the other end?
    pub fn holds(&mut self, process: i32, fd: Fd) -> Holds {
        let Some(identity) = self.kind(fd) else { return Holds::No };
        if identity.kind == Kind::Socket {
            let peer = libproc::socket_peer(fd.borrow());
            return if peer == Some(process) { Holds::Yes(How::Creator) } else { Holds::No };
        }
        let Some(descriptors) = libproc::descriptors(process) else { return Holds::Unreadable };
        let ends: Vec<i32> =
            descriptors.into_iter().filter(|&number| is_other_end(process, number, fd, identity)).collect();
        if ends.is_empty() { Holds::No } else { Holds::Yes(How::Descriptors(ends)) }
    }

    /// Does the process hold the other end, by whatever descriptor?
    pub fn has_end(&self, process: i32, fd: Fd, _: End, leaked: bool) -> Option<bool> {
        let identity = self.kind(fd)?;
        if identity.kind == Kind::Socket {
            return Some(false); // the kernel names one holder, and that was the agent
        }
        let descriptors = libproc::descriptors(process)?;
        Some(
            descriptors
                .into_iter()
                .any(|number| (number == 0 || !leaked) && is_other_end(process, number, fd, identity)),
        )
    }
}

fn is_other_end(process: i32, number: i32, fd: Fd, identity: &Identity) -> bool {
    let ourselves = std::process::id() as i32;
    match identity.kind {
        Kind::Pipe => {
            let other = libproc::pipe(ourselves, fd.number()).map(|(_, peer)| peer);
            other.is_some() && libproc::pipe(process, number).map(|(end, _)| end) == other
        }
        Kind::Terminal => {
            // The master of unit N has the major number of /dev/ptmx and the minor number N.
            let Ok(masters) = std::fs::metadata("/dev/ptmx") else { return false };
            libproc::vnode(process, number).is_some_and(|vnode| {
                let device = u64::from(vnode.vst_rdev);
                major(device) == major(masters.rdev()) && minor(device) == minor(identity.special)
            })
        }
        _ => false,
    }
}

fn major(device: u64) -> u64 {
    device >> 24 & 0xff
}

fn minor(device: u64) -> u64 {
    device & 0x00ff_ffff
}

/// Can processes be seen? Always.
pub fn shows_us(_: i32) -> bool {
    true
}

/// Parent, name, terminal, start.
pub fn stat(pid: i32) -> Option<Stat> {
    let info = libproc::bsd_info(pid)?;
    let comm = Comm::new(&info.pbi_comm.map(c_char::cast_unsigned));
    let started = info.pbi_start_tvsec * 100 + info.pbi_start_tvusec / 10_000;
    let session = rustix::process::getsid(rustix::process::Pid::from_raw(pid))
        .map_or(0, |session| session.as_raw_nonzero().get());
    let (parent, terminal) = (info.pbi_ppid as i32, info.e_tdev as i32);
    Some(Stat { comm, parent, session, terminal, started, asleep: None })
}

/// The arguments, each followed by NUL.
pub fn arguments(pid: i32) -> Option<Vec<u8>> {
    split(&libproc::program_area(pid)?).map(|(arguments, _)| arguments.to_vec())
}

/// The environment that it was started with.
pub fn environment(pid: i32) -> Option<Vec<u8>> {
    split(&libproc::program_area(pid)?).map(|(_, environment)| environment.to_vec())
}

/// Arguments and environment, each entry followed by NUL; an empty entry ends the environment.
fn split(area: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = area.split_first_chunk()?;
    let path_end = memchr::memchr(0, rest)?;
    let padding = rest[path_end..].iter().position(|&b| b != 0)?;
    let strings = &rest[path_end + padding..];
    let mut ends = memchr::memchr_iter(0, strings);
    let middle = ends.nth(usize::try_from(i32::from_ne_bytes(*count)).ok()?.checked_sub(1)?)? + 1;
    let environment = &strings[middle..];
    let end = memchr::memmem::find(environment, b"\0\0").map_or(environment.len(), |at| at + 1);
    Some((&strings[..middle], &environment[..end]))
}

/// Process ids of its children.
pub fn children(pid: i32) -> Option<Vec<i32>> {
    libproc::children(pid)
}

/// Nobody: orphans are not looked after here.
pub fn everybody() -> Vec<i32> {
    Vec::new()
}

/// Does the process write its own output to the same file or terminal? Not known of pipes and sockets.
pub fn relays(process: &Process, identity: &Identity) -> Option<bool> {
    if process.is_ourselves() {
        return Some(true);
    }
    let same = |number| {
        let vnode = libproc::vnode(process.pid, number)?;
        Some((u64::from(vnode.vst_dev), vnode.vst_ino) == (identity.device, identity.inode))
    };
    match (same(1), same(2)) {
        (None, None) => None,
        (out, err) => Some(out == Some(true) || err == Some(true)),
    }
}

/// Is the process's standard input ours? Not known of sockets.
pub fn shares_input(process: &Process, _: &Identity) -> Option<bool> {
    let input = |pid| libproc::pipe(pid, 0).map(|(end, _)| end);
    Some(input(process.pid)? == input(std::process::id() as i32)?)
}

/// The path of a file of ours.
pub fn link(descriptor: i32) -> Vec<u8> {
    let fd = match descriptor {
        1 => rustix::stdio::stdout(),
        2 => rustix::stdio::stderr(),
        _ => return Vec::new(),
    };
    rustix::fs::getpath(fd).map(std::ffi::CString::into_bytes).unwrap_or_default()
}

/// Not kept by the kernel in this form.
pub fn exec_path() -> Option<&'static [u8]> {
    None
}

/// What a character device with this number is.
pub fn device_kind(number: u64) -> Kind {
    match (major(number), minor(number)) {
        (MEMORY, NULL) => Kind::Null,
        (TERMINALS, _) => Kind::Terminal,
        _ => Kind::Other,
    }
}

/// Cannot be read.
pub fn descriptor(_: i32, _: i32) -> Option<(Identity, Vec<u8>)> {
    None
}

/// Not known.
pub fn executable(_: i32) -> Option<Vec<u8>> {
    None
}

/// Not known.
pub fn appends(_: i32, _: i32) -> bool {
    false
}

/// Not known.
pub fn is_reading(_: i32, _: &[i32]) -> bool {
    false
}

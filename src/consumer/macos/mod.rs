//! Processes and their open files on macOS: libproc and `KERN_PROCARGS2`. Compiled for macOS, never run there; on Linux
//! `simulated.rs` plays the kernel, and the cases of the consumer matrix run against that.

#[cfg(all(target_os = "linux", debug_assertions))]
#[path = "../../../tests/unit/consumer/macos/simulated.rs"]
mod simulated;

use rustix::io::Errno;

use super::answers::{End, Holds, Stat, comm};
use super::stream::{Fd, Identity, Kind, Stream};
// Not read yet: nothing is proved of another process's streams here, so that no pipe is a window.
pub use super::unsupported::{appends, descriptor, executable, is_reading};
use crate::sys::kin::own_pid;
use crate::sys::libproc::layout::{
    self, BsdInfo, Descriptor, FileInfo, PipeInfo, Plain, ShortBsdInfo, SocketInfo, VnodeInfo,
};
use crate::sys::libproc::{Kernel, Side};
use crate::sys::session;

/// Most descriptors or processes that are listed, more than anybody has; a list of this length may have been cut,
/// and proves nothing.
const MOST: usize = 16 << 10;
/// Largest size of arguments and environment together, in bytes; the kernel takes no more (`ARG_MAX`).
const LARGEST_AREA: usize = 1 << 20;

fn kernel() -> &'static dyn Kernel {
    #[cfg(target_os = "macos")]
    return &crate::sys::libproc::Xnu;
    #[cfg(not(target_os = "macos"))]
    return &simulated::Simulated;
}

/// What tells the other end of a stream of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Other {
    /// The handle of a pipe's other end.
    Pipe(u64),
    /// The address of the socket that ours is connected to.
    Socket(u64),
    /// The master of the pseudo-terminal with this unit.
    Master(u32),
    /// The very same open file: an offset other than 0 proves it.
    File(FileInfo, (u32, u64)),
}

/// Streams whose holders are asked for, each with what leads to its other end.
pub struct Holders(Vec<(Fd, Option<Other>)>);

impl Holders {
    /// Prepares to look for the holders of these streams.
    pub fn of(streams: Vec<Stream>) -> Self {
        Self(streams.into_iter().map(|stream| (stream.fd, other_end(&stream))).collect())
    }

    /// Whether the process holds the other end.
    pub fn holds(&mut self, process: i32, fd: Fd) -> Holds {
        let Some((_, other)) = self.0.iter().find(|(known, _)| *known == fd) else { return Holds::No };
        let Some(other) = other else { return Holds::Unreadable };
        match ends(process, other) {
            Ok(ends) if ends.is_empty() => Holds::No,
            Ok(ends) => Holds::Descriptors(ends),
            Err(_) => Holds::Unreadable,
        }
    }

    /// Whether the process holds the other end, by whatever descriptor. Each end of a pipe has a handle of its own
    /// here. With `leaked` every child has inherited that end, so that only standard input counts. `None` where the
    /// process's descriptors cannot be read.
    pub fn has_end(&self, process: i32, fd: Fd, _: End, leaked: bool) -> Option<bool> {
        let (_, other) = self.0.iter().find(|(known, _)| *known == fd)?;
        match ends(process, other.as_ref()?) {
            Ok(ends) => Some(ends.iter().any(|number| *number == 0 || !leaked)),
            Err(Errno::SRCH) => Some(false), // it has ended
            Err(_) => None,
        }
    }
}

fn other_end(stream: &Stream) -> Option<Other> {
    let (own, number) = (own_pid(), stream.fd.number());
    match stream.identity.kind {
        Kind::Pipe => pipe(own, number).ok().map(|info| Other::Pipe(info.pipe_peerhandle)),
        Kind::Socket => {
            socket(own, number).ok().filter(is_connected).map(|info| Other::Socket(info.unsi_conn_so))
        }
        Kind::Terminal => kernel().terminal_unit(stream.identity.special, Side::Slave).map(Other::Master),
        Kind::File => vnode(own, number).ok().map(|info| Other::File(info.pfi, place(&info))),
        _ => None,
    }
}

/// The descriptors of a process that are the other end.
fn ends(process: i32, other: &Other) -> Result<Vec<i32>, Errno> {
    let kind = match other {
        Other::Pipe(_) => layout::PIPE,
        Other::Socket(_) => layout::SOCKET,
        Other::Master(_) | Other::File(..) => layout::VNODE,
    };
    let mut found = Vec::new();
    for Descriptor { proc_fd, proc_fdtype } in descriptors(process)? {
        if proc_fdtype != kind {
            continue;
        }
        let is_it = match other {
            Other::Pipe(handle) => pipe(process, proc_fd).map(|info| info.pipe_handle == *handle),
            Other::Socket(address) => socket(process, proc_fd).map(|info| info.soi_so == *address),
            Other::Master(unit) => vnode(process, proc_fd).map(|info| {
                kernel().terminal_unit(info.vi_stat.vst_rdev.into(), Side::Master) == Some(*unit)
            }),
            Other::File(open, at) => vnode(process, proc_fd).map(|info| {
                place(&info) == *at
                    && info.pfi.fi_offset == open.fi_offset
                    && open.fi_offset != 0
                    && info.pfi.fi_openflags == open.fi_openflags
            }),
        };
        match is_it {
            Ok(true) => found.push(proc_fd),
            // Since it was listed, it was closed or became something else.
            Ok(false) | Err(Errno::BADF | Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

fn is_connected(info: &SocketInfo) -> bool {
    info.soi_kind == layout::LOCAL && info.unsi_conn_so != 0
}

fn place(info: &VnodeInfo) -> (u32, u64) {
    (info.vi_stat.vst_dev, info.vi_stat.vst_ino)
}

/// The structure that the kernel writes as its answer.
fn answer<T: Plain>(ask: impl FnOnce(&mut [u8]) -> Result<usize, Errno>) -> Result<T, Errno> {
    let mut buffer = vec![0; size_of::<T>()];
    let written = ask(&mut buffer)?;
    layout::read(&buffer[..written.min(buffer.len())]).ok_or(Errno::BADF)
}

fn pipe(process: i32, number: i32) -> Result<PipeInfo, Errno> {
    answer(|buffer| kernel().descriptor(process, number, layout::PIPE_INFO, buffer))
}

fn socket(process: i32, number: i32) -> Result<SocketInfo, Errno> {
    answer(|buffer| kernel().descriptor(process, number, layout::SOCKET_INFO, buffer))
}

fn vnode(process: i32, number: i32) -> Result<VnodeInfo, Errno> {
    answer(|buffer| kernel().descriptor(process, number, layout::VNODE_INFO, buffer))
}

/// Open descriptors, each with its type.
fn descriptors(process: i32) -> Result<Vec<Descriptor>, Errno> {
    let entry = size_of::<Descriptor>();
    let mut buffer = vec![0; MOST * entry];
    let written = kernel().process(process, layout::LIST_DESCRIPTORS, &mut buffer)?;
    if written >= buffer.len() {
        return Err(Errno::NOMEM);
    }
    Ok(buffer[..written].chunks_exact(entry).filter_map(layout::read).collect())
}

/// Always true: processes can be seen.
pub fn shows_us(_: i32) -> bool {
    true
}

/// Name, parent, session, terminal and start of a process; of another user's (login, sudo) only name, parent and
/// session.
pub fn stat(pid: i32) -> Option<Stat> {
    let session = session::of(pid).unwrap_or_default();
    if let Ok(info) = answer::<BsdInfo>(|buffer| kernel().process(pid, layout::BSD_INFO, buffer)) {
        return Some(Stat {
            comm: name(&info.pbi_comm),
            parent: info.pbi_ppid as i32,
            session,
            terminal: info.e_tdev as i32,
            started: info.pbi_start_tvsec * 100 + info.pbi_start_tvusec / 10_000,
            asleep: None,
        });
    }
    let info: ShortBsdInfo = answer(|buffer| kernel().process(pid, layout::SHORT_BSD_INFO, buffer)).ok()?;
    Some(Stat { comm: name(&info.pbsi_comm), parent: info.pbsi_ppid as i32, session, ..Stat::default() })
}

/// The name up to its first NUL.
fn name(bytes: &[u8]) -> Vec<u8> {
    comm(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
}

/// The arguments, each followed by NUL.
pub fn arguments(pid: i32) -> Option<Vec<u8>> {
    program_area(pid).map(|(arguments, _)| arguments)
}

/// The environment that a process was started with; `None` where the kernel shows none, as for the system's own
/// programs under System Integrity Protection.
pub fn environment(pid: i32) -> Option<Vec<u8>> {
    program_area(pid).map(|(_, environment)| environment).filter(|environment| !environment.is_empty())
}

fn program_area(pid: i32) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut area = vec![0; LARGEST_AREA];
    let written = kernel().program_area(pid, &mut area).ok()?;
    split(area.get(..written)?)
}

/// Splits the area into arguments and environment, each entry followed by NUL. A title that was written over the
/// arguments leaves NULs behind it, which are no arguments. The environment ends at the first entry without `=`,
/// the empty one; behind it the loader's own strings may stand.
fn split(area: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (count, rest) = area.split_first_chunk()?;
    let count = usize::try_from(i32::from_ne_bytes(*count)).ok()?;
    let path_end = memchr::memchr(0, rest)?;
    let strings = &rest[path_end + rest[path_end..].iter().position(|byte| *byte != 0)?..];
    let middle = match count.checked_sub(1) {
        Some(last) => memchr::memchr_iter(0, strings).nth(last)? + 1,
        None => 0,
    };
    let ended = |entry: &[u8]| [entry, b"\0"].concat();
    let arguments = strings[..middle].split(|byte| *byte == 0).filter(|argument| !argument.is_empty());
    let behind = &strings[middle..];
    let begin = behind.iter().position(|byte| *byte != 0).unwrap_or(behind.len());
    let entries =
        behind[begin..].split(|byte| *byte == 0).take_while(|entry| memchr::memchr(b'=', entry).is_some());
    Some((arguments.flat_map(ended).collect(), entries.flat_map(ended).collect()))
}

/// Process ids of a process's children; `None` where they cannot be read.
pub fn children(pid: i32) -> Option<Vec<i32>> {
    list(Some(pid))
}

/// Every process that can be seen.
pub fn everybody() -> Vec<i32> {
    list(None).unwrap_or_default()
}

fn list(of: Option<i32>) -> Option<Vec<i32>> {
    let mut buffer = vec![0; MOST];
    let count = match kernel().list(of, &mut buffer) {
        Ok(count) if count < MOST => count,
        Err(Errno::SRCH) => 0,
        Ok(_) | Err(_) => return None,
    };
    buffer.truncate(count);
    buffer.retain(|pid| *pid > 0);
    Some(buffer)
}

/// Whether one of these descriptors of a process leads to the same stream as one of ours does; `None` where that
/// cannot be read.
pub fn shares(process: i32, descriptors: &[Fd], identity: &Identity) -> Option<bool> {
    let own = descriptors.iter().find(|fd| Identity::of(**fd).is(identity))?;
    let own = what_is(own_pid(), own.number()).ok()??;
    let mut same = false;
    for fd in descriptors {
        match what_is(process, fd.number()) {
            Ok(other) => same |= other == Some(own),
            Err(Errno::BADF | Errno::SRCH) => {}
            Err(_) => return None,
        }
    }
    Some(same)
}

/// What a descriptor leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    Pipe(u64),
    Socket(u64),
    Vnode(u32, u64, u32),
}

fn what_is(process: i32, number: i32) -> Result<Option<Thing>, Errno> {
    let Some(entry) = descriptors(process)?.into_iter().find(|entry| entry.proc_fd == number) else {
        return Err(Errno::BADF);
    };
    Ok(match entry.proc_fdtype {
        layout::PIPE => Some(Thing::Pipe(pipe(process, number)?.pipe_handle)),
        layout::SOCKET => Some(Thing::Socket(socket(process, number)?.soi_so)),
        layout::VNODE => {
            let stat = vnode(process, number)?.vi_stat;
            Some(Thing::Vnode(stat.vst_dev, stat.vst_ino, stat.vst_rdev))
        }
        _ => None,
    })
}

/// Always true: the system's own programs, `/bin/zsh` for one, hide their environment. Ours, a descendant's, stands
/// for it.
pub fn hides_environments() -> bool {
    true
}

/// The path of a file of ours, links resolved (`/private/tmp`); empty for a pipe.
#[cfg(target_os = "macos")]
pub fn link(fd: Fd) -> Vec<u8> {
    rustix::fs::getpath(fd.borrow()).map(std::ffi::CString::into_bytes).unwrap_or_default()
}

/// The path by which this program was started.
#[cfg(target_os = "macos")]
pub fn exec_path() -> Option<&'static [u8]> {
    use std::os::unix::ffi::OsStringExt as _;
    static PATH: once_cell::sync::Lazy<Option<Vec<u8>>> = once_cell::sync::Lazy::new(|| {
        std::env::current_exe().ok().map(|path| path.into_os_string().into_vec())
    });
    PATH.as_deref()
}

#[cfg(test)]
#[path = "../../../tests/unit/consumer/macos.rs"]
mod tests;

//! Processes and their open files on macOS: libproc and `KERN_PROCARGS2`. Compiled for macOS, never run there; on Linux
//! `simulated.rs` plays the kernel, and the cases of the consumer matrix run against that.

mod layout;
#[cfg(all(target_os = "linux", debug_assertions))]
#[path = "../../../tests/unit/consumer/macos/simulated.rs"]
mod simulated;

use rustix::io::Errno;

use super::answers::{End, Holds, Stat, comm};
use super::stream::{Fd, Identity, Stream, StreamKind};
// Not read yet: nothing is proved of another process's streams here, so that no pipe is a window.
pub use super::unsupported::{appends, descriptor, executable, is_reading};
use crate::sys::kin::own_pid;
#[cfg(target_os = "macos")]
use crate::sys::libproc as kernel;
use crate::sys::session;
use layout::Structure;
#[cfg(not(target_os = "macos"))]
use simulated as kernel;

/// Most descriptors or processes that are listed, more than anybody has; a list of this length may have been cut,
/// and proves nothing.
const MOST: usize = 16 << 10;
/// Largest size of arguments and environment together, in bytes; the kernel takes no more (`ARG_MAX`).
const LARGEST_AREA: usize = 1 << 20;

/// What a descriptor leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thing {
    /// The handle of this end of a pipe.
    Pipe(u64),
    /// The address of a socket.
    Socket(u64),
    /// Device, inode, and the device's own number; offset and flags of the open file.
    Vnode([u64; 3], [u64; 2]),
    /// The master of the pseudo-terminal with this unit: only as what is looked for.
    Master(u64),
}

impl Thing {
    /// The type of such a descriptor.
    fn kind(self) -> u32 {
        match self {
            Self::Pipe(_) => layout::PIPE,
            Self::Socket(_) => layout::SOCKET,
            Self::Vnode(..) | Self::Master(_) => layout::VNODE,
        }
    }

    /// Whether that descriptor leads to this other end. Of a file an offset other than 0 proves it. `/dev/ptmx` has the
    /// major number 15; the minor number is the unit.
    fn is_led_to(self, found: Self) -> bool {
        match (self, found) {
            (Self::Master(unit), Self::Vnode([.., device], _)) => device == 15 << 24 | unit,
            (Self::Vnode(_, [offset, _]), _) => found == self && offset != 0,
            _ => found == self,
        }
    }
}

/// Streams whose holders are asked for, each with its other end.
pub struct Holders(Vec<(Fd, Option<Thing>)>);

impl Holders {
    pub fn of(streams: Vec<Stream>) -> Self {
        Self(streams.into_iter().map(|stream| (stream.fd, other_end(&stream))).collect())
    }

    pub fn holds(&mut self, process: i32, fd: Fd) -> Holds {
        let Some((_, other)) = self.0.iter().find(|(known, _)| *known == fd) else { return Holds::No };
        let Some(other) = other else { return Holds::Unreadable };
        match ends(process, *other) {
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
        match ends(process, (*other)?) {
            Ok(ends) => Some(ends.iter().any(|number| *number == 0 || !leaked)),
            Err(Errno::SRCH) => Some(false), // it has ended
            Err(_) => None,
        }
    }
}

fn other_end(stream: &Stream) -> Option<Thing> {
    let (own, number) = (own_pid(), stream.fd.number());
    match stream.identity.kind {
        StreamKind::Pipe => Some(Thing::Pipe(
            Answer::of_descriptor(own, number, layout::PIPE_INFO).ok()?.u64(layout::PIPE_PEER),
        )),
        StreamKind::Socket => {
            let info = Answer::of_descriptor(own, number, layout::SOCKET_INFO).ok()?;
            let peer = info.u64(layout::SOCKET_PEER);
            (info.u32(layout::SOCKET_KIND) == layout::LOCAL && peer != 0).then_some(Thing::Socket(peer))
        }
        StreamKind::Terminal => {
            kernel::slave_unit(stream.identity.special).map(|unit| Thing::Master(unit.into()))
        }
        StreamKind::File => what_is(own, number, layout::VNODE).ok().flatten(),
        _ => None,
    }
}

/// The descriptors of a process that are the other end.
fn ends(process: i32, other: Thing) -> Result<Vec<i32>, Errno> {
    let mut found = Vec::new();
    for (number, kind) in descriptors(process)? {
        if kind != other.kind() {
            continue;
        }
        match what_is(process, number, kind) {
            Ok(thing) if thing.is_some_and(|thing| other.is_led_to(thing)) => found.push(number),
            // Since it was listed, it was closed or became something else.
            Ok(_) | Err(Errno::BADF | Errno::NOENT) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// A structure that the kernel wrote as its answer.
struct Answer(Vec<u8>);

impl Answer {
    fn of((_, size): Structure, ask: impl FnOnce(&mut [u8]) -> Result<usize, Errno>) -> Result<Self, Errno> {
        let mut buffer = vec![0; size];
        if ask(&mut buffer)? < size { Err(Errno::BADF) } else { Ok(Self(buffer)) }
    }

    fn of_process(pid: i32, asked: Structure) -> Result<Self, Errno> {
        Self::of(asked, |buffer| kernel::process(pid, asked.0, buffer))
    }

    fn of_descriptor(pid: i32, number: i32, asked: Structure) -> Result<Self, Errno> {
        Self::of(asked, |buffer| kernel::descriptor(pid, number, asked.0, buffer))
    }

    fn u32(&self, at: usize) -> u32 {
        u32_at(&self.0, at)
    }

    fn u64(&self, at: usize) -> u64 {
        self.0[at..].first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

/// Open descriptors, each with its type.
fn descriptors(process: i32) -> Result<Vec<(i32, u32)>, Errno> {
    let (flavor, size) = layout::LIST_DESCRIPTORS;
    let mut buffer = vec![0; MOST * size];
    let written = kernel::process(process, flavor, &mut buffer)?;
    if written >= buffer.len() {
        return Err(Errno::NOMEM);
    }
    let entries = buffer[..written].chunks_exact(size);
    Ok(entries.map(|entry| (u32_at(entry, 0) as i32, u32_at(entry, 4))).collect())
}

/// Always true: processes can be seen.
pub fn shows_us(_: i32) -> bool {
    true
}

/// Name, parent, session, terminal and start of a process; of another user's (login, sudo) only name, parent and
/// session.
pub fn stat(pid: i32) -> Option<Stat> {
    let session = session::of(pid).unwrap_or_default();
    if let Ok(info) = Answer::of_process(pid, layout::BSD_INFO) {
        let [parent, comm, terminal, started, micros] = layout::BSD;
        return Some(Stat {
            comm: name(&info.0[comm..][..layout::NAME]),
            parent: info.u32(parent) as i32,
            session,
            terminal: info.u32(terminal) as i32,
            started: info.u64(started) * 100 + info.u64(micros) / 10_000,
            asleep: None,
        });
    }
    let info = Answer::of_process(pid, layout::SHORT_BSD_INFO).ok()?;
    let [parent, comm] = layout::SHORT_BSD;
    let comm = name(&info.0[comm..][..layout::NAME]);
    Some(Stat { comm, parent: info.u32(parent) as i32, session, ..Stat::default() })
}

/// The name up to its first NUL.
pub(super) fn name(bytes: &[u8]) -> Vec<u8> {
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
    let written = kernel::program_area(pid, &mut area).ok()?;
    split(area.get(..written)?)
}

/// Splits the area into arguments and environment, each entry followed by NUL. A title that was written over the
/// arguments leaves NULs behind it, which are no arguments. The environment ends at the first entry without `=`,
/// the empty one; behind it the loader's own strings may stand.
pub(super) fn split(area: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
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
    let count = match kernel::list(of, &mut buffer) {
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
    let own = leads_to(own_pid(), *own).ok()??;
    let mut same = false;
    for fd in descriptors {
        match leads_to(process, *fd) {
            Ok(other) => same |= other == Some(own),
            Err(Errno::BADF | Errno::SRCH) => {}
            Err(_) => return None,
        }
    }
    Some(same)
}

/// What a descriptor of a process leads to, whoever has opened it.
fn leads_to(process: i32, fd: Fd) -> Result<Option<Thing>, Errno> {
    let open = descriptors(process)?;
    let (number, kind) = open.into_iter().find(|(number, _)| *number == fd.number()).ok_or(Errno::BADF)?;
    Ok(what_is(process, number, kind)?.map(|thing| match thing {
        Thing::Vnode(file, _) => Thing::Vnode(file, [0; 2]),
        other => other,
    }))
}

fn what_is(process: i32, number: i32, kind: u32) -> Result<Option<Thing>, Errno> {
    let ask = |asked| Answer::of_descriptor(process, number, asked);
    Ok(match kind {
        layout::PIPE => Some(Thing::Pipe(ask(layout::PIPE_INFO)?.u64(layout::PIPE_OWN))),
        layout::SOCKET => Some(Thing::Socket(ask(layout::SOCKET_INFO)?.u64(layout::SOCKET_OWN))),
        layout::VNODE => {
            let info = ask(layout::VNODE_INFO)?;
            let [device, inode, special] = layout::STAT;
            let file = [info.u32(device).into(), info.u64(inode), info.u32(special).into()];
            let [flags, offset] = layout::OPEN;
            Some(Thing::Vnode(file, [info.u64(offset), info.u32(flags).into()]))
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

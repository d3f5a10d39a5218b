//! Processes and their open files on Linux: /proc, `sock_diag`, kcmp.

mod holders;
mod procfs;
mod sock_diag;
mod table;

pub use holders::{Holders, shares};
pub use procfs::{is_ours as shows_us, processes as everybody, stat};
#[cfg(debug_assertions)]
pub use sock_diag::unix_peer;

use super::stream::{Fd, Identity, Kind};
use crate::sys::auxv;
use procfs::{path, read_all, read_piece};
use rustix::fs::{fstat, fstatfs};
use rustix::io::Errno;
use std::mem::MaybeUninit;
use table::Info;

/// Where a descriptor of ours leads: `pipe:[123]`, or the path of a file. Empty where it is not known.
pub fn link(fd: Fd) -> Vec<u8> {
    /// The file system of pipes that have no name: statfs(2). It needs no /proc.
    const PIPEFS: i64 = 0x5049_5045;
    match (fstatfs(fd.borrow()), fstat(fd.borrow())) {
        (Ok(system), Ok(pipe)) if system.f_type == PIPEFS => format!("pipe:[{}]", pipe.st_ino).into_bytes(),
        _ => procfs::link(&format!("/proc/self/fd/{}", fd.number())).unwrap_or_default(),
    }
}

/// What a descriptor of another process leads to, with its link in the case of a pipe or file; `None` where that
/// cannot be read.
pub fn descriptor(pid: i32, number: i32) -> Option<(Identity, Vec<u8>)> {
    let path = path(pid, format_args!("fd/{number}"));
    let identity = Identity::new(&rustix::fs::stat(&path).ok()?);
    let has_link = matches!(identity.kind, Kind::Pipe | Kind::File);
    let link = if has_link { procfs::link(&path)? } else { Vec::new() };
    Some((identity, link))
}

/// Whether every write to that descriptor appends to its file; `false` where it is not known.
pub fn appends(pid: i32, number: i32) -> bool {
    Info::of(pid, number).flags.is_some_and(|flags| flags & APPEND != 0)
}

/// Whether the process waits in a read of one of these descriptors: `/proc/PID/syscall`. Where that file may not be
/// read (Yama), `/proc/PID/wchan` (proc(5)) only tells whether the process reads any pipe: then `None`. `false`
/// where neither file tells.
pub fn is_reading(pid: i32, descriptors: &[i32]) -> Option<bool> {
    let mut buffer = [MaybeUninit::uninit(); 256];
    if let Ok(call) = read_piece(&path(pid, "syscall"), &mut buffer) {
        let reads = |fd: &i32| call.starts_with(format!("{} {fd:#x} ", libc::SYS_read).as_bytes());
        return Some(descriptors.iter().any(reads));
    }
    let waits = read_piece(&path(pid, "wchan"), &mut buffer);
    let is_in_a_pipe = waits.is_ok_and(|place| place.ends_with(b"pipe_read"));
    (!is_in_a_pipe).then_some(false)
}

/// The file that a process runs.
pub fn executable(pid: i32) -> Option<Vec<u8>> {
    procfs::link(&path(pid, "exe"))
}

/// The path by which this program was started.
pub fn exec_path() -> Option<&'static [u8]> {
    auxv::execfn().map(|path| path.as_os_str().as_encoded_bytes())
}

/// A process's arguments, each followed by NUL.
pub fn arguments(pid: i32) -> Option<Vec<u8>> {
    read_all(&path(pid, "cmdline"), true).ok()
}

/// The environment that a process was started with.
pub fn environment(pid: i32) -> Option<Vec<u8>> {
    read_all(&path(pid, "environ"), true).ok()
}

/// A process's children, whichever of its threads started them; `None` where they cannot be read.
pub fn children(pid: i32) -> Option<Vec<i32>> {
    let mut children = None;
    let listed = procfs::each_number(&path(pid, "task"), |_, _, thread| {
        match read_all(&path(pid, format_args!("task/{thread}/children")), false) {
            Ok(list) => children
                .get_or_insert_with(Vec::new)
                .extend(list.split(|&b| b == b' ').filter_map(procfs::number::<i32>)),
            Err(Errno::NOENT | Errno::SRCH) => {} // that thread has ended, or the kernel keeps no such lists
            Err(error) => return Err(error),
        }
        Ok(())
    });
    match listed {
        // A kernel without lists of children (`CONFIG_PROC_CHILDREN`).
        Ok(()) => Some(children.unwrap_or_else(|| {
            let is_child = |other: &i32| stat(*other).is_some_and(|stat| stat.parent == pid);
            everybody().into_iter().filter(is_child).collect()
        })),
        Err(Errno::NOENT | Errno::SRCH) => Some(Vec::new()), // it has ended
        Err(_) => None,
    }
}

/// `O_APPEND` as fdinfo prints it, the same on every architecture that Rust knows but SPARC and Alpha.
const APPEND: u32 = 0o2000;

/// Always false.
pub fn hides_environments() -> bool {
    false
}

#[cfg(test)]
#[path = "../../../tests/unit/consumer/linux.rs"]
mod tests;

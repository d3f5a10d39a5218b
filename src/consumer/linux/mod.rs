//! Processes and their open files on Linux: /proc (proc(5)), `sock_diag`, kcmp.

pub(super) mod holders;
pub(super) mod sock_diag;

pub use holders::{Holders, shares};
#[cfg(debug_assertions)]
pub use sock_diag::unix_peer;

use super::answers::{Stat, comm};
use super::stream::{Fd, Identity, StreamKind};
use crate::sys::auxv;
use crate::sys::kin::stat_fields;
use holders::{APPEND, Info};
use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, RawDir, fstat, fstatfs, openat, readlinkat_raw};
use rustix::io::{Errno, read};
use std::ffi::CStr;
use std::fmt::Display;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStringExt as _;

/// Where a descriptor of ours leads: `pipe:[123]`, or the path of a file. Empty where it is not known.
pub fn link(fd: Fd) -> Vec<u8> {
    /// The file system of pipes that have no name: statfs(2). It needs no /proc.
    const PIPEFS: i64 = 0x5049_5045;
    match (fstatfs(fd.borrow()), fstat(fd.borrow())) {
        (Ok(system), Ok(pipe)) if system.f_type == PIPEFS => format!("pipe:[{}]", pipe.st_ino).into_bytes(),
        _ => target(&format!("/proc/self/fd/{}", fd.number())).unwrap_or_default(),
    }
}

/// What a descriptor of another process leads to, with its link in the case of a pipe or file; `None` where that
/// cannot be read.
pub fn descriptor(pid: i32, number: i32) -> Option<(Identity, Vec<u8>)> {
    let path = path(pid, format_args!("fd/{number}"));
    let identity = Identity::new(&rustix::fs::stat(&path).ok()?);
    let has_link = matches!(identity.kind, StreamKind::Pipe | StreamKind::File);
    let link = if has_link { target(&path)? } else { Vec::new() };
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
    target(&path(pid, "exe"))
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
    let listed = each_number(&path(pid, "task"), |_, _, thread| {
        match read_all(&path(pid, format_args!("task/{thread}/children")), false) {
            Ok(list) => children
                .get_or_insert_with(Vec::new)
                .extend(list.split(|&b| b == b' ').filter_map(number::<i32>)),
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

/// Always false.
pub fn hides_environments() -> bool {
    false
}

/// The path `/proc/PID/tail`.
fn path(pid: i32, tail: impl Display) -> String {
    format!("/proc/{pid}/{tail}")
}

fn open(path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC | flags, Mode::empty())
}

/// Reads once into `buffer`: for files that the kernel hands out in one piece.
fn read_piece<'a>(path: &str, buffer: &'a mut [MaybeUninit<u8>]) -> Result<&'a [u8], Errno> {
    let (filled, _) = read(open(path, OFlags::empty())?, buffer)?;
    Ok(filled)
}

/// Reads a file, however long. With `in_one` it is a process's memory (`environ`, `cmdline`), of which only the last
/// read falls short; a list is handed out page by page.
fn read_all(path: &str, in_one: bool) -> Result<Vec<u8>, Errno> {
    let file = open(path, OFlags::empty())?;
    let mut text = Vec::with_capacity(2 << 10);
    while read(&file, spare_capacity(&mut text))? > 0 && !(in_one && text.len() < text.capacity()) {
        if text.len() == text.capacity() {
            text.reserve(text.len());
        }
    }
    text.shrink_to_fit();
    Ok(text)
}

/// Where a symbolic link points.
fn target(path: &str) -> Option<Vec<u8>> {
    std::fs::read_link(path).ok().map(|target| target.into_os_string().into_vec())
}

/// Calls `visit` with the directory and each numbered entry; ends with the first error, of `visit` or of the
/// listing.
fn each_number(
    path: &str,
    mut visit: impl FnMut(&OwnedFd, &CStr, i32) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let folder = open(path, OFlags::DIRECTORY)?;
    let mut buffer = [MaybeUninit::uninit(); 16 << 10];
    let mut entries = RawDir::new(&folder, &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if let Some(number) = number(name.to_bytes()) {
            visit(&folder, name, number)?;
        }
    }
    Ok(())
}

/// Whether /proc exists and numbers processes as our own PID namespace does.
pub fn shows_us(pid: i32) -> bool {
    let mut buffer = [MaybeUninit::uninit(); 16];
    readlinkat_raw(CWD, c"/proc/self", &mut buffer).is_ok_and(|(name, _)| number(name) == Some(pid))
}

/// Every process that can be seen.
pub fn everybody() -> Vec<i32> {
    let mut list = Vec::new();
    // Where the listing breaks off, the processes found so far are returned.
    let _ = each_number("/proc", |_, _, pid| {
        list.push(pid);
        Ok(())
    });
    list
}

/// The decimal number that fills the text, blanks around it aside.
fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.trim_ascii().parse().ok()
}

/// /proc/PID/stat; `None` when the process is gone or hidden.
pub fn stat(pid: i32) -> Option<Stat> {
    let mut buffer = [MaybeUninit::uninit(); 1024];
    parse(read_piece(&path(pid, "stat"), &mut buffer).ok()?)
}

pub(super) fn parse(line: &[u8]) -> Option<Stat> {
    let (name, mut fields) = stat_fields(line)?;
    let mut field = |skip: usize| fields.nth(skip);
    let asleep = Some(![&b"R"[..], b"D"].contains(&field(0)?));
    let parent = number(field(0)?)?;
    let session = number(field(1)?)?;
    let terminal = number(field(0)?)?;
    let started = number(field(14)?)?;
    Some(Stat { comm: comm(name), parent, session, terminal, started, asleep })
}

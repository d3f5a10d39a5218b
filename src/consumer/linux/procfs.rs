//! Reading files below /proc/PID: proc(5).

use crate::consumer::answers::{Stat, comm};
use crate::sys::kin::stat_fields;
use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, RawDir, openat, readlinkat_raw};
use rustix::io::{Errno, read};
use std::ffi::CStr;
use std::fmt::Display;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStringExt as _;

/// The path `/proc/PID/tail`.
pub fn path(pid: i32, tail: impl Display) -> String {
    format!("/proc/{pid}/{tail}")
}

fn open(path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    openat(CWD, path, OFlags::RDONLY | OFlags::CLOEXEC | flags, Mode::empty())
}

/// Reads once into `buffer`: for files that the kernel hands out in one piece.
pub fn read_piece<'a>(path: &str, buffer: &'a mut [MaybeUninit<u8>]) -> Result<&'a [u8], Errno> {
    let (filled, _) = read(open(path, OFlags::empty())?, buffer)?;
    Ok(filled)
}

/// Reads a file, however long. With `in_one` it is a process's memory (`environ`, `cmdline`), of which only the last
/// read falls short; a list is handed out page by page.
pub fn read_all(path: &str, in_one: bool) -> Result<Vec<u8>, Errno> {
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
pub fn link(path: &str) -> Option<Vec<u8>> {
    std::fs::read_link(path).ok().map(|target| target.into_os_string().into_vec())
}

/// Calls `visit` with the directory and each numbered entry; ends with the first error, of `visit` or of the
/// listing.
pub fn each_number(
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
pub fn is_ours(pid: i32) -> bool {
    let mut buffer = [MaybeUninit::uninit(); 16];
    readlinkat_raw(CWD, c"/proc/self", &mut buffer).is_ok_and(|(name, _)| number(name) == Some(pid))
}

/// Every process that can be seen.
pub fn processes() -> Vec<i32> {
    let mut list = Vec::new();
    // Where the listing breaks off, the processes found so far are returned.
    let _ = each_number("/proc", |_, _, pid| {
        list.push(pid);
        Ok(())
    });
    list
}

/// The decimal number that fills the text, blanks around it aside.
pub fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
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

//! Reading files below /proc/PID with one buffer and no path on the heap: proc(5).

use crate::consumer::answers::{Stat, comm};
use crate::sys::kin::stat_fields;
use rustix::buffer::spare_capacity;
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags, RawDir, openat, readlinkat_raw};
use rustix::io::{Errno, read};
use std::ffi::CStr;
use std::fmt;
use std::io::Write as _;
use std::mem::MaybeUninit;

/// A path below /proc, on the stack, ended by NUL.
pub struct Path([u8; 64]);

impl Path {
    /// `/proc/PID/tail`.
    pub fn new(pid: i32, tail: fmt::Arguments) -> Self {
        Self::below_proc(format_args!("{pid}/{tail}"))
    }

    /// `/proc/tail`.
    pub fn below_proc(tail: fmt::Arguments) -> Self {
        let mut bytes = [0; 64];
        if write!(&mut bytes[..63], "/proc/{tail}").is_err() {
            bytes[0] = 0; // the empty path names no file
        }
        Self(bytes)
    }

    fn c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }

    pub fn open(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        openat(CWD, self.c_str(), OFlags::RDONLY | OFlags::CLOEXEC | flags, Mode::empty())
    }

    /// stat(2) of the file that the path leads to.
    pub fn stat(&self) -> Result<rustix::fs::Stat, Errno> {
        rustix::fs::stat(self.c_str())
    }

    /// Reads once into `buffer`: for files that the kernel hands out in one piece.
    pub fn read_piece<'a>(&self, buffer: &'a mut [MaybeUninit<u8>]) -> Result<&'a [u8], Errno> {
        let file = self.open(OFlags::empty())?;
        let (filled, _) = read(file, buffer)?;
        Ok(filled)
    }

    /// A process's memory (`environ`, `cmdline`), of which only at its end does a read fall short, or a list, which the
    /// kernel hands out page by page; however long.
    pub fn read(&self, is_memory: bool) -> Result<Vec<u8>, Errno> {
        let file = self.open(OFlags::empty())?;
        let mut text = Vec::with_capacity(2 << 10);
        while read(&file, spare_capacity(&mut text))? > 0 && !(is_memory && text.len() < text.capacity()) {
            if text.len() == text.capacity() {
                text.reserve(text.len());
            }
        }
        text.shrink_to_fit();
        Ok(text)
    }

    /// Where the symbolic link points.
    pub fn link(&self) -> Result<Vec<u8>, Errno> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let (filled, _) = readlinkat_raw(CWD, self.c_str(), &mut buffer)?;
        Ok(filled.to_vec())
    }
}

/// Calls `visit` with the directory and each numbered entry; ends with the first error, of `visit` or of the
/// listing.
pub fn each_number(
    path: &Path,
    mut visit: impl FnMut(&OwnedFd, &CStr, i32) -> Result<(), Errno>,
) -> Result<(), Errno> {
    let folder = path.open(OFlags::DIRECTORY)?;
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
    let _ = each_number(&Path::below_proc(format_args!("")), |_, _, pid| {
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
    parse(Path::new(pid, format_args!("stat")).read_piece(&mut buffer).ok()?)
}

fn parse(line: &[u8]) -> Option<Stat> {
    let (name, mut fields) = stat_fields(line)?;
    let mut field = |skip: usize| fields.nth(skip);
    let asleep = Some(![&b"R"[..], b"D"].contains(&field(0)?));
    let parent = number(field(0)?)?;
    let session = number(field(1)?)?;
    let terminal = number(field(0)?)?;
    let started = number(field(14)?)?;
    Some(Stat { comm: comm(name), parent, session, terminal, started, asleep })
}

#[cfg(test)]
#[path = "../../../tests/unit/consumer/linux/procfs.rs"]
mod tests;

//! How much of the host's page the same call has filled before: through other shims of the same command line, or, where
//! the host reads a file, through any program.

use std::os::fd::BorrowedFd;

use rustix::fs::{FileType, Stat, fstat};

use crate::consumer;
use crate::store::Store;

/// Fewer bytes than this are not noted: they hardly shorten a page.
const FEWEST: u64 = 1_000;

/// Bytes that went to the stream behind `fd` before, as far as known.
pub(super) fn given_before(store: &Store, fd: BorrowedFd<'_>) -> u64 {
    match fstat(fd) {
        Ok(stat) if is_file(&stat) => stat.st_size as u64,
        Ok(stat) => store.given(&name(&stat)),
        Err(_) => 0,
    }
}

/// Notes that `bytes` went to the stream behind `fd`. A failure here only makes a page too long.
pub(super) fn note_given(store: &Store, fd: BorrowedFd<'_>, bytes: u64) {
    if let Ok(stat) = fstat(fd)
        && bytes >= FEWEST
        && !is_file(&stat)
        // One stream of such a shell carries many calls, which cannot be told apart.
        && !consumer::is_below_lasting_shell()
    {
        store.note_given(&name(&stat), bytes);
    }
}

fn is_file(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}

fn name(stat: &Stat) -> String {
    format!("{:x}-{:x}", stat.st_dev, stat.st_ino)
}

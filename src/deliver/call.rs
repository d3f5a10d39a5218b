//! How much of its page the reader's host was given before in the same call: by other shims of the same command line,
//! or by anybody else where the host reads a file.

use std::os::fd::BorrowedFd;

use rustix::fs::{FileType, Stat, fstat};

use crate::consumer;
use crate::store::Store;

/// Less than this, in bytes, is not written down: it hardly shortens a page.
const FEWEST: u64 = 1_000;

/// Bytes that went to the stream behind `fd` before, as far as that is known.
pub(super) fn given_before(store: &Store, fd: BorrowedFd<'_>) -> u64 {
    match fstat(fd) {
        Ok(stat) if is_file(&stat) => stat.st_size as u64,
        Ok(stat) => store.given(&name(&stat)),
        Err(_) => 0,
    }
}

/// Writes down that `bytes` went to the stream behind `fd`. What fails here only makes a page too long.
pub(super) fn note_given(store: &Store, fd: BorrowedFd<'_>, bytes: u64) {
    if let Ok(stat) = fstat(fd)
        && bytes >= FEWEST
        && !is_file(&stat)
        // One stream of such a shell carries many calls, which nothing tells apart.
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

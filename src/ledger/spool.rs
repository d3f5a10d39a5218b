//! The spool: every run appends one line to the file of its day (UTC), by a single write to a descriptor that was
//! opened for appending. No lock, no sync, no database.
//!
//! `$XDG_DATA_HOME/toto/spool/2026-11-21.jsonl` has mode 0600 in a directory of mode 0700. write(2) on a local file
//! system appends a line whole: the kernel locks the file while it finds the end, writes and moves the end. NFS does
//! not; docs/ledger.md says what becomes of torn lines there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::env;
use crate::fnv;
use crate::sys::directory;
use crate::sys::files::{append_private, if_there, make_private};

/// Longest line, in bytes: as many as Linux writes to a pipe in one piece (`PIPE_BUF`, pipe(7)).
const LONGEST_LINE: usize = 4096;
const ENDING: &str = "jsonl";
/// Attempts at one write: a process that folds may have removed the file between its opening and the write.
const TRIES: usize = 3;

/// The directory of the ledger: `$XDG_DATA_HOME/toto`; `None` without a home.
pub fn home() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_DATA_HOME, ".local/share", "toto")
}

/// The directory of the spool in the ledger's home.
pub fn directory(home: &Path) -> PathBuf {
    home.join("spool")
}

/// The time in microseconds since 1970, as records have it.
pub fn now() -> i64 {
    Timestamp::now().as_microsecond().max(0)
}

/// Appends a line that was made at `at` (microseconds since 1970). Fails where the line is too long, there is no home,
/// or the file cannot be written: only this line is lost then.
pub fn append(at: i64, line: &[u8]) -> io::Result<()> {
    if line.len() > LONGEST_LINE {
        return Err(ErrorKind::InvalidInput.into());
    }
    let home = home().ok_or(ErrorKind::NotFound)?;
    let path = directory(&home).join(segment_name(at));
    for _ in 0..TRIES {
        let mut file = open(&path)?;
        if file.write(line)? < line.len() {
            // The disk is full. The part of the line that was written must not run into the next line.
            let _ = file.write(b"\n");
            return Err(ErrorKind::StorageFull.into());
        }
        // A line in a file that was folded and removed meanwhile is written again: read twice it counts once.
        if file.metadata()?.nlink() > 0 {
            break;
        }
    }
    Ok(())
}

/// The name of the file for a time: `2026-11-21.jsonl`.
pub(super) fn segment_name(at: i64) -> String {
    let day = Timestamp::from_microsecond(at).unwrap_or_default();
    format!("{}.{ENDING}", day.strftime("%Y-%m-%d"))
}

/// Opens a file of the spool for appending; creates the directory where there is none.
pub(super) fn open(path: &Path) -> io::Result<File> {
    match append_private(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make_private(path.parent().unwrap_or(path))?;
            append_private(path)
        }
        opened => opened,
    }
}

/// The files of a spool's directory, by their day in UTC: the name without the extension.
pub fn segments(dir: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let entries = if_there(directory::entries(dir))?.unwrap_or_default();
    let of_spool = entries.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == ENDING));
    Ok(of_spool.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path))).collect())
}

/// The name of a session in the ledger: a hash, because the session's own name comes from the environment.
pub fn session_hash(session: &OsStr) -> String {
    format!("{:016x}", fnv::hash(session.as_bytes()))
}

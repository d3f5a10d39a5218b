//! Prunes saved outputs, by age and by their total size.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};

use super::saved::{COMPACTED, FACTS, GIVEN, LAST, Saved, TEMPORARY, TOLD, note, saved_in, sessions};
use crate::config::Storage;
use crate::sys::directory;

/// An output younger than this is not removed to save space, because somebody may be about to read it. A leftover file
/// younger than this is not removed at all.
const FRESH: Duration = Duration::from_secs(600);

#[derive(Debug, Default)]
pub struct Surplus {
    /// Paths of saved outputs and of the files that belong to them.
    pub files: Vec<PathBuf>,
    /// Number of saved outputs among them.
    pub outputs: usize,
    /// Size of these outputs on disk, in bytes.
    pub bytes: u64,
}

/// The saved outputs that are beyond the limits of `storage` (with `all`, every one) and leftover files. An output that
/// is still being written, or whose reader has not been told of it, stays.
pub fn surplus(storage: Storage, all: bool) -> Surplus {
    let mut surplus = Surplus::default();
    let mut outputs: Vec<(Saved, u64, Duration)> = Vec::new();
    for session in sessions() {
        for saved in saved_in(&session) {
            if let Ok(meta) = saved.path.metadata() {
                let age = meta.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
                outputs.push((saved, meta.blocks() * 512, age.unwrap_or_default()));
            }
        }
        leftovers(&session, &mut surplus);
    }
    // Another process holds the lock of an output that it writes, or has yet to tell the reader of.
    let is_held = |saved: &Saved| {
        let file = std::fs::File::open(&saved.path);
        file.is_ok_and(|file| flock(file, FlockOperation::NonBlockingLockShared).is_err())
    };
    // Newest first: an output goes that has no room beside the newer ones that stay.
    outputs.sort_unstable_by(|a, b| b.0.name().cmp(a.0.name()));
    let mut total = 0;
    for (saved, bytes, age) in outputs {
        total += bytes;
        let old = age > Duration::from_secs(storage.days.saturating_mul(24 * 3600));
        let much = total > storage.mebibytes.saturating_mul(1 << 20) && age > FRESH;
        if (all || old || much) && !is_held(&saved) {
            surplus.files.extend([FACTS, COMPACTED].map(|beside| saved.path.with_extension(beside)));
            surplus.files.push(saved.path);
            surplus.outputs += 1;
            surplus.bytes += bytes;
            total -= bytes;
        }
    }
    surplus
}

/// Removes the files, and directories of sessions that are empty then. Another process may have been faster.
pub fn remove(surplus: &Surplus) {
    for file in &surplus.files {
        let _ = std::fs::remove_file(file);
    }
    for session in sessions() {
        // Succeeds only where the directory is empty.
        let _ = std::fs::remove_dir(session);
    }
}

/// Adds leftover files: half-written files of a run that was killed, counts of bytes given to streams, notes of what
/// was told, and facts or compacted texts whose output is gone.
fn leftovers(session: &Path, surplus: &mut Surplus) {
    for path in directory::entries(session).unwrap_or_default() {
        let written = path.symlink_metadata().and_then(|meta| meta.modified()).ok();
        let age = written.and_then(|at| at.elapsed().ok());
        let name = path.file_name().unwrap_or_default();
        let is_short_lived =
            [TEMPORARY, GIVEN, TOLD].iter().any(|begin| name.as_bytes().starts_with(begin.as_bytes()));
        let is_alone = path.extension().is_some_and(|ending| ending == FACTS || ending == COMPACTED)
            && !["out", "err"].iter().any(|ending| path.with_extension(ending).exists());
        let is_past = name.as_bytes().starts_with(LAST.as_bytes())
            && note(&path).is_some_and(|last| !session.join(last).exists());
        if (is_short_lived || is_alone || is_past) && age.is_some_and(|age| age > FRESH) {
            surplus.files.push(path);
        }
    }
}

//! What is kept: by age, and by the size of all of it.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};

use super::{COMPACTED, FACTS, GIVEN, Saved, TEMPORARY, saved_in, sessions};
use crate::config::Kept;
use crate::sys::directory;

/// Nothing that was written this recently is removed for the sake of space: somebody may be about to read it.
const FRESH: Duration = Duration::from_secs(600);

/// What a pruning removes, or would.
#[derive(Debug, Default)]
pub struct Surplus {
    /// The files, saved outputs and what belongs to them.
    pub files: Vec<PathBuf>,
    /// Saved outputs among them.
    pub outputs: usize,
    /// Their size in bytes, on disk.
    pub bytes: u64,
}

/// What is too old or too much by `kept`; with `all` everything but what is still being written or told of.
pub fn surplus(kept: Kept, all: bool) -> Surplus {
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
    // Newest first, so that the oldest go beyond the limit.
    outputs.sort_by(|a, b| b.0.name().cmp(a.0.name()));
    let mut total = 0;
    for (saved, bytes, age) in outputs {
        total += bytes;
        let old = age > Duration::from_secs(kept.days * 24 * 3600);
        let much = total > kept.mebibytes << 20 && age > FRESH;
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

/// Removes it. Another run may have been faster.
pub fn remove(surplus: &Surplus) {
    for file in &surplus.files {
        let _ = std::fs::remove_file(file);
    }
    for session in sessions() {
        // Succeeds only where it is empty.
        let _ = std::fs::remove_dir(session);
    }
}

/// Half-written files of a run that was killed, and facts of an output that was cleaned away before they were written.
fn leftovers(session: &std::path::Path, surplus: &mut Surplus) {
    for path in directory::entries(session).unwrap_or_default() {
        let written = path.symlink_metadata().and_then(|meta| meta.modified()).ok();
        let age = written.and_then(|at| at.elapsed().ok());
        let name = path.file_name().unwrap_or_default();
        let is_half = [TEMPORARY, GIVEN].iter().any(|begin| name.as_bytes().starts_with(begin.as_bytes()));
        let is_alone = path.extension().is_some_and(|ending| ending == FACTS || ending == COMPACTED)
            && !["out", "err"].iter().any(|ending| path.with_extension(ending).exists());
        if (is_half || is_alone) && age.is_some_and(|age| age > FRESH) {
            surplus.files.push(path);
        }
    }
}

/// Who writes an output, or has yet to tell its reader of it, holds its lock.
fn is_held(saved: &Saved) -> bool {
    std::fs::File::open(&saved.path)
        .is_ok_and(|file| flock(file, FlockOperation::NonBlockingLockShared).is_err())
}

//! Saved outputs as they lie on disk: their names, how they are found, their facts, in a small file beside each, and
//! those that are written while their tool runs: what was read is in the file, even if toto is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::places::{Place, is_ours, places};
use crate::sys::directory;
use crate::sys::files::read_text;

/// Extension of the facts beside a saved output, written when the tool has ended.
pub(super) const FACTS: &str = "json";
/// Extension of the compacted text beside a saved output whose reader was given that text in pages.
pub(super) const COMPACTED: &str = "page";
/// Prefix of a file that counts the bytes given to a stream in one call of an agent.
pub(super) const GIVEN: &str = ".given-";
/// Prefix of a file that says what a session was told.
pub(super) const TOLD: &str = ".told-";
/// Prefix of a file that names the last saved output of a call.
pub(super) const LAST: &str = ".last-";
/// Prefix of a file that is not yet complete.
pub(super) const TEMPORARY: &str = ".saving-";

/// Longest file of ours beside a saved output, in bytes.
const LONGEST: u64 = 1 << 20;

/// A new short name for a saved output (`toto show ID`), from the clock and the process id. There are eight million; a
/// store gives none twice.
pub fn new_id() -> String {
    /// Without vowels and look-alikes, so that an id is no word and is not misread.
    const ALPHABET: &[u8; 24] = b"23456789bcdfghjkmnpqrstv";
    let nanos = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let mut seed = (nanos ^ u64::from(std::process::id()) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    seed ^= seed >> 29;
    let letters = std::iter::successors(Some(seed), |seed| Some(seed / ALPHABET.len() as u64)).take(5);
    letters.map(|seed| char::from(ALPHABET[(seed % ALPHABET.len() as u64) as usize])).collect()
}

/// The text of a small file of ours; `None` without one.
pub(super) fn note(path: &Path) -> Option<String> {
    read_text(path, LONGEST).ok()
}

/// A saved output, as its path tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub path: PathBuf,
    pub id: String,
    pub tool: String,
    /// When it was saved, as `20261121T120000.123Z`.
    pub time: String,
}

impl Saved {
    /// The saved output at `path`, by its name; `None` for any other file.
    fn at(path: PathBuf) -> Option<Self> {
        let is_output = path.extension().is_some_and(|extension| extension == "out" || extension == "err");
        if !is_output || !path.symlink_metadata().is_ok_and(|file| file.is_file()) {
            return None;
        }
        let stem = path.file_stem()?.to_str()?;
        let (time, rest) = stem.split_once('-')?;
        let (tool, id) = rest.rsplit_once('-')?;
        Some(Self { id: id.into(), tool: tool.into(), time: time.into(), path })
    }

    /// The path of the text that its reader was given in pages: the compacted text, else the output as it came.
    pub fn paged(&self) -> PathBuf {
        let compacted = self.path.with_extension(COMPACTED);
        if compacted.exists() { compacted } else { self.path.clone() }
    }

    /// The file's name, which begins with the time.
    pub(super) fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }
}

/// What is known of a saved output beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Exit code, or 128 plus the signal's number for a death by signal; `None` if the tool was still running.
    pub status: Option<i32>,
    /// Length in bytes.
    pub bytes: u64,
    /// Number of lines, a last one without a newline included; `None` where not all of them were there to be counted.
    pub lines: Option<u64>,
    /// Tokens of the whole output; an estimate where `estimated`.
    pub tokens: u64,
    /// Whether the tokens are estimated, from parts of the output or from its length.
    pub estimated: bool,
    /// The call that printed it, as the ledger names it.
    pub call: Option<String>,
    /// How its text is divided into pages, where the reader was given the first page.
    pub pages: Option<Pages>,
}

/// How a text is divided into pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// End of the first page, in bytes of the text.
    pub first: u64,
    /// Most bytes of another page.
    pub bytes: usize,
    /// Most lines of another page.
    pub lines: usize,
}

impl Facts {
    /// The facts beside the saved output at `path`; `None` if its tool has not ended, or toto was killed before it did.
    pub fn of(path: &Path) -> Option<Self> {
        serde_json::from_str(&note(&path.with_extension(FACTS))?).ok()
    }
}

/// The saved output that lies at `path`; `None` for any other file.
pub fn at(path: &Path) -> Option<Saved> {
    let path = path.canonicalize().ok()?;
    let root = path.parent()?.parent()?;
    let is_ours = |place: &Place| place.is_ours() && place.root.canonicalize().is_ok_and(|own| own == root);
    places().iter().any(is_ours).then(|| Saved::at(path.clone())).flatten()
}

/// The directories of all sessions, in no particular order; another user's are none.
pub fn sessions() -> Vec<PathBuf> {
    let ours = places().into_iter().filter(Place::is_ours);
    ours.filter_map(|place| directory::entries(&place.root).ok()).flatten().collect()
}

/// The saved outputs in a session's directory, oldest first.
pub fn saved_in(dir: &Path) -> Vec<Saved> {
    let entries = if is_ours(dir) { directory::entries(dir).unwrap_or_default() } else { Vec::new() };
    let mut saved: Vec<_> = entries.into_iter().filter_map(Saved::at).collect();
    saved.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    saved
}

/// Bytes that are written between two checks of the free space.
const LOOK_EVERY: u64 = 64 << 20;
/// Free space that is left to others, in bytes.
const LEAVE_FREE: u64 = 256 << 20;

/// A saved output that is written while its tool runs.
pub struct Live {
    pub path: PathBuf,
    pub id: String,
    file: File,
    /// Bytes written so far.
    pub length: u64,
    /// The length at which the free space is looked at next.
    look_at: u64,
}

impl Live {
    pub(super) fn new(file: File, path: PathBuf, id: String) -> Self {
        Self { file, path, id, length: 0, look_at: LOOK_EVERY }
    }

    /// Appends `bytes`. After an error (full or almost full, too large by `RLIMIT_FSIZE`, gone) `length` tells
    /// how much of them is in the file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            self.length = self.file.metadata()?.len();
            return Err(error);
        }
        self.length += bytes.len() as u64;
        if self.length >= self.look_at {
            self.look_at += LOOK_EVERY;
            let space = rustix::fs::fstatvfs(&self.file)?;
            if space.f_bavail.saturating_mul(space.f_frsize) < LEAVE_FREE {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        Ok(())
    }

    /// Everything that was written, even if the file's name is gone by now.
    pub fn read_back(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.length as usize)?;
        self.reader()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reader of everything written, from the beginning.
    pub fn reader(&self) -> io::Result<impl Read + '_> {
        (&self.file).seek(SeekFrom::Start(0))?;
        Ok((&self.file).take(self.length))
    }

    /// Removes the file's name. A process that has the file open can still read it.
    pub fn discard(&self) {
        // Another process may have removed it already.
        let _ = std::fs::remove_file(&self.path);
    }
}

//! Saved outputs as they lie on disk: their names, how they are found, and their facts, in a small file beside each.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

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

/// The text of a small file of ours; `None` without one.
pub(super) fn note(path: &Path) -> Option<String> {
    read_text(path, LONGEST).ok()
}

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

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Exit code, or 128 plus the signal's number for a death by signal; `None` if the tool was still running.
    pub status: Option<i32>,
    /// Length in bytes.
    pub bytes: u64,
    /// Number of lines, a last one without a newline included.
    pub lines: u64,
    /// Tokens of the whole output; an estimate where `estimated`.
    pub tokens: u64,
    /// Whether the tokens are estimated from parts of the output.
    pub estimated: bool,
    /// The call that printed it, as the ledger names it.
    pub call: Option<String>,
    /// How its text is divided into pages, where the reader was given the first page.
    pub pages: Option<Pages>,
}

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

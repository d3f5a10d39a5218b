//! Saved outputs: what was left out of an output is one command away (`toto show ID`).
//!
//! An output is saved as `$XDG_STATE_HOME/toto/outputs/SESSION/20261121T120000.123Z-aws-k7q2x.out` (`.err` for standard
//! error) or, where nothing can be written there, below `$TMPDIR/toto-UID` in a directory for this home. Files have
//! mode 0600 in directories of mode 0700; their names sort by time. Once the tool has ended, a file `.json` beside the
//! output holds its facts.

mod places;
mod prune;
mod saved;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use thiserror::Error;

use places::{Place, places};
pub use prune::{remove, surplus};
use saved::{COMPACTED, FACTS, GIVEN, LAST, TEMPORARY, TOLD, note};
pub use saved::{Facts, Live, Pages, Saved, at, new_id, saved_in, sessions};

use crate::agents;
use crate::config::Storage;
use crate::sys::directory;
use crate::sys::files::append_private;
use crate::{env, fnv};

/// The name in place of a session's where no session is known.
pub const NO_SESSION: &str = "default";
/// One run in this many prunes the store, so that the others do not pay for it.
const PRUNE_EVERY: i64 = 32;

/// The stream that was saved, which decides the file's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard output, and what was merged into it.
    Out,
    /// Standard error by itself.
    Err,
}

/// A saved output that is not pruned as long as this value lives.
#[derive(Debug)]
pub struct Held {
    pub path: PathBuf,
    _file: File,
}

/// Bytes of one stream, or of one call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bytes {
    /// What its reader was given.
    pub given: u64,
    /// What tools had printed for that.
    pub printed: u64,
}

/// The saved outputs of one session.
#[derive(Clone, Debug)]
pub struct Store {
    session: String,
    is_enabled: bool,
    places: Vec<Place>,
}

/// Why an output is not saved.
#[derive(Debug, Error)]
pub enum Unsaved {
    /// Another output of the session has this id.
    #[error("this id is taken")]
    Taken,
    /// The file system's error at the first place: read-only, full, not permitted.
    #[error("{0}")]
    Failed(#[from] io::Error),
}

impl Store {
    /// The store of `session`; nothing is made on disk yet.
    pub fn of_session(session: &OsStr) -> Self {
        Self { session: file_name(session), is_enabled: true, places: places() }
    }

    /// The same, for what is to be saved: nothing, where the user wants no copies.
    pub fn for_saving(session: &OsStr, storage: Storage) -> Self {
        Self { is_enabled: storage.enabled, ..Self::of_session(session) }
    }

    /// Saves `bytes`, the output of `tool`, as `id`. The file appears whole or not at all. It is not pruned as long as
    /// the value that is returned lives, so that its reader can first be told of it.
    pub fn save(&self, id: &str, tool: &str, source: Source, bytes: &[u8]) -> Result<Held, Unsaved> {
        if self.has(id) {
            return Err(Unsaved::Taken);
        }
        Ok(self.somewhere(|dir| {
            let path = path_of(dir, id, tool, source);
            write_whole(&path, bytes).map(|file| Held { path, _file: file })
        })?)
    }

    /// An id that no saved output of this session has.
    pub fn new_id(&self) -> String {
        std::iter::repeat_with(new_id).find(|id| !self.has(id)).unwrap_or_else(new_id)
    }

    /// A new saved output that is written while the tool runs, and locked as long as it is open.
    pub fn live(&self, tool: &str, source: Source) -> io::Result<Live> {
        let id = self.new_id();
        self.somewhere(|dir| {
            let path = path_of(dir, &id, tool, source);
            Ok(Live::new(write_whole(&path, b"")?, path, id.clone()))
        })
    }

    /// The bytes that were noted for the stream of this name; none where nothing was noted.
    pub fn given(&self, stream: &str) -> Bytes {
        let noted = self.directories().filter_map(|dir| note(&dir.join(format!("{GIVEN}{stream}"))));
        let mut sum = Bytes::default();
        for (given, printed) in noted.collect::<String>().lines().filter_map(|line| line.split_once(' ')) {
            if let (Ok(given), Ok(printed)) = (given.parse::<u64>(), printed.parse::<u64>()) {
                sum = Bytes { given: sum.given + given, printed: sum.printed + printed };
            }
        }
        sum
    }

    /// Notes that so many more bytes went to the stream of this name. Where that fails, they are not counted.
    pub fn note_given(&self, stream: &str, Bytes { given, printed }: Bytes) {
        let _ = self.somewhere(|dir| {
            let path = dir.join(format!("{GIVEN}{stream}"));
            append_private(&path)?.write_all(format!("{given} {printed}\n").as_bytes())
        });
    }

    /// Notes that the session was told this, and returns whether it was news. What was told some time ago is news, and
    /// so is everything where nothing can be noted.
    pub fn is_news(&self, told: &[u8]) -> bool {
        let name = format!("{TOLD}{:x}", fnv::hash(told));
        let is_known = self.directories().any(|dir| dir.join(&name).exists());
        let _ = self.somewhere(|dir| append_private(&dir.join(&name)).map(drop));
        !is_known
    }

    /// The saved output that was noted as the last of this call.
    pub fn last(&self, call: &str) -> Option<Saved> {
        let name = format!("{LAST}{call}");
        self.directories().find_map(|dir| at(&dir.join(note(&dir.join(&name))?)))
    }

    /// Notes the saved output at `path` as the last of this call, or that its last output is not saved.
    pub fn note_last(&self, call: &str, path: Option<&Path>) {
        let note = format!("{LAST}{call}");
        for dir in self.directories() {
            let _ = std::fs::remove_file(dir.join(&note));
        }
        if let Some((dir, name)) = path.and_then(|path| path.parent().zip(path.file_name())) {
            let _ = write_whole(&dir.join(note), name.as_bytes());
        }
    }

    /// The saved outputs of this session in all places, the oldest first.
    pub fn saved(&self) -> Vec<Saved> {
        let mut saved: Vec<Saved> = self.directories().flat_map(|dir| saved_in(&dir)).collect();
        saved.sort_unstable_by(|a, b| a.name().cmp(b.name()));
        saved
    }

    /// Whether the id is taken. Only file names are looked at, because a session may hold thousands of files.
    fn has(&self, id: &str) -> bool {
        let end = format!("-{id}.");
        let entries = self.directories().filter_map(|dir| directory::entries(&dir).ok());
        entries
            .flatten()
            .filter_map(|path| path.file_name().map(OsStr::to_owned))
            .any(|name| memchr::memmem::find(name.as_bytes(), end.as_bytes()).is_some())
    }

    /// This session's directory at each place that is ours.
    fn directories(&self) -> impl Iterator<Item = PathBuf> {
        let ours = self.places.iter().filter(|place| place.is_ours());
        ours.map(|place| place.root.join(&self.session))
    }

    /// Calls `act` with this session's directory, at the first place where that succeeds.
    fn somewhere<T>(&self, act: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
        if !self.is_enabled {
            return Err(io::Error::other("store.enabled is false"));
        }
        let mut failed = None;
        for place in &self.places {
            let attempt = || place.make(&self.session).and_then(|dir| act(&dir));
            // A process that prunes may remove the directory while it is empty.
            let again = |error: io::Error| {
                if error.kind() == io::ErrorKind::NotFound { attempt() } else { Err(error) }
            };
            match attempt().or_else(again) {
                Ok(done) => return Ok(done),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        Err(failed.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }
}

fn path_of(dir: &Path, id: &str, tool: &str, source: Source) -> PathBuf {
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ");
    let extension = if source == Source::Err { "err" } else { "out" };
    dir.join(format!("{stamp}-{}-{id}.{extension}", file_name(OsStr::new(tool))))
}

/// Writes a file that appears whole or not at all, open for appending, and locked as long as it is open: it is locked
/// before it has the name of an output, so that it is never pruned. Where the file system has no locks, nothing is
/// lost.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions(std::fs::Permissions::from_mode(0o600))
        .append(true)
        .tempfile_in(path.parent().unwrap_or(Path::new("/")))?;
    let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)
}

/// Writes the facts of the saved output at `path`, and in some runs prunes the store. Where the facts cannot be
/// written, they are only missing in listings.
pub fn conclude(path: &Path, facts: &Facts, storage: Storage) {
    if let Ok(text) = serde_json::to_vec(facts) {
        let _ = write_whole(&path.with_extension(FACTS), &text);
    }
    if prunes() {
        remove(&surplus(storage, false));
    }
}

/// Whether this run is one in [`PRUNE_EVERY`]: the clock decides, because process ids in a container may all be small.
fn prunes() -> bool {
    #[cfg(debug_assertions)]
    if let Some(fault) = std::env::var_os(env::TOTO_FAULT) {
        return fault == "prune";
    }
    jiff::Timestamp::now().as_microsecond() % PRUNE_EVERY == 0
}

/// Writes the compacted text of the saved output at `path` beside the output, for its further pages.
pub fn keep_compacted(path: &Path, text: &[u8]) -> io::Result<()> {
    write_whole(&path.with_extension(COMPACTED), text).map(drop)
}

/// The saved output that `wanted` names, an id or `last`: in `session`, else in any other; the last of a session that
/// has a name is never another's.
pub fn find(session: &OsStr, wanted: &str) -> Option<Saved> {
    let named = |saved: &Saved| wanted == "last" || saved.id == wanted;
    let own = Store::of_session(session).saved().into_iter().rev().find(named);
    if wanted == "last" && session != NO_SESSION {
        return own;
    }
    own.or_else(|| {
        sessions().iter().flat_map(|dir| saved_in(dir)).filter(named).max_by(|a, b| a.name().cmp(b.name()))
    })
}

/// The directory of saved outputs below the home; `None` without a home.
pub fn root() -> Option<PathBuf> {
    Place::home().map(|place| place.root)
}

/// The session in force: `TOTO_SESSION`, else the agent's own variable, else `default`.
pub fn current_session(agent_variable: Option<&str>) -> OsString {
    let mut sessions =
        [Some(env::TOTO_SESSION), agent_variable].into_iter().flatten().filter_map(std::env::var_os);
    sessions.find(|session| !session.is_empty()).unwrap_or_else(|| NO_SESSION.into())
}

/// The session of the caller of `toto`: `TOTO_SESSION`, else the first session variable of a known agent that is set.
pub fn session_of_caller() -> OsString {
    let set = |variable: &&str| std::env::var_os(variable).is_some_and(|session| !session.is_empty());
    current_session(agents::all().filter_map(|agent| agent.session_variable).find(set))
}

/// A name from outside as a file name: characters other than letters, digits, `-` and `_` become `_`; 64 bytes at most.
fn file_name(name: &OsStr) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    name.to_string_lossy().chars().take(64).map(safe).collect()
}

#[cfg(test)]
#[path = "../tests/unit/store.rs"]
mod tests;

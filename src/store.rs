//! Saved outputs: what was left out of an output is one command away (`toto show ID`).
//!
//! `$XDG_STATE_HOME/toto/outputs/SESSION/20261121T120000.123Z-aws-k7q2x.out` (`.err` for standard error): files are
//! 0600 in 0700 directories, their names sort by time. Beside each, once its tool has ended, `.json` holds its facts.

mod facts;
mod id;
mod live;
mod ownership;
mod prune;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

pub use facts::Facts;
pub use id::Id;
pub use live::Live;
pub use prune::{Surplus, remove, surplus};

use crate::agents;
use crate::config::Kept;
use crate::env;

/// One run in this many looks for what is too old, so that the others do not pay for it.
const PRUNE_EVERY: u32 = 32;
/// Extension of the facts beside a saved output.
const FACTS: &str = "json";
/// How the name of a file begins that is not yet complete.
const TEMPORARY: &str = ".saving-";

/// Which stream was saved: the file's extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Standard output, and what was merged into it.
    Out,
    /// Standard error by itself.
    Err,
}

impl Source {
    fn extension(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Err => "err",
        }
    }
}

/// A saved output on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Where it is.
    pub path: PathBuf,
    /// Its short name.
    pub id: String,
    /// The tool that printed it.
    pub tool: String,
    /// When, as `20261121T120000.123Z`.
    pub time: String,
}

impl Saved {
    /// None for a file that is no saved output.
    fn at(path: PathBuf) -> Option<Self> {
        if !path.extension().is_some_and(|extension| extension == "out" || extension == "err") {
            return None;
        }
        let stem = path.file_stem()?.to_str()?;
        let (time, rest) = stem.split_once('-')?;
        let (tool, id) = rest.rsplit_once('-')?;
        Some(Self { id: id.into(), tool: tool.into(), time: time.into(), path })
    }

    fn name(&self) -> &OsStr {
        self.path.file_name().unwrap_or_default()
    }
}

/// The saved outputs of one session.
#[derive(Clone, Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// The store of `session`; nothing is made on disk yet. `None` without a home.
    pub fn of_session(session: &OsStr) -> Option<Self> {
        Some(Self { dir: root()?.join(file_name(session)) })
    }

    /// Where this session's outputs are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Saves `bytes`, the output of `tool`, as `id`; appears whole or not at all.
    ///
    /// # Errors
    /// What the file system says: read-only, full, not permitted. `AlreadyExists` if the id is taken.
    pub fn save(&self, id: &Id, tool: &str, source: Source, bytes: &[u8]) -> io::Result<PathBuf> {
        self.make()?;
        if self.saved().iter().any(|saved| saved.id == id.0) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let path = self.path_of(id, tool, source);
        self.write_whole(&path, bytes)?;
        Ok(path)
    }

    /// A new saved output that is written while the tool runs; locked as long as it is.
    ///
    /// # Errors
    /// What the file system says: read-only, full, not permitted.
    pub fn live(&self, tool: &str, source: Source) -> io::Result<Live> {
        self.make()?;
        let taken = self.saved();
        let id = std::iter::repeat_with(Id::new)
            .find(|id| taken.iter().all(|saved| saved.id != id.0))
            .unwrap_or_default();
        let path = self.path_of(&id, tool, source);
        let file = File::options().read(true).append(true).create_new(true).mode(0o600).open(&path)?;
        // Where there are no locks nothing is lost by it.
        let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
        Ok(Live::new(file, path, id))
    }

    /// Writes down what is known of the saved output at `path`, and now and then prunes. What fails here is only
    /// missing in listings.
    pub fn conclude(&self, path: &Path, facts: &Facts, kept: Kept) {
        if let Ok(text) = serde_json::to_vec(facts) {
            let _ = self.write_whole(&path.with_extension(FACTS), &text);
        }
        if std::process::id().is_multiple_of(PRUNE_EVERY) {
            remove(&surplus(kept, false));
        }
    }

    /// Everything saved, oldest first.
    pub fn saved(&self) -> Vec<Saved> {
        saved_in(&self.dir)
    }

    fn make(&self) -> io::Result<()> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        if let Some(root) = root().filter(|root| self.dir.starts_with(root)) {
            root.parent().map_or(Ok(()), ownership::claim)?;
            ownership::claim(&root)?;
        }
        ownership::claim(&self.dir)
    }

    fn path_of(&self, id: &Id, tool: &str, source: Source) -> PathBuf {
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ");
        self.dir.join(format!("{stamp}-{}-{id}.{}", file_name(OsStr::new(tool)), source.extension()))
    }

    fn write_whole(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .permissions(std::fs::Permissions::from_mode(0o600))
            .tempfile_in(&self.dir)?;
        file.write_all(bytes)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The saved output that `wanted` names, an id or `last`: in `session`, else in any other.
pub fn find(session: &OsStr, wanted: &str) -> Option<Saved> {
    let named = |saved: &Saved| wanted == "last" || saved.id == wanted;
    let own = Store::of_session(session).and_then(|store| store.saved().into_iter().rev().find(named));
    own.or_else(|| {
        sessions().iter().flat_map(|dir| saved_in(dir)).filter(named).max_by(|a, b| a.name().cmp(b.name()))
    })
}

/// Every session's directory.
pub fn sessions() -> Vec<PathBuf> {
    let is_ours = |root: &PathBuf| root.parent().is_some_and(ownership::is_ours) && ownership::is_ours(root);
    let entries = root().filter(is_ours).and_then(|root| std::fs::read_dir(root).ok());
    entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The saved outputs in a session's directory, oldest first.
pub fn saved_in(dir: &Path) -> Vec<Saved> {
    if !ownership::is_ours(dir) {
        return Vec::new();
    }
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut saved: Vec<_> = entries.flatten().filter_map(|entry| Saved::at(entry.path())).collect();
    saved.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    saved
}

/// The directory that holds every session's; `None` without a home.
pub fn root() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/outputs")
}

/// The session in force: `TOTO_SESSION`, else the agent's own variable, else `default`.
pub fn current_session(agent_variable: Option<&str>) -> OsString {
    [Some(env::TOTO_SESSION), agent_variable]
        .into_iter()
        .flatten()
        .filter_map(std::env::var_os)
        .find(|session| !session.is_empty())
        .unwrap_or_else(|| "default".into())
}

/// The session of whoever called the command line: `TOTO_SESSION`, else what any known agent's variable names.
pub fn session_of_caller() -> OsString {
    let set = |variable: &&str| std::env::var_os(variable).is_some_and(|session| !session.is_empty());
    current_session(agents::all().filter_map(|agent| agent.session_variable).find(set))
}

/// A name from outside as a file name: letters, digits, `-` and `_`, 64 bytes at most.
fn file_name(name: &OsStr) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    name.to_string_lossy().chars().take(64).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(dir: &Path) -> Store {
        Store { dir: dir.join("s") }
    }

    #[test]
    fn what_was_saved_is_listed_in_order_of_time_and_for_its_owner_only() {
        let home = tempfile::tempdir().unwrap();
        let store = store(home.path());
        let ids = [Id("zzzzz".into()), Id("bbbbb".into())];
        let first = store.save(&ids[0], "aws", Source::Out, b"one").unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
        store.save(&ids[1], "docker-compose", Source::Err, b"two\0").unwrap();
        let saved = store.saved();
        let told: Vec<_> = saved.iter().map(|s| (s.id.as_str(), s.tool.as_str())).collect();
        assert_eq!(told, [("zzzzz", "aws"), ("bbbbb", "docker-compose")]);
        assert_eq!(std::fs::read(&saved[1].path).unwrap(), b"two\0");
        assert_eq!(first.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(store.dir().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn an_id_is_not_given_twice() {
        let home = tempfile::tempdir().unwrap();
        let id = Id::new();
        store(home.path()).save(&id, "aws", Source::Out, b"one").unwrap();
        let again = store(home.path()).save(&id, "aws", Source::Out, b"two").unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn a_live_copy_is_read_back_also_when_its_name_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let mut live = store(home.path()).live("cargo", Source::Out).unwrap();
        live.append(b"some ").unwrap();
        live.append(b"bytes").unwrap();
        assert_eq!(std::fs::read(live.path()).unwrap(), b"some bytes");
        std::fs::remove_file(live.path()).unwrap();
        assert_eq!(live.read_back().unwrap(), b"some bytes");
        live.discard();
    }

    #[test]
    fn a_session_cannot_leave_its_directory() {
        assert_eq!(file_name(OsStr::new("../../etc/x y")), "______etc_x_y");
    }
}

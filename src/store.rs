//! Saved outputs: what was left out of an output is one command away (`toto show ID`).
//!
//! `$XDG_STATE_HOME/toto/outputs/SESSION/20261121T120000.123Z-aws-k7q2x.out`: files are 0600 in 0700
//! directories, their names sort by time.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::env;

const KEEP_FOR: Duration = Duration::from_secs(7 * 24 * 3600);
const KEEP_AT_MOST: usize = 200;
/// One run in this many looks for what is too old, so that the others do not pay for it.
const PRUNE_EVERY: u32 = 32;
const ID_LENGTH: usize = 5;
/// No vowels and no look-alikes: neither a word nor a misread.
const ID_ALPHABET: &[u8; 24] = b"23456789bcdfghjkmnpqrstv";

/// A short name for a saved output: `toto show ID`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id(String);

impl Id {
    /// A new one, out of the clock and the process id.
    pub fn new() -> Self {
        let nanos =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
        let mut seed = (nanos ^ u64::from(std::process::id()) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        seed ^= seed >> 29;
        let mut letter = || {
            let index = seed % ID_ALPHABET.len() as u64;
            seed /= ID_ALPHABET.len() as u64;
            char::from(ID_ALPHABET[index as usize])
        };
        Self((0..ID_LENGTH).map(|_| letter()).collect())
    }
}

impl Default for Id {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The saved outputs of one session.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// The store of `session`; nothing is made on disk yet. `None` without a home.
    pub fn of_session(session: &OsStr) -> Option<Self> {
        Some(Self { dir: root()?.join(directory_name(session)) })
    }

    /// Where this session's outputs are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Saves `bytes`, the output of `tool`, as `id`; appears whole or not at all.
    ///
    /// # Errors
    /// What the file system says: read-only, full, not permitted.
    pub fn save(&self, id: &Id, tool: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.dir)?;
        let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S.%3fZ");
        let path = self.dir.join(format!("{stamp}-{}-{id}.out", directory_name(OsStr::new(tool))));
        let mut file = tempfile::Builder::new()
            .prefix(".saving-")
            .permissions(std::fs::Permissions::from_mode(0o600))
            .tempfile_in(&self.dir)?;
        file.write_all(bytes)?;
        file.persist(&path).map_err(|error| error.error)?;
        if std::process::id().is_multiple_of(PRUNE_EVERY) {
            self.prune();
        }
        Ok(path)
    }

    /// The saved output that `wanted` names: an id, or `last`.
    pub fn find(&self, wanted: &str) -> Option<PathBuf> {
        let suffix = format!("-{wanted}.out");
        self.saved().into_iter().rev().find(|path| {
            wanted == "last" || path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&suffix))
        })
    }

    /// Oldest first.
    fn saved(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<_> = paths.filter(|path| path.extension() == Some(OsStr::new("out"))).collect();
        paths.sort_unstable();
        paths
    }

    fn prune(&self) {
        let saved = self.saved();
        let surplus = saved.len().saturating_sub(KEEP_AT_MOST);
        for (index, path) in saved.iter().enumerate() {
            let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|at| at.elapsed().ok());
            if index < surplus || age.is_some_and(|age| age > KEEP_FOR) {
                // Another run may have pruned it already.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// The directory that holds every session's; `None` without a home.
pub fn root() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/outputs")
}

/// The session in force: `TOTO_SESSION`, else the agent's own variable, else `default`.
pub fn current_session(agent_variable: Option<&str>) -> std::ffi::OsString {
    [Some(env::TOTO_SESSION), agent_variable]
        .into_iter()
        .flatten()
        .filter_map(std::env::var_os)
        .find(|session| !session.is_empty())
        .unwrap_or_else(|| "default".into())
}

/// A name from outside as a file name: letters, digits, `-` and `_`, 64 bytes at most.
fn directory_name(name: &OsStr) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    name.to_string_lossy().chars().take(64).map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_found_by_id_and_as_last() {
        let home = tempfile::tempdir().unwrap();
        let store = Store { dir: home.path().join("s") };
        let ids = [Id("aaaaa".into()), Id("bbbbb".into())];
        let first = store.save(&ids[0], "aws", b"one").unwrap();
        std::thread::sleep(Duration::from_millis(2));
        store.save(&ids[1], "kubectl", b"two\0").unwrap();
        assert_eq!(store.find("aaaaa"), Some(first.clone()));
        assert_eq!(std::fs::read(store.find("last").unwrap()).unwrap(), b"two\0");
        assert_eq!(store.find("ccccc"), None);
        assert_eq!(first.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(store.dir().metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn the_oldest_are_pruned() {
        let home = tempfile::tempdir().unwrap();
        let store = Store { dir: home.path().to_owned() };
        for n in 0..KEEP_AT_MOST + 3 {
            std::fs::write(home.path().join(format!("{n:04}-aws-x.out")), "").unwrap();
        }
        store.prune();
        assert_eq!(store.saved().len(), KEEP_AT_MOST);
        assert!(!home.path().join("0002-aws-x.out").exists());
    }

    #[test]
    fn a_session_cannot_leave_its_directory() {
        assert_eq!(directory_name(OsStr::new("../../etc/x y")), "______etc_x_y");
    }
}

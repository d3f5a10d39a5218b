//! Trust in a project's filters: only files whose bytes the user has seen may change what the user's agents read.
//!
//! A pin is a file's path and the SHA-256 of its bytes. A file is read once, so that the bytes that are hashed are
//! those that are used.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use crate::env;
use crate::sys::directory;
use crate::sys::files::{if_there, make_private, read_small};

pub const LONGEST_FILE: u64 = 256 << 10;
const LONGEST_LIST: u64 = 4 << 20;
/// Number of directories searched for a project's filters, from the working directory upwards.
const HIGHEST: usize = 40;
const TOLD_AGAIN: Duration = Duration::from_secs(3600);
/// Length of a stamp's name: hexadecimal digits of the warning's hash.
const STAMP: usize = 32;
const MOST_STAMPS: usize = 1000;
/// Directory of a project's filters, relative to the project.
const BELOW: &str = ".toto/filters";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The file is pinned with these bytes.
    Trusted,
    /// The file is pinned with other bytes.
    Changed,
    /// The file is not pinned.
    Unknown,
}

/// The pinned files: their paths and hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins(BTreeMap<PathBuf, String>);

/// Path of the user's list of pins; `None` without a home directory.
pub fn list_path() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_DATA_HOME, ".local/share", "toto/trusted")
}

/// Directory of the project's filters: the nearest `.toto/filters` from `from` up to the root of its repository.
/// Outside a repository only `from` itself is searched.
pub fn project_directory(from: &Path) -> Option<PathBuf> {
    let mut found = None;
    for directory in from.ancestors().take(HIGHEST) {
        let filters = directory.join(BELOW);
        if found.is_none() && filters.is_dir() {
            found = Some(filters);
        }
        if found.is_some() && directory == from || directory.join(".git").exists() {
            return found;
        }
    }
    None
}

impl Pins {
    /// The user's pins; empty where there is no list.
    pub fn load() -> io::Result<Self> {
        let Some(path) = list_path() else { return Ok(Self::default()) };
        let list = if_there(read_small(&path, LONGEST_LIST))
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
        Ok(list.map_or_else(Self::default, |list| Self::parse(&String::from_utf8_lossy(&list))))
    }

    fn parse(text: &str) -> Self {
        let pin = |line: &str| line.split_once("  ").map(|(hash, path)| (path.into(), hash.to_owned()));
        Self(text.lines().rev().filter_map(pin).collect())
    }

    /// Writes the list: whole or not at all.
    pub fn save(&self) -> io::Result<()> {
        let path = list_path().ok_or_else(|| io::Error::other("no home directory"))?;
        let directory = path.parent().unwrap_or(Path::new("/"));
        make_private(directory)?;
        let mut file = tempfile::NamedTempFile::new_in(directory)?;
        let mut text = String::new();
        for (path, hash) in &self.0 {
            let _ = writeln!(text, "{hash}  {}", path.display());
        }
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }

    /// Whether `bytes`, as read from `path`, are trusted. The path is absolute and without symbolic links.
    pub fn standing(&self, path: &Path, bytes: &[u8]) -> Standing {
        match self.0.get(path) {
            Some(pinned) if *pinned == hash(bytes) => Standing::Trusted,
            Some(_) => Standing::Changed,
            None => Standing::Unknown,
        }
    }

    /// Pins `path` with these bytes, in place of an earlier pin. Fails where the path is not UTF-8 or has a line break:
    /// the list has one line per pin.
    pub fn pin(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if path.to_str().is_none_or(|path| path.contains('\n')) {
            return Err(io::Error::other(format!("{}: such a path cannot be trusted", path.display())));
        }
        self.remove(path);
        self.0.insert(path.to_owned(), hash(bytes));
        Ok(())
    }

    /// Removes the pin of a file, or all pins below a directory; returns the number of removed pins.
    pub fn remove(&mut self, path: &Path) -> usize {
        let before = self.0.len();
        self.0.retain(|known, _| !known.starts_with(path));
        before - self.0.len()
    }
}

/// Whether this warning was not given in the last hour; records it as given now. Where it cannot be recorded, the
/// warning is repeated.
pub fn should_warn_again(what: &str) -> bool {
    let Some(directory) = env::xdg_dir(env::XDG_STATE_HOME, ".local/state", "toto/told") else { return true };
    let stamp = directory.join(&hash(what.as_bytes())[..STAMP]);
    let age = |path: &Path| path.symlink_metadata().and_then(|stamp| stamp.modified()).ok()?.elapsed().ok();
    if age(&stamp).is_some_and(|age| age < TOLD_AGAIN) {
        return false;
    }
    let _ = make_private(&directory);
    let _ = std::fs::remove_file(&stamp);
    let _ = File::create_new(&stamp);
    // Expired stamps are removed.
    for old in directory::entries(&directory).unwrap_or_default().iter().take(MOST_STAMPS) {
        if age(old).is_some_and(|age| age >= TOLD_AGAIN) {
            let _ = std::fs::remove_file(old);
        }
    }
    true
}

/// The SHA-256 of `bytes`, in hexadecimal.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
#[path = "../tests/unit/trust.rs"]
mod tests;

//! Packs: filters of other people, which are fetched, shown, and installed and pinned once the user agrees.
//!
//! Installed packs lie in the user's own data directory. Only `update` fetches them again, and it shows what changed.
//! Installing runs nothing of a pack and checks nothing out: its files are read as bytes.

mod fetch;

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use fetch::tarball;
pub(crate) use fetch::{Fetched, fetch};

use crate::custom::places::{packs, packs_directory};
use crate::mistake;
use crate::sys::files::make_private;
use crate::trust::hash;

const ABOUT: &str = "pack.toml";

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Pack {
    /// Where it was fetched from: the source that was given to [`install`].
    pub source: String,
    /// The commit, if the source is a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The SHA-256 over the paths and hashes of its files.
    pub sha256: String,
}

/// A file of a pack: its path below `filters/`, and its bytes.
pub type File = (PathBuf, Vec<u8>);

/// The default name of a pack: the last part of its source.
pub fn name_of(source: &str) -> Option<String> {
    let last = source.trim_end_matches('/').rsplit(['/', ':']).next()?;
    let endings = [".git", ".tar", ".tar.gz", ".tgz"];
    let name = endings.iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    is_name(name).then(|| name.to_owned())
}

pub fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && name.len() <= 64 && !name.starts_with('.') && name.chars().all(plain)
}

/// Every installed pack with its name, sorted.
pub fn installed() -> Vec<(String, Pack)> {
    let pack = |path: PathBuf| {
        let about = std::fs::read_to_string(path.join(ABOUT)).ok()?;
        Some((path.file_name()?.to_str()?.to_owned(), mistake::parse(&about, false).ok()?))
    };
    packs().into_iter().filter_map(pack).collect()
}

pub(crate) fn files_of(name: &str) -> anyhow::Result<Vec<File>> {
    let directory = directory(name)?.join("filters");
    if directory.is_dir() { fetch::directory(&directory) } else { Ok(Vec::new()) }
}

/// Installs files under a name, whole or not at all, in place of what was installed under that name.
pub(crate) fn install(name: &str, source: &str, fetched: &Fetched) -> anyhow::Result<Pack> {
    let directory = directory(name)?;
    let parent = directory.parent().unwrap_or(Path::new("/"));
    make_private(parent)?;
    let made = tempfile::Builder::new().prefix(".new-").tempdir_in(parent)?;
    for (path, bytes) in &fetched.files {
        let path = made.path().join("filters").join(path);
        make_private(path.parent().unwrap_or(parent))?;
        fs_err::write(path, bytes)?;
    }
    let line = |(path, bytes): &File| format!("{}  {}\n", hash(bytes), path.display());
    let sha256 = hash(fetched.files.iter().map(line).collect::<String>().as_bytes());
    let pack = Pack { source: source.to_owned(), commit: fetched.commit.clone(), sha256 };
    fs_err::write(made.path().join(ABOUT), toml::to_string(&pack)?)?;
    let old = directory.with_file_name(format!(".old-{name}"));
    let _ = std::fs::remove_dir_all(&old);
    let _ = std::fs::rename(&directory, &old);
    if let Err(error) = fs_err::rename(made.path(), &directory) {
        let _ = std::fs::rename(&old, &directory);
        return Err(error.into());
    }
    let _ = std::fs::remove_dir_all(&old);
    Ok(pack)
}

/// Removes a pack; fails where there is none of this name.
pub(crate) fn remove(name: &str) -> anyhow::Result<()> {
    Ok(fs_err::remove_dir_all(directory(name)?)?)
}

fn directory(name: &str) -> anyhow::Result<PathBuf> {
    anyhow::ensure!(is_name(name), "{name:?} is no name of a pack");
    Ok(packs_directory().ok_or_else(|| anyhow::anyhow!("no home directory"))?.join(name))
}

/// Whether the path is a filter's and not that of a test beside one.
pub fn is_filter(path: &Path) -> bool {
    let in_tests = |part: Component<'_>| part.as_os_str().to_string_lossy().ends_with("_test");
    path.extension().is_some_and(|extension| extension == "toml") && !path.components().any(in_tests)
}

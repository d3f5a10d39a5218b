//! The directories of users' own filters.

use std::path::{Path, PathBuf};

use once_cell::sync::Lazy;

use crate::sys::directory;
use crate::{env, trust};

/// Levels below a directory of filters.
const DEEPEST: usize = 4;

/// Directories of the user's own filters: `~/.config/toto/filters`, then those of installed packs.
pub fn user_directories() -> &'static [PathBuf] {
    static DIRECTORIES: Lazy<Vec<PathBuf>> = Lazy::new(|| {
        let own = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/filters");
        own.into_iter().chain(packs().into_iter().map(|pack| pack.join("filters"))).collect()
    });
    &DIRECTORIES
}

/// The directories of installed packs, sorted by the packs' names.
pub fn packs() -> Vec<PathBuf> {
    let packs = packs_directory().and_then(|packs| directory::entries(&packs).ok());
    let mut packs = packs.unwrap_or_default();
    packs.sort_unstable();
    packs
}

/// The directory in which packs are installed.
pub fn packs_directory() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_DATA_HOME, ".local/share", "toto/packs")
}

/// Directory of the filters of the project that the working directory belongs to, without symbolic links.
pub fn project_directory() -> Option<&'static Path> {
    static DIRECTORY: Lazy<Option<PathBuf>> =
        Lazy::new(|| trust::project_directory(&std::env::current_dir().ok()?)?.canonicalize().ok());
    DIRECTORY.as_deref()
}

/// The files with one of these endings, sorted, of the first `most` entries below a directory; no tests beside filters.
pub fn files_below(directory: &Path, most: usize, endings: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut waiting, mut seen) = (Vec::new(), vec![(directory.to_owned(), 0)], 0);
    while let Some((directory, depth)) = waiting.pop().filter(|_| seen < most) {
        for path in directory::entries(&directory).unwrap_or_default().into_iter().take(most - seen) {
            seen += 1;
            let is_directory = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            let is_test = path.to_string_lossy().ends_with("_test");
            if is_directory && depth < DEEPEST && !is_test {
                waiting.push((path, depth + 1));
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    found
}

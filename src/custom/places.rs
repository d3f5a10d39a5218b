//! The directories of users' own filters.

use std::path::{Path, PathBuf};

use once_cell::sync::Lazy;

use crate::sys::directory;
use crate::{env, trust};

/// Directories of the user's own filters: `~/.config/toto/filters`, then those of installed packs.
pub fn user_directories() -> &'static [PathBuf] {
    static DIRECTORIES: Lazy<Vec<PathBuf>> = Lazy::new(|| {
        let own = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/filters");
        own.into_iter().chain(pack_directories()).collect()
    });
    &DIRECTORIES
}

/// Directories of the filters of installed packs, sorted by the packs' names.
fn pack_directories() -> Vec<PathBuf> {
    let packs = packs_directory().and_then(|packs| directory::entries(&packs).ok());
    let mut found: Vec<PathBuf> = packs.into_iter().flatten().map(|pack| pack.join("filters")).collect();
    found.sort();
    found
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

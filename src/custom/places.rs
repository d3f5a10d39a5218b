//! Where users' own filters lie.

use std::path::{Path, PathBuf};

use once_cell::sync::Lazy;

use crate::sys::directory;
use crate::{env, trust};

/// Where the user's own filters lie: `~/.config/toto/filters`, then each installed pack.
pub fn user_directories() -> &'static [PathBuf] {
    static DIRECTORIES: Lazy<Vec<PathBuf>> = Lazy::new(|| {
        let own = env::xdg_dir(env::XDG_CONFIG_HOME, ".config", "toto/filters");
        own.into_iter().chain(pack_directories()).collect()
    });
    &DIRECTORIES
}

/// Where the filters of installed packs lie, sorted by the packs' names.
fn pack_directories() -> Vec<PathBuf> {
    let packs = packs_directory().and_then(|packs| directory::entries(&packs).ok());
    let mut found: Vec<PathBuf> = packs.into_iter().flatten().map(|pack| pack.join("filters")).collect();
    found.sort();
    found
}

/// Where packs are installed.
pub fn packs_directory() -> Option<PathBuf> {
    env::xdg_dir(env::XDG_DATA_HOME, ".local/share", "toto/packs")
}

/// Where the filters of the project lie that the working directory belongs to.
pub fn project_directory() -> Option<&'static Path> {
    static DIRECTORY: Lazy<Option<PathBuf>> =
        Lazy::new(|| trust::project_directory(&std::env::current_dir().ok()?)?.canonicalize().ok());
    DIRECTORY.as_deref()
}

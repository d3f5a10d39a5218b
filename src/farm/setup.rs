//! Installs toto for a user, and removes every trace of it.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::changes::{Changes, read};
use super::shells::{Homes, Language, with_line, without_lines};
use super::{Farm, reach};
use crate::edits::{self, MADE};
use crate::env;
use crate::glob;
use crate::sys::directory;

/// Directory of manual pages and completions in toto's own, where `man` and bash look beside a directory on PATH.
pub const SHARE: &str = "share";

/// Copies the running binary into toto's directory, unless it is there already, and links the command `toto`.
pub fn install(farm: &Farm, changes: &mut Changes) -> anyhow::Result<()> {
    changes.copy_program(&std::env::current_exe()?, &farm.binary())?;
    let link = farm.directory().join(super::OWN_NAMES[0]);
    let is_new = if changes.dry {
        link.symlink_metadata().is_err()
    } else {
        farm.place(super::OWN_NAMES[0].as_ref(), false)? != super::Linked::Already
    };
    if is_new {
        changes.note("linked", "link", link.display());
    }
    Ok(())
}

/// Writes the `env` files, which put the farm in front of PATH, and the files that an agent's own shell reads.
pub fn write_env_files(farm: &Farm, home: &Path, changes: &mut Changes) -> anyhow::Result<()> {
    for language in [Language::Posix, Language::Fish] {
        let text = language.env_text(farm.home(), home);
        changes.write(&farm.home().join(language.env_file()), text.as_bytes())?;
    }
    reach::write(farm, home, changes)
}

/// Puts the marked line into each shell's start files. The error names those that cannot be changed; all others are.
pub fn edit_start_files(farm: &Farm, homes: &Homes, changes: &mut Changes) -> io::Result<()> {
    let files = homes.start_files();
    if !changes.dry {
        edits::note_missing(farm.home(), files.iter().map(|file| &*file.path))?;
    }
    all(files, |file| {
        let line = file.language.reading(file.language.env_file(), farm.home(), &homes.home);
        let old = read(&file.path)?;
        changes.write(&file.path, &with_line(old.as_deref(), &line, file.place))
    })
}

/// Changes all of the files; the error names each that failed.
fn all<F>(files: Vec<F>, mut change: impl FnMut(F) -> io::Result<()>) -> io::Result<()> {
    let errors = files.into_iter().filter_map(|file| change(file).err());
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    if errors.is_empty() { Ok(()) } else { Err(io::Error::other(errors.join("; "))) }
}

pub fn is_in_start_files(homes: &Homes) -> bool {
    let has_line = |path: PathBuf| {
        let text = read(&path).ok().flatten();
        text.is_some_and(|text| without_lines(&text).as_ref() != Some(&text))
    };
    homes.all_start_files().into_iter().any(has_line)
}

/// Takes our lines out of every start file, and removes the files that were ours alone. The error names those that
/// cannot be read or changed; all others are restored.
pub fn restore_start_files(farm: &Farm, homes: &Homes, changes: &mut Changes) -> io::Result<()> {
    let restored = all(homes.all_start_files(), |path| match read(&path)?.map(|old| without_lines(&old)) {
        Some(Some(new)) => changes.write(&path, &new),
        Some(None) => changes.remove(&edits::end_of_links(&path)),
        None => Ok(()),
    });
    if !changes.dry {
        for directory in edits::sweep(farm.home())? {
            changes.note("removed", "remove", directory.display());
        }
    }
    restored
}

/// Removes shims, `env` files and the binary. Someone else's files in the farm stay, and are returned.
pub fn remove_farm(farm: &Farm, changes: &mut Changes) -> io::Result<Vec<PathBuf>> {
    let mut foreign = Vec::new();
    for path in directory::entries(&farm.directory()).unwrap_or_default() {
        match super::ownership(&path) {
            super::Ownership::Ours => changes.remove(&path)?,
            super::Ownership::Foreign => foreign.push(path),
            super::Ownership::Free => {}
        }
    }
    changes.remove_if_empty(&farm.directory());
    reach::remove(farm, changes)?;
    for name in [Language::Posix.env_file(), Language::Fish.env_file(), "toto", MADE] {
        changes.remove(&farm.home().join(name))?;
    }
    remove_share(&farm.home().join(SHARE), changes)?;
    changes.remove_if_empty(farm.home());
    Ok(foreign)
}

/// Removes manual pages and completions, told as one change. What else is there stays: it may be others'.
fn remove_share(share: &Path, changes: &mut Changes) -> io::Result<()> {
    let mut removed = Changes::new(changes.dry);
    for (directory, ours) in
        [("man/man1", "toto-*.1"), ("man/man1", "toto.1"), ("bash-completion/completions", "toto")]
    {
        let directory = share.join(directory);
        for path in directory::entries(&directory).unwrap_or_default() {
            if glob::matches(ours, path.file_name().unwrap_or_default().as_bytes()) {
                removed.remove(&path)?;
            }
        }
        for emptied in directory.ancestors().take(3) {
            removed.remove_if_empty(emptied);
        }
    }
    if !removed.lines.is_empty() {
        changes.note("removed", "remove", format!("{}: manual pages and completions", share.display()));
    }
    Ok(())
}

/// What lies below the XDG directories: whether toto wrote it, else the user for toto; variable, default, and names.
/// Other files there are somebody else's.
const DATA: &[(bool, &str, &str, &[&str])] = &[
    (true, env::XDG_STATE_HOME, ".local/state", &["outputs", "told"]),
    (true, env::XDG_DATA_HOME, ".local/share", &["spool", "ledger.*", "gain.html", "trusted", "packs"]),
    (false, env::XDG_CONFIG_HOME, ".config", &["config.toml", "rewrites.toml", "filters", "agents"]),
];

/// Removes what toto wrote, and what the user wrote for toto, where these go. Returns what is left in the directories
/// named `toto`: the user's files, and files of unknown origin.
pub fn remove_data([ours, users]: [bool; 2], changes: &mut Changes) -> io::Result<Vec<PathBuf>> {
    let mut left = Vec::new();
    for (is_ours, variable, default, names) in DATA {
        let goes = if *is_ours { ours } else { users };
        let Some(directory) = env::xdg_dir(variable, default, "toto") else { continue };
        for path in directory::entries(&directory).unwrap_or_default() {
            let name = path.file_name().unwrap_or_default().as_bytes();
            let is_known = names.iter().any(|known| glob::matches(known, name));
            match path.symlink_metadata() {
                Ok(metadata) if goes && is_known && metadata.is_dir() => {
                    changes.remove_by(|path| fs_err::remove_dir_all(path), &path)?;
                }
                Ok(_) if goes && is_known => changes.remove(&path)?,
                _ => left.push(path),
            }
        }
        changes.remove_if_empty(&directory);
    }
    Ok(left)
}

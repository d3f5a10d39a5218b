//! Files on disk: written whole or not at all, through links, with their mode and owner kept; and the directories that
//! toto created for them. Those are removed once they are empty again; every other directory stays, even if it is
//! empty. All changes share one list, since one directory may hold several of them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::sys::files::if_there;

/// The path behind all symbolic links, whether or not there is a file. Dotfile managers put links in place of files.
pub fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..40 {
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("/")).join(target),
            Err(_) => break,
        }
    }
    path
}

/// A file's bytes; `None` where there is no file.
pub fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    if_there(fs::read(path))
}

/// Writes a file through links, its mode and owner kept: whole or not at all. After an error the old text is there.
pub fn write(path: &Path, text: &[u8]) -> io::Result<()> {
    let path = end_of_links(path);
    let Ok(old) = path.metadata() else {
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        return replace(&path, text, None);
    };
    if old.nlink() == 1 && replace(&path, text, Some(&old)).is_ok() {
        return Ok(());
    }
    // The file is a mount point, has hard links, or lies in a directory that we cannot write to.
    let before = fs::read(&path)?;
    fs::write(&path, text).inspect_err(|_| drop(std::fs::write(&path, before)))
}

fn replace(path: &Path, text: &[u8], old: Option<&std::fs::Metadata>) -> io::Result<()> {
    let mode = old.map_or(0o666, |old| old.mode() & 0o7777);
    let directory = path.parent().unwrap_or(Path::new("/"));
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    // The process's umask applies to a new file, as to any other.
    let permissions = std::fs::Permissions::from_mode(mode);
    let file =
        tempfile::Builder::new().permissions(permissions.clone()).tempfile_in(directory).map_err(named)?;
    std::fs::write(file.path(), text).map_err(named)?;
    if let Some(old) = old {
        let new = file.as_file().metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            std::os::unix::fs::chown(file.path(), Some(old.uid()), Some(old.gid()))?;
        }
        std::fs::set_permissions(file.path(), permissions).map_err(named)?;
    }
    file.persist(path).map_err(|error| named(error.error))?;
    Ok(())
}

/// Name of the list's file in toto's directory. The file holds paths, each followed by NUL.
pub const MADE: &str = "made";

/// Notes the directories above files that are about to be written, as far as they are missing.
pub fn note_missing<'f>(toto_home: &Path, files: impl IntoIterator<Item = &'f Path>) -> io::Result<()> {
    let mut made = noted(toto_home)?;
    for file in files {
        let file = end_of_links(file);
        let above = file.ancestors().skip(1);
        made.extend(above.take_while(|path| path.symlink_metadata().is_err()).map(Path::to_owned));
    }
    keep(toto_home, &made)
}

/// Removes the noted directories that are empty, the innermost first, and returns them. What is gone is forgotten.
pub fn sweep(toto_home: &Path) -> io::Result<Vec<PathBuf>> {
    let mut made = noted(toto_home)?;
    let removed: Vec<_> = made.iter().rev().filter(|path| fs::remove_dir(path).is_ok()).cloned().collect();
    made.retain(|path| path.is_dir());
    keep(toto_home, &made)?;
    Ok(removed)
}

fn noted(toto_home: &Path) -> io::Result<BTreeSet<PathBuf>> {
    let text = read(&toto_home.join(MADE))?.unwrap_or_default();
    let paths = text.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Ok(paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect())
}

fn keep(toto_home: &Path, made: &BTreeSet<PathBuf>) -> io::Result<()> {
    let note = toto_home.join(MADE);
    if made.is_empty() {
        return if_there(std::fs::remove_file(note)).map(drop);
    }
    let text: Vec<_> = made.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\0"]).collect();
    write(&note, &text.concat())
}

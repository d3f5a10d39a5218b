//! Writes files whole or not at all, through links, with their mode and owner kept.

use std::io;
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

//! What lies in a directory. `std::fs::ReadDir` panics where the directory cannot be closed.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags, open};

/// The paths of a directory's entries, in no order; as many as can be read.
///
/// # Errors
/// When it cannot be opened; the path is not named.
pub fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = Dir::new(open(path, flags, Mode::empty())?)?;
    let names = dir.map_while(Result::ok).map(|entry| entry.file_name().to_bytes().to_owned());
    let entries = names.filter(|name| name != b"." && name != b"..");
    Ok(entries.map(|name| path.join(OsStr::from_bytes(&name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_there_but_the_directory_and_its_parent() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".hidden"), "").unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        let mut found = entries(dir.path()).unwrap();
        found.sort();
        assert_eq!(found, [dir.path().join(".hidden"), dir.path().join("sub")]);
        assert_eq!(entries(&dir.path().join("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(entries(&dir.path().join(".hidden")).unwrap_err().kind(), io::ErrorKind::NotADirectory);
    }
}

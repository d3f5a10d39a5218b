//! Lists directories, in place of `std::fs::ReadDir`, which panics where the directory cannot be closed.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags, open};

/// The paths of a directory's entries, in no particular order. The error does not name the path.
pub fn entries(path: &Path) -> io::Result<Vec<PathBuf>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let dir = Dir::new(open(path, flags, Mode::empty())?)?;
    let mut paths = Vec::new();
    for entry in dir {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            paths.push(path.join(OsStr::from_bytes(name)));
        }
    }
    Ok(paths)
}

#[cfg(test)]
#[path = "../../tests/unit/sys/directory.rs"]
mod tests;

//! Directories that were not there before us, and go again with what we put into them; every other stays, though it be
//! empty. One list for everything that we put anywhere: what is in one directory may be several changes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::disk;

/// The list's name in toto's directory: paths, each followed by NUL.
pub const MADE: &str = "made";

/// The directories that we made.
#[derive(Debug)]
pub struct Made {
    note: PathBuf,
    paths: BTreeSet<PathBuf>,
}

impl Made {
    /// As noted in toto's directory.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub fn noted(toto_home: &Path) -> io::Result<Self> {
        let note = toto_home.join(MADE);
        let text = disk::read(&note)?.unwrap_or_default();
        let paths = text.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let paths = paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect();
        Ok(Self { note, paths })
    }

    /// A file is about to be written: the directories above it that are missing will be ours.
    pub fn add_missing(&mut self, file: &Path) {
        let file = disk::end_of_links(file);
        let above = file.ancestors().skip(1);
        self.paths.extend(above.take_while(|path| path.symlink_metadata().is_err()).map(Path::to_owned));
    }

    /// Writes the list down.
    ///
    /// # Errors
    /// The file system's.
    pub fn keep(&self) -> io::Result<()> {
        if self.paths.is_empty() {
            return match std::fs::remove_file(&self.note) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
        }
        let mut text = Vec::new();
        for path in &self.paths {
            text.extend_from_slice(path.as_os_str().as_bytes());
            text.push(0);
        }
        disk::write(&self.note, &text)
    }

    /// Removes those that are empty again, the innermost first. Returns what it removed.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn sweep(mut self) -> io::Result<Vec<PathBuf>> {
        let removed: Vec<_> =
            self.paths.iter().rev().filter(|path| std::fs::remove_dir(path).is_ok()).cloned().collect();
        self.paths.retain(|path| path.is_dir());
        self.keep()?;
        Ok(removed)
    }
}

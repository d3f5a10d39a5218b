//! Directories that toto created. They are removed once they are empty again; every other directory stays, even if it
//! is empty. All changes share one list, since one directory may hold several of them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::disk;
use crate::sys::files::if_there;

/// Name of the list's file in toto's directory. The file holds paths, each followed by NUL.
pub const MADE: &str = "made";

#[derive(Debug)]
pub struct Made {
    note: PathBuf,
    paths: BTreeSet<PathBuf>,
}

impl Made {
    /// Reads the list in toto's directory, which is empty where there is no file.
    pub fn noted(toto_home: &Path) -> io::Result<Self> {
        let note = toto_home.join(MADE);
        let text = disk::read(&note)?.unwrap_or_default();
        let paths = text.split(|byte| *byte == 0).filter(|path| !path.is_empty());
        let paths = paths.map(|path| PathBuf::from(OsStr::from_bytes(path))).collect();
        Ok(Self { note, paths })
    }

    /// Adds the missing directories above a file that is about to be written.
    pub fn add_missing(&mut self, file: &Path) {
        let file = disk::end_of_links(file);
        let above = file.ancestors().skip(1);
        self.paths.extend(above.take_while(|path| path.symlink_metadata().is_err()).map(Path::to_owned));
    }

    /// Writes the list; removes its file where the list is empty.
    pub fn keep(&self) -> io::Result<()> {
        if self.paths.is_empty() {
            return if_there(std::fs::remove_file(&self.note)).map(drop);
        }
        let text: Vec<_> = self.paths.iter().flat_map(|path| [path.as_os_str().as_bytes(), b"\0"]).collect();
        disk::write(&self.note, &text.concat())
    }

    /// Removes the listed directories that are empty, the innermost first, and returns them. What is gone is forgotten.
    pub fn sweep(mut self) -> io::Result<Vec<PathBuf>> {
        let removed: Vec<_> =
            self.paths.iter().rev().filter(|path| std::fs::remove_dir(path).is_ok()).cloned().collect();
        self.paths.retain(|path| path.is_dir());
        self.keep()?;
        Ok(removed)
    }
}

//! Tells a file from every other, by whichever path it is reached.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// A file's identity: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId {
    pub device: u64,
    pub inode: u64,
}

impl FileId {
    /// The identity of the file that a path leads to, links followed.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        std::fs::metadata(path).ok().map(|file| Self::from(&file))
    }
}

impl From<&Metadata> for FileId {
    fn from(file: &Metadata) -> Self {
        Self { device: file.dev(), inode: file.ino() }
    }
}

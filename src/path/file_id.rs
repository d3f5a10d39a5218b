//! What tells a file from every other, by whichever path it is reached.

/// A file's identity: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId {
    /// `st_dev`.
    pub device: u64,
    /// `st_ino`.
    pub inode: u64,
}

impl FileId {
    /// The identity of the file that a path leads to, links followed.
    pub fn of(path: impl rustix::path::Arg) -> Option<Self> {
        rustix::fs::stat(path).ok().map(|stat| Self::from(&stat))
    }
}

impl From<&rustix::fs::Stat> for FileId {
    #[expect(clippy::unnecessary_cast, reason = "the fields' types differ by platform")]
    fn from(stat: &rustix::fs::Stat) -> Self {
        Self { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }
}

//! A saved output that is written while its tool runs: what was read is in the file, even if toto is killed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

/// Bytes that are written between two checks of the free space.
const LOOK_EVERY: u64 = 64 << 20;
/// Free space that is left to others, in bytes.
const LEAVE_FREE: u64 = 256 << 20;
pub struct Live {
    pub path: PathBuf,
    pub id: String,
    file: File,
    pub length: u64,
    look_at: u64,
}

impl Live {
    pub(super) fn new(file: File, path: PathBuf, id: String) -> Self {
        Self { file, path, id, length: 0, look_at: LOOK_EVERY }
    }

    /// Appends `bytes`. After an error (full or almost full, too large by `RLIMIT_FSIZE`, gone) `length` tells
    /// how much of them is in the file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            self.length = self.file.metadata()?.len();
            return Err(error);
        }
        self.length += bytes.len() as u64;
        if self.length >= self.look_at {
            self.look_at += LOOK_EVERY;
            let space = rustix::fs::fstatvfs(&self.file)?;
            if space.f_bavail.saturating_mul(space.f_frsize) < LEAVE_FREE {
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        Ok(())
    }

    /// Everything that was written, even if the file's name is gone by now.
    pub fn read_back(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(self.length as usize)?;
        self.reader()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reader of everything written, from the beginning.
    pub fn reader(&self) -> io::Result<impl Read + '_> {
        (&self.file).seek(SeekFrom::Start(0))?;
        Ok((&self.file).take(self.length))
    }

    /// Removes the file's name. A process that has the file open can still read it.
    pub fn discard(&self) {
        // Another process may have removed it already.
        let _ = std::fs::remove_file(&self.path);
    }
}

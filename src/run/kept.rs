//! What is kept of an output that passes through us: all of it, in memory while it is short and in a live copy once
//! it is not; of a very long output only the beginning and the end.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::stream::{Copying, HELD};
use crate::store::{Live, Source};

/// Most bytes of an output that are kept in a live copy; of a longer output, this much of its beginning.
const MOST_COPIED: u64 = 64 << 20;
/// Bytes of the end that are kept beside that beginning, at least.
const END: usize = 1 << 20;

/// Bytes that are read at once: what a pipe holds (pipe(7)).
const CHUNK: usize = 64 << 10;

/// What is kept of an output that has passed.
#[derive(Default)]
pub struct Kept {
    /// The bytes that were read last, and more; made when it is first needed.
    pub(super) scratch: Vec<u8>,
    /// All of the output, or what has come since the copy was written to.
    buffer: Vec<u8>,
    /// Everything but `buffer`.
    copy: Option<Live>,
    /// Of the output so far, in bytes.
    pub length: u64,
    /// Bytes that came after the viewer's end.
    pub(super) undelivered: u64,
    /// Whether nothing is kept any more.
    pub(super) given_up: bool,
    /// Whether the middle is missing from what was kept.
    pub is_cut: bool,
}

impl Kept {
    /// Drops everything, and keeps nothing from now on: those who read are no viewers.
    pub(super) fn give_up(&mut self) {
        self.discard();
        self.buffer = Vec::new();
        self.copy = None;
        self.given_up = true;
    }

    /// Removes the live copy's file: nobody was told of it.
    pub fn discard(&self) {
        if let Some(copy) = &self.copy {
            copy.discard();
        }
    }

    /// Reads at most `most` bytes from the tool's pipe and returns how many were read; 0 at the pipe's end.
    pub(super) fn take(
        &mut self,
        pipe: &OwnedFd,
        most: usize,
        copying: &Copying<'_>,
    ) -> Result<usize, Errno> {
        self.scratch.resize(CHUNK, 0);
        let read = rustix::io::read(pipe, &mut self.scratch[..most.min(CHUNK)])?;
        self.length += read as u64;
        if !self.given_up {
            self.buffer.extend_from_slice(&self.scratch[..read]);
        }
        if self.buffer.len() >= HELD {
            self.flush(copying);
        }
        Ok(read)
    }

    /// Moves what is in memory into the live copy, as far as that is possible; else keeps the end alone.
    fn flush(&mut self, copying: &Copying<'_>) {
        if !self.is_cut && self.copy.is_none() {
            self.copy = copying.store.live(copying.tool, Source::Out).ok();
        }
        if let Some(copy) = self.copy.as_mut().filter(|copy| !self.is_cut && copy.length < MOST_COPIED)
            && copy.append(&self.buffer).is_ok()
        {
            self.buffer.clear();
            return;
        }
        self.is_cut = true;
        if self.buffer.len() > 2 * END {
            self.buffer.drain(..self.buffer.len() - END);
        }
    }

    /// The live copy, if there is one, with everything in it that was kept (the end of an output without its middle
    /// aside).
    pub fn copy(&mut self) -> Option<&Live> {
        if let Some(copy) = self.copy.as_mut().filter(|_| !self.is_cut) {
            match copy.append(&self.buffer) {
                Ok(()) => self.buffer.clear(),
                Err(_) => self.is_cut = true,
            }
        }
        self.copy.as_ref()
    }

    /// All that was kept; where the middle is missing, the end alone. `None` where the live copy has more than
    /// `most` bytes or cannot be read back.
    pub fn bytes(&mut self, most: u64) -> Option<Vec<u8>> {
        self.copy();
        match self.copy.as_ref().filter(|_| !self.is_cut) {
            Some(copy) => (copy.length <= most).then(|| copy.read_back().ok()).flatten(),
            None => Some(std::mem::take(&mut self.buffer)),
        }
    }
}

//! One captured stream: held in memory while it is small, then copied to the store as it comes.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::io::Errno;

use super::emit::write_all;
use crate::overflow::Summariser;
use crate::store::{Live, Source, Store};

/// Most bytes that are held in memory, whether there is a live copy or not: a command that ends soon and prints no
/// more needs no file. This is a tenth of what a pipeline run on as much takes, and 16 reads of a full pipe.
pub const HELD: usize = 1 << 20;
/// Most bytes that are held in memory without a live copy; what is longer goes out as it is.
pub(super) const MEMORY_LIMIT: usize = 64 << 20;
/// A stream of more than this, in bytes, counts as endless: of a lone tool the reader gets the rest as it comes; one
/// of several tools is killed.
pub(super) const ENDLESS: u64 = 2 << 30;
/// How long after a tool's exit a descendant of it may still add to the output, or hold the pipe without being waited
/// for.
pub(super) const DRAIN: Duration = Duration::from_millis(200);
/// Bytes that are read at once from a large output: as much as stays in a core's cache.
const LARGE_CHUNK: usize = 512 << 10;
/// Size of the pipe of a large output, in bytes: the most that is allowed without privileges (pipe(7)).
#[cfg(target_os = "linux")]
const LARGE_PIPE: usize = 1 << 20;
const CHUNK: usize = 64 << 10;
/// Failed reads in a row after which one more means the end of the pipe.
const MOST_FAULTS: u8 = 3;

/// Where and how live copies are made.
pub struct Copying<'a> {
    pub store: &'a Store,
    pub tool: &'a str,
    /// Words whose lines are counted while the output arrives.
    pub keywords: &'a [String],
    /// The run time after which the agent is told where the live copy is, since its host gives up; never, if None.
    pub slow_after: Option<Duration>,
}

/// One captured stream: our end of the tool's pipe, and where its bytes are meant to go.
pub struct Stream {
    pub(super) pipe: Option<OwnedFd>,
    /// The descriptor of ours that the bytes are meant for.
    pub target: BorrowedFd<'static>,
    pub source: Source,
    /// Everything that was read; or only the last read, where the live copy alone has all of it.
    pub(super) buffer: Vec<u8>,
    /// The live copy, if there is one.
    pub copy: Option<Live>,
    /// Whether the copy has more than `buffer`.
    only_copied: bool,
    /// The summariser of an output that the copy alone has, fed as the output came.
    pub summariser: Option<Summariser>,
    keywords: Vec<String>,
    /// Why there is no live copy although one was wanted.
    pub uncopied: Option<io::Error>,
    /// Why something that went out unchanged could not be written.
    pub(super) unwritten: Option<io::Error>,
    faults: u8,
    /// Bytes that lay in the pipe when the tool ended, and have not been read since.
    left_behind: u64,
}

impl Stream {
    /// A new pipe for `source`, whose bytes are meant for `target`, and the tool's end of the pipe.
    pub(super) fn new(source: Source, target: BorrowedFd<'static>) -> io::Result<(Self, OwnedFd)> {
        let (read_end, write_end) = io::pipe()?;
        let stream = Self {
            pipe: Some(read_end.into()),
            target,
            source,
            buffer: Vec::new(),
            copy: None,
            only_copied: false,
            summariser: None,
            keywords: Vec::new(),
            uncopied: None,
            unwritten: None,
            faults: 0,
            left_behind: 0,
        };
        Ok((stream, write_end.into()))
    }

    /// The live copy, if that alone has all of the output; otherwise `buffer` has all of it.
    pub(super) fn only_copy(&self) -> Option<&Live> {
        self.copy.as_ref().filter(|_| self.only_copied)
    }

    /// Everything that the tool wrote, in memory. What was held here is moved out. Fails where the live copy cannot be
    /// read back.
    pub fn take_bytes(&mut self) -> io::Result<Vec<u8>> {
        match self.only_copy() {
            Some(copy) => copy.read_back(),
            None => Ok(std::mem::take(&mut self.buffer)),
        }
    }

    /// The same, unless that is more than `most` bytes, or a live copy that cannot be read back.
    pub fn take_within(&mut self, most: u64) -> Option<Vec<u8>> {
        if self.length() > most { None } else { self.take_bytes().ok() }
    }

    /// Bytes so far.
    pub fn length(&self) -> u64 {
        self.only_copy().map_or(self.buffer.len() as u64, |copy| copy.length)
    }

    /// Bytes held in memory; 0 where the copy alone has all of the output.
    pub(super) fn in_memory(&self) -> usize {
        if self.only_copied { 0 } else { self.buffer.len() }
    }

    /// Notes that the tool has ended: what lies in the pipe now is the tool's own last output, however long it
    /// takes to read.
    pub(super) fn tool_ended(&mut self) {
        self.left_behind = in_pipe(self.pipe.as_ref());
    }

    /// Whether output of the tool itself is still to be read. (A descendant may have taken it out of the pipe.)
    pub(super) fn has_left(&self) -> bool {
        self.left_behind > 0 && in_pipe(self.pipe.as_ref()) > 0
    }

    /// Reads what lies in the pipe, and closes the pipe at its end. False where what was read could not be kept:
    /// then everything collected has gone out.
    pub(super) fn read(&mut self) -> bool {
        let mut chunk = CHUNK;
        if self.only_copied {
            self.buffer.clear();
            // A read fills the buffer's capacity, so the capacity is limited.
            self.buffer.shrink_to(LARGE_CHUNK);
            chunk = LARGE_CHUNK;
        }
        let start = self.buffer.len();
        if self.buffer.try_reserve(chunk).is_err() {
            self.release();
            return false;
        }
        let Some(pipe) = &self.pipe else { return true };
        match rustix::io::read(pipe, rustix::buffer::spare_capacity(&mut self.buffer)) {
            Ok(0) => self.pipe = None,
            Ok(read) => {
                self.faults = 0;
                self.left_behind = self.left_behind.saturating_sub(read as u64);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) if self.faults < MOST_FAULTS => self.faults += 1,
            Err(_) => self.pipe = None,
        }
        self.copy_from(start)
    }

    /// Begins the live copy, with what was collected so far. False as in [`Stream::read`].
    pub(super) fn begin_copy(&mut self, copying: &Copying<'_>) -> bool {
        if self.copy.is_some() || self.uncopied.is_some() {
            return true;
        }
        match copying.store.live(copying.tool, self.source) {
            Ok(live) => {
                self.copy = Some(live);
                self.keywords = copying.keywords.to_vec();
                if let Some(pipe) = self.pipe.as_ref().filter(|_| self.buffer.len() >= HELD) {
                    enlarge(pipe);
                }
                self.copy_from(0)
            }
            Err(error) => {
                self.uncopied = Some(error);
                true
            }
        }
    }

    /// Appends `buffer` from `start` on to the live copy. False as in [`Stream::read`].
    fn copy_from(&mut self, start: usize) -> bool {
        let Some(copy) = &mut self.copy else { return true };
        let before = copy.length;
        if let Err(error) = copy.append(&self.buffer[start..]) {
            let copied = (copy.length - before) as usize;
            return self.give_up_copy(error, start + copied);
        }
        if let Some(summariser) = &mut self.summariser {
            summariser.push(&self.buffer[start..]);
        } else if self.buffer.len() > HELD {
            self.only_copied = true;
            let summariser = self.summariser.insert(Summariser::new(&self.keywords));
            summariser.push(&self.buffer);
        }
        true
    }

    /// Gives the live copy up, since the disk is full or the like: everything is held in memory again. False where
    /// that is too much: then everything has gone out.
    fn give_up_copy(&mut self, error: io::Error, copied: usize) -> bool {
        let (Some(copy), rest) = (self.copy.take(), self.buffer.split_off(copied.min(self.buffer.len())))
        else {
            return true;
        };
        self.uncopied = Some(error);
        self.summariser = None;
        let mut kept = true;
        if !self.only_copied {
            self.buffer.extend_from_slice(&rest);
        } else if copy.length <= MEMORY_LIMIT as u64
            && let Ok(mut bytes) = copy.read_back()
        {
            bytes.extend_from_slice(&rest);
            self.buffer = bytes;
        } else {
            self.unwritten = self.unwritten.take().or(pour(&copy, self.target).err());
            self.buffer = rest;
            kept = false;
        }
        self.only_copied = false;
        copy.discard();
        if !kept {
            self.release();
        }
        kept
    }

    /// Writes out what was collected, unchanged, and forgets it.
    pub(super) fn release(&mut self) {
        if let Err(error) = self.write_raw() {
            if error.kind() == io::ErrorKind::BrokenPipe {
                // The tool has to meet SIGPIPE at its next write, as it would without us.
                self.pipe = None;
            }
            self.unwritten.get_or_insert(error);
        }
        self.discard_copy();
        self.forget();
    }

    /// Writes the collected bytes out, unchanged.
    pub fn write_raw(&self) -> io::Result<()> {
        match self.only_copy() {
            Some(copy) => pour(copy, self.target),
            None => write_all(self.target, &self.buffer),
        }
    }

    /// Removes the live copy: nothing was left out of what the reader got.
    pub fn discard_copy(&self) {
        if let Some(copy) = &self.copy {
            copy.discard();
        }
    }

    /// Forgets what was collected, which has gone out; the file of a live copy stays where it is.
    pub fn forget(&mut self) {
        self.buffer = Vec::new();
        self.only_copied = false;
        self.summariser = None;
        self.copy = None;
    }

    /// Reads and writes out what has come since everything else went out.
    pub(super) fn relay(&mut self) {
        self.read();
        if write_all(self.target, &self.buffer).is_err() {
            self.pipe = None;
        }
        self.buffer.clear();
    }
}

/// Writes the whole of a live copy to a descriptor.
fn pour(copy: &Live, target: BorrowedFd<'_>) -> io::Result<()> {
    use std::io::Read as _;
    let mut reader = copy.reader()?;
    let mut chunk = vec![0; CHUNK];
    loop {
        match reader.read(&mut chunk)? {
            0 => return Ok(()),
            length => write_all(target, &chunk[..length])?,
        }
    }
}

/// Bytes that lie in a pipe; 0 where it is closed.
pub(super) fn in_pipe(pipe: Option<&OwnedFd>) -> u64 {
    pipe.and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok()).unwrap_or(0)
}

/// Makes a pipe larger, for fewer turns between the tool and us. That may be refused.
pub(super) fn enlarge(pipe: &OwnedFd) {
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, LARGE_PIPE);
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

#[cfg(test)]
#[path = "../../tests/unit/run/stream.rs"]
mod tests;

//! Counts a text while it arrives: exactly, or beyond a limit by samples.

use super::count::PieceCounter;
use super::giant::Giant;

/// Bytes that are collected before they are counted, by default.
pub(super) const BATCH: usize = 16 * 1024;
/// Smallest batch, in bytes: an open piece of this length is in a long run, and not just two digits or `'l`.
const SMALLEST_BATCH: usize = 16;

/// Counts the tokens of a text that arrives in parts, as a tool prints it.
///
/// The parts may be cut anywhere, within a character too: the sum is that of the whole text, as [`count`] gives
/// it. Memory is bounded (under 200 KB), whatever the text.
///
/// [`count`]: super::count
#[derive(Default)]
pub struct Counter {
    /// Bytes that are collected, if not [`BATCH`].
    batch: Option<usize>,
    pieces: PieceCounter,
    /// The piece that `text` continues, if it was too large to keep.
    giant: Giant,
    tokens: usize,
    /// UTF-8 that is not counted yet.
    pub(super) text: Vec<u8>,
    /// Length of the part of `text` that has been looked at and is an open piece, in bytes.
    seen: usize,
    /// The beginning of a character whose other bytes have not arrived.
    partial: Vec<u8>,
}

impl Counter {
    /// An empty text, to be counted in batches of `batch` bytes (at least 16). A piece that is not
    /// complete by then is not kept but counted in parts.
    pub fn with_batch(batch: usize) -> Self {
        Self { batch: Some(batch.max(SMALLEST_BATCH)), ..Self::default() }
    }

    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        let batch = self.batch.unwrap_or(BATCH);
        for bytes in bytes.chunks(batch) {
            if self.partial.is_empty() {
                self.decode(bytes);
            } else {
                let mut joined = std::mem::take(&mut self.partial);
                joined.extend_from_slice(bytes);
                self.decode(&joined);
            }
            if self.text.len() - self.seen >= batch {
                self.look(batch);
            }
        }
    }

    /// Tokens that the text has for certain, whatever follows.
    pub fn so_far(&self) -> usize {
        self.tokens
    }

    /// The number of tokens of the whole text, which ends here.
    pub fn finish(mut self) -> usize {
        if !self.partial.is_empty() {
            self.append_replacement();
        }
        let end = if self.giant.is_open() { self.push_giant(0, true) } else { 0 };
        self.tokens + self.pieces.count::<true>(&self.text[end..]).0
    }

    /// Counts all pieces whose ends are known, and what can be counted of a piece that is too large to keep.
    fn look(&mut self, batch: usize) {
        let mut end = 0;
        if self.giant.is_open() {
            end = self.push_giant(0, false);
        }
        if !self.giant.is_open() {
            let (tokens, len) = self.pieces.count::<false>(&self.text[end..]);
            self.tokens += tokens;
            end += len;
            if self.text.len() - end >= batch {
                end = self.push_giant(end, false);
            }
        }
        self.text.drain(..end);
        self.seen = self.text.len();
    }

    /// Adds the text from `start` on to the giant piece, and returns the end of what need not be kept of the text.
    fn push_giant(&mut self, start: usize, at_end: bool) -> usize {
        let (tokens, end) = self.giant.push(&self.text[start..], at_end);
        self.tokens += tokens;
        start + end
    }

    /// Appends bytes as text, with a replacement character for each invalid sequence. The beginning of a character at
    /// their end goes to `partial`.
    fn decode(&mut self, mut bytes: &[u8]) {
        while let Err(error) = std::str::from_utf8(bytes) {
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.text.extend_from_slice(valid);
            let Some(invalid) = error.error_len() else {
                self.partial.extend_from_slice(rest);
                return;
            };
            self.append_replacement();
            bytes = &rest[invalid..];
        }
        self.text.extend_from_slice(bytes);
    }

    /// Appends the character that [`String::from_utf8_lossy`] puts in the place of invalid bytes.
    fn append_replacement(&mut self) {
        self.text.extend_from_slice("\u{fffd}".as_bytes());
    }
}

/// Bytes from the start of a text that are counted exactly.
pub(super) const EXACT: u64 = 2 << 20;
/// Beyond [`EXACT`], one part in this many is counted.
pub(super) const ONE_IN: u64 = 512;
pub(super) const PART: usize = 16 << 10;

/// Tokens of a text that arrives in parts: exact up to 2 MiB, then an estimate out of one part in 512.
#[derive(Default)]
pub struct Sampler {
    counter: Counter,
    seen: u64,
    pub(super) counted: u64,
}

impl Sampler {
    /// The tokens of a whole text, and whether the count is an estimate.
    pub fn of(text: &[u8]) -> (usize, bool) {
        if text.len() as u64 <= EXACT {
            return (super::count(text), false);
        }
        let mut sampler = Self::default();
        sampler.push(text);
        let (tokens, estimated) = sampler.finish();
        (tokens as usize, estimated)
    }

    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(PART) {
            if self.seen < EXACT || (self.seen / PART as u64).is_multiple_of(ONE_IN) {
                self.counter.push(part);
                self.counted += part.len() as u64;
            }
            self.seen += part.len() as u64;
        }
    }

    /// The tokens, and whether the count is an estimate.
    pub fn finish(self) -> (u64, bool) {
        let tokens = self.counter.finish() as u64;
        if self.counted == self.seen {
            return (tokens, false);
        }
        let scaled = u128::from(tokens) * u128::from(self.seen) / u128::from(self.counted.max(1));
        (scaled as u64, true)
    }
}

//! Counting a text while it arrives.

use super::Encoding;
use super::count::PieceCounter;

/// Text is counted whenever this much of it waits, in bytes.
const BATCH: usize = 64 * 1024;

/// Counts the tokens of a text that arrives in parts, as a tool prints it.
///
/// Parts may be cut anywhere, within a character too: the sum is that of the whole text, as [`count_with`]
/// gives it.
///
/// [`count_with`]: super::count_with
pub struct Counter {
    encoding: Encoding,
    pieces: PieceCounter,
    tokens: usize,
    /// UTF-8 that is not counted yet.
    text: Vec<u8>,
    /// The text is not looked at before it is this long.
    next_look: usize,
    /// The beginning of a character whose other bytes have not arrived.
    partial: Vec<u8>,
}

impl Counter {
    /// An empty text, to be counted in `cl100k_base`.
    pub fn new() -> Self {
        Self::with_encoding(Encoding::default())
    }

    /// An empty text, to be counted in `encoding`.
    pub fn with_encoding(encoding: Encoding) -> Self {
        Self {
            encoding,
            pieces: PieceCounter::default(),
            tokens: 0,
            text: Vec::new(),
            next_look: BATCH,
            partial: Vec::new(),
        }
    }

    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(BATCH) {
            if self.partial.is_empty() {
                self.decode(bytes);
            } else {
                let mut joined = std::mem::take(&mut self.partial);
                joined.extend_from_slice(bytes);
                self.decode(&joined);
            }
            if self.text.len() >= self.next_look {
                let (tokens, end) = self.pieces.certain_pieces(self.encoding, &self.text);
                self.tokens += tokens;
                self.text.drain(..end);
                self.next_look = BATCH.max(2 * self.text.len());
            }
        }
    }

    /// The number of tokens of the whole text, which ends here.
    pub fn finish(mut self) -> usize {
        if !self.partial.is_empty() {
            self.append_replacement();
        }
        self.tokens + self.pieces.text(self.encoding, &self.text)
    }

    /// Appends bytes as text, with a replacement character for each invalid sequence, but for the beginning of
    /// a character at their end.
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

    /// What [`String::from_utf8_lossy`] puts in the place of invalid bytes.
    fn append_replacement(&mut self) {
        let mut utf8 = [0; 4];
        self.text.extend_from_slice(char::REPLACEMENT_CHARACTER.encode_utf8(&mut utf8).as_bytes());
    }
}

impl Default for Counter {
    fn default() -> Self {
        Self::new()
    }
}

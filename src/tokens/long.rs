//! Counts a piece of any length, in time that grows with its length and in memory that does not.
//!
//! The piece is encoded in overlapping windows. The tokens of a window that end further from its end than the
//! vocabulary's reach are tokens of the whole piece. The next window starts where the last of
//! these tokens ends: merges after a seam do not depend on the text before it.

use super::layout::LONGEST_TOKEN;
use super::merge::{LONGEST, Merger};
use super::vocabulary::REACH;

// A full window always settles a token.
const _: () = assert!(REACH + LONGEST_TOKEN < LONGEST);

/// Counts pieces that arrive in parts, one piece after another.
#[derive(Default)]
pub(super) struct LongPiece {
    /// Tokens of the piece up to `window`.
    tokens: usize,
    /// The bytes that follow these tokens.
    pub(super) window: Vec<u8>,
    merger: Option<Box<Merger>>,
}

impl LongPiece {
    pub fn push(&mut self, mut bytes: &[u8]) {
        while self.window.len() + bytes.len() > LONGEST {
            let (fitting, rest) = bytes.split_at(LONGEST - self.window.len());
            self.window.extend_from_slice(fitting);
            self.settle();
            bytes = rest;
        }
        self.window.extend_from_slice(bytes);
    }

    /// The number of tokens of the piece, if it ended here.
    pub fn tokens_so_far(&mut self) -> usize {
        let in_window = match self.window.as_slice() {
            [] => 0,
            window => self.merger.get_or_insert_with(Merger::new).encode(window),
        };
        self.tokens + in_window
    }

    /// The number of tokens of the piece, which ends here. The next piece may begin.
    pub fn finish(&mut self) -> usize {
        let tokens = self.tokens_so_far();
        self.tokens = 0;
        self.window.clear();
        tokens
    }

    /// Encodes a full window, and counts and drops its final tokens.
    pub(super) fn settle(&mut self) {
        let merger = self.merger.get_or_insert_with(Merger::new);
        merger.encode(&self.window);
        let final_end = self.window.len() - REACH;
        let mut settled = 0;
        for end in merger.token_ends().take_while(|&end| end <= final_end) {
            settled = end;
            self.tokens += 1;
        }
        self.window.drain(..settled);
    }
}

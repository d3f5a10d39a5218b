//! A piece of any length, in time that grows with its length and in memory that does not.
//!
//! The piece is encoded in overlapping windows. The tokens of a window that end further from its end than the
//! vocabulary's reach (`codegen/reach.rs`) are tokens of the whole piece. The next window starts where the last
//! of them ends: what is merged after a seam does not depend on what is before it.

use super::merge::{LONGEST, Merger};
use super::vocabulary::Vocabulary;

/// Counts one long piece after another.
#[derive(Default)]
pub(super) struct LongPiece {
    /// Tokens of the piece up to `window`.
    tokens: usize,
    /// What follows them.
    window: Vec<u8>,
    merger: Option<Box<Merger>>,
}

impl LongPiece {
    /// Takes the next bytes of the piece.
    pub fn push(&mut self, vocabulary: &Vocabulary, mut bytes: &[u8]) {
        while self.window.len() + bytes.len() > LONGEST {
            let (fitting, rest) = bytes.split_at(LONGEST - self.window.len());
            self.window.extend_from_slice(fitting);
            self.settle(vocabulary);
            bytes = rest;
        }
        self.window.extend_from_slice(bytes);
    }

    /// The number of tokens of the piece, which ends here. The next one may begin.
    pub fn finish(&mut self, vocabulary: &Vocabulary) -> usize {
        let mut tokens = std::mem::take(&mut self.tokens);
        if !self.window.is_empty() {
            tokens += self.merger.get_or_insert_with(Merger::new).encode(vocabulary, &self.window);
            self.window.clear();
        }
        tokens
    }

    /// The number of tokens of a whole piece.
    pub fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        self.push(vocabulary, piece);
        self.finish(vocabulary)
    }

    /// Encodes a full window, and counts and drops its final tokens.
    fn settle(&mut self, vocabulary: &Vocabulary) {
        let merger = self.merger.get_or_insert_with(Merger::new);
        merger.encode(vocabulary, &self.window);
        let reach = self.window.len() - vocabulary.reach;
        let mut settled = 0;
        for end in merger.token_ends().take_while(|&end| end <= reach) {
            settled = end;
            self.tokens += 1;
        }
        self.window.drain(..settled);
    }
}

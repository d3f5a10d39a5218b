//! A piece too large to keep: a megabyte of base64, a gigabyte of spaces.
//!
//! Of such a piece only its tokens so far are kept, and a *stem*, a few characters behind which the pattern goes on as
//! it does behind the piece. While it is unknown whether the last part belongs to the piece or begins another (the
//! spaces after a line break), that part is counted both ways.

use super::cl100k::{Piece, WHITE, White, piece_at, white_run};
use super::long::LongPiece;

/// A piece that began before the text at hand, or none.
#[derive(Default)]
pub(super) struct Giant {
    /// Stands for the piece: first its bound part, which belongs to it whatever follows, then its loose part, if it has
    /// one. Empty where there is no piece.
    stem: &'static str,
    /// The piece, with its loose part.
    whole: LongPiece,
    /// The other reading, if there is a loose part: as two pieces. The tokens of the first, without the loose part, and
    /// the loose part as a piece of its own.
    split: Option<(usize, LongPiece)>,
}

impl Giant {
    /// Whether a piece has begun and not ended.
    pub fn is_open(&self) -> bool {
        !self.stem.is_empty()
    }

    /// Takes the next part of the piece from `text`, or, if there is none, begins one with `text`, which is an
    /// open piece of more than a few characters. With `at_end`, nothing follows, and the piece ends. Returns the tokens
    /// of pieces that have ended, and the end of the part of the text that need not be kept.
    pub fn push(&mut self, text: &[u8], at_end: bool) -> (usize, usize) {
        let mut tokens = 0;
        loop {
            let known = self.stem.len();
            let text = [self.stem.as_bytes(), text].concat();
            let Piece { end, open } = piece_at(&text, 0);
            let open = open.filter(|_| !at_end);
            if open.is_none() && end < known {
                // The loose part is a piece of its own, which goes on with the text.
                self.stem = &self.stem[end..];
                if let Some((before, apart)) = self.split.take() {
                    tokens += before;
                    self.whole = apart;
                }
                continue;
            }
            let (bound, loose, stem) = open.map_or((end, end, ""), |stem| parts(&text, end, stem));
            let (bound, loose) = (bound.max(known), loose.max(known));
            self.take(&text[known..bound], &text[bound..loose]);
            self.stem = stem;
            if open.is_none() {
                tokens += self.whole.finish();
                self.split = None;
            }
            return (tokens, loose - known);
        }
    }

    /// Counts text. What is bound behind a loose part makes that part bound, too.
    fn take(&mut self, bound: &[u8], loose: &[u8]) {
        if !bound.is_empty() {
            self.split = None;
            self.whole.push(bound);
        }
        if !loose.is_empty() {
            let split = || (self.whole.tokens_so_far(), LongPiece::default());
            self.split.get_or_insert_with(split).1.push(loose);
            self.whole.push(loose);
        }
    }
}

/// The ends of the bound and of the loose part of a text that is one open piece, and its stem. The piece would end at
/// `end` if nothing followed.
fn parts(text: &[u8], end: usize, stem: &'static str) -> (usize, usize, &'static str) {
    if stem != WHITE {
        return (end, end, stem);
    }
    // The last character is kept: if another piece follows, it may belong to that one.
    let White { last, after_break, .. } = white_run(text, 0);
    let Some(end) = after_break else { return (last, last, WHITE) };
    (end, last.max(end), if last > end { "\n " } else { "\n" })
}

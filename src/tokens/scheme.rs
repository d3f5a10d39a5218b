//! What an encoding is made of: how it cuts text into pieces, and the vocabulary each piece is merged with.

use super::vocabulary::Vocabulary;

/// One encoding. Its type is a parameter of everything that counts, so that the loops are compiled for each.
pub(super) trait Scheme {
    /// The encoding's tokens.
    fn vocabulary() -> &'static Vocabulary;

    /// The piece that starts at `at`: what the encoding's pattern matches there.
    ///
    /// `text` is UTF-8, and `at`, one of its character boundaries, lies before its end.
    fn piece_at(text: &[u8], at: usize) -> Piece;
}

/// A piece of text that is encoded by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it ends, if the text ends where it does now.
    pub end: usize,
    /// Whether more text could move that end, and by what.
    pub ending: Ending,
}

/// Whether a piece's end is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Whatever follows, the piece ends here.
    Certain,
    /// The text ends within the piece, or too soon after it to tell.
    Open,
}

impl Piece {
    /// A piece that ends at `end`, whatever follows.
    #[inline]
    pub fn certain(end: usize) -> Self {
        Self { end, ending: Ending::Certain }
    }

    /// A piece that ends at `end` if the text ends there.
    #[inline]
    pub fn open(end: usize) -> Self {
        Self { end, ending: Ending::Open }
    }
}

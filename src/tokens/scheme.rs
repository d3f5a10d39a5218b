//! What an encoding is made of: a vocabulary, and a pattern that cuts text into pieces.
//!
//! The pattern is written by hand. It reads from left to right and never goes back further than a run of
//! white space (or, in `o200k_base`, of capitals), so that a text can be cut while it arrives.

use super::vocabulary::Vocabulary;

/// One encoding. Its type is a parameter of the loops that count, which are compiled for each.
///
/// All texts here are whole UTF-8 characters, and every offset is the boundary of one.
pub(super) trait Scheme {
    /// The tokens.
    fn vocabulary() -> &'static Vocabulary;

    /// The piece that starts at `at`, which is before the end of the text: what the pattern matches there.
    fn piece_at(text: &[u8], at: usize) -> Piece;

    /// What `text`, all of which is one open piece of more than a few characters, gives to that piece.
    fn first_stretch(text: &[u8]) -> Stretch;

    /// What `text` adds to a piece that began before it and is in `run`. With `at_end`, nothing follows.
    fn continue_run(run: Run, text: &[u8], at_end: bool) -> Stretch;
}

/// A piece of text that is encoded by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it ends, if nothing follows the text.
    pub end: usize,
    /// Whether something that follows could change that.
    pub ending: Ending,
}

/// How a piece ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Here, whatever follows.
    Certain,
    /// Perhaps later: the text ends in this run of the piece.
    Open(Run),
}

/// The part of a piece that the text ends in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Run {
    /// A few characters, of which more are needed to tell what they are.
    Brief,
    /// Letters, the last of which ends the piece.
    Letters,
    /// Letters without a lower-case one; whether one without case, or a mark, was among them. If so, the piece
    /// may end with the last of those.
    #[cfg(feature = "o200k")]
    Capitals { uncased: bool },
    /// Symbols.
    Symbols,
    /// The line breaks after symbols.
    Breaks,
    /// White space; whether a line break was in the part before the text. If so, the piece may end with the last
    /// of those.
    White { broken: bool },
}

/// What a text adds to a piece that began before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// The end of what belongs to the piece, whatever follows.
    pub bound: usize,
    /// The end of what follows that, and either belongs to the piece too or begins one of its own.
    pub loose: usize,
    /// How it goes on.
    pub next: Next,
}

/// How a piece that began before the text goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// It ends where its bound part does.
    End,
    /// It needs more text, in this run.
    More(Run),
    /// What was loose, from this text and those before it, is a piece of its own. It goes on in this run with
    /// the rest of the text. Where nothing was loose, the piece itself does.
    Apart(Run),
}

impl Piece {
    /// A piece that ends at `end`, whatever follows.
    #[inline]
    pub fn certain(end: usize) -> Self {
        Self { end, ending: Ending::Certain }
    }

    /// A piece that ends at `end` if nothing follows, in a run.
    #[inline]
    pub fn open(end: usize, run: Run) -> Self {
        Self { end, ending: Ending::Open(run) }
    }
}

/// A piece that began before the text and has no loose part.
impl From<Piece> for Stretch {
    fn from(piece: Piece) -> Self {
        let next = match piece.ending {
            Ending::Certain => Next::End,
            Ending::Open(run) => Next::More(run),
        };
        Self { bound: piece.end, loose: piece.end, next }
    }
}

//! The encodings by name, and the parts of one: a vocabulary, and a pattern that cuts text into pieces.
//!
//! The pattern is written by hand. It reads from left to right and never goes back further than a run of
//! white space (or, in `o200k_base`, of capitals), so that a text can be cut while it arrives.

use std::str::FromStr;

use super::vocabulary::Vocabulary;

/// A way to cut text into tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// `OpenAI`'s `cl100k_base` (GPT-3.5, GPT-4).
    #[default]
    Cl100k,
    /// `OpenAI`'s `o200k_base` (GPT-4o and later).
    #[cfg(feature = "o200k")]
    O200k,
}

/// Why a name stands for no encoding of this program.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownEncoding(&'static str);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Takes `cl100k` and `o200k`, and the same with `_base`.
    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name.strip_suffix("_base").unwrap_or(name) {
            "cl100k" => Ok(Self::Cl100k),
            #[cfg(feature = "o200k")]
            "o200k" => Ok(Self::O200k),
            #[cfg(not(feature = "o200k"))]
            "o200k" => Err(UnknownEncoding("this toto was built without it; build it with --features o200k")),
            _ => Err(UnknownEncoding("no such encoding; there are cl100k and o200k")),
        }
    }
}

/// One encoding. It is a type parameter of the loops that count, which are compiled for each encoding.
///
/// All texts here consist of whole UTF-8 characters, and every offset is a character boundary.
pub(super) trait Scheme {
    fn vocabulary() -> &'static Vocabulary;

    /// Whether a byte may follow symbols in their piece.
    fn is_trailing(byte: u8) -> bool;

    /// The piece that starts at `at`, which is before the end of the text: what the pattern matches there.
    fn piece_at(text: &[u8], at: usize) -> Piece;
}

/// A piece of text that is encoded by itself.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// End of the piece, if nothing follows the text.
    pub end: usize,
    /// The run that the text ends in, if the piece may go on; `None` if it ends here whatever follows.
    pub open: Option<Run>,
}

/// The part of a piece that the text ends in.
#[derive(Clone, Copy)]
pub(super) enum Run {
    /// A few characters; more are needed to tell what they are.
    Brief,
    /// Letters, the last of which ends the piece.
    Letters,
    /// Letters, none of them lower-case. `uncased`: a letter without case, or a mark, was among them. If so, the piece
    /// may end with the last of these.
    #[cfg(feature = "o200k")]
    Capitals { uncased: bool },
    /// Symbols.
    Symbols,
    /// The line breaks after symbols.
    Breaks,
    /// White space. If it has line breaks, the piece may end with the last of them.
    White,
}

impl Piece {
    /// A piece that ends at `end`, whatever follows.
    #[inline]
    pub fn certain(end: usize) -> Self {
        Self { end, open: None }
    }

    /// A piece that ends at `end`, in `run`, if nothing follows.
    #[inline]
    pub fn open(end: usize, run: Run) -> Self {
        Self { end, open: Some(run) }
    }
}

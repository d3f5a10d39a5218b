//! What the pattern cuts a text into.

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

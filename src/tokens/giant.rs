//! A piece too large to keep: a megabyte of base64, a gigabyte of spaces.
//!
//! Of such a piece only its tokens so far are kept, and the run that the text at hand is in. While it is unknown
//! whether the last part belongs to the piece or begins another (the spaces after a line break), that part is counted
//! both ways.

use super::long::LongPiece;
use super::scheme::{Next, Run, Scheme, Stretch};
use super::vocabulary::Vocabulary;

/// A piece that began before the text at hand, or none.
#[derive(Default)]
pub(super) struct Giant {
    /// The run of the piece that the text at hand continues; `None` where there is no piece.
    run: Option<Run>,
    /// The piece, with its loose part.
    whole: LongPiece,
    /// The other reading, if there is a loose part: as two pieces. The tokens of the first, without the loose part, and
    /// the loose part as a piece of its own.
    split: Option<(usize, LongPiece)>,
}

impl Giant {
    /// Whether a piece has begun and not ended.
    pub fn is_open(&self) -> bool {
        self.run.is_some()
    }

    /// Takes the next part of the piece from `text`, or, if there is none, begins one with `text`, which is an
    /// open piece. With `at_end`, nothing follows, and the piece ends. Returns the tokens of pieces that have ended,
    /// and the end of the part of the text that need not be kept.
    pub fn push<S: Scheme>(&mut self, text: &[u8], at_end: bool) -> (usize, usize) {
        let (mut tokens, mut end) = (0, 0);
        loop {
            let rest = &text[end..];
            let stretch = match self.run {
                Some(run) => S::continue_run(run, rest, at_end),
                None => S::first_stretch(rest),
            };
            self.take(S::vocabulary(), rest, stretch);
            end += stretch.loose;
            match stretch.next {
                Next::Apart(run) => {
                    if let Some((before, apart)) = self.split.take() {
                        tokens += before;
                        self.whole = apart;
                    }
                    self.run = Some(run);
                }
                Next::More(run) if !at_end => {
                    self.run = Some(run);
                    return (tokens, end);
                }
                Next::More(_) | Next::End => {
                    tokens += self.whole.finish(S::vocabulary());
                    self.split = None;
                    self.run = None;
                    return (tokens, end);
                }
            }
        }
    }

    /// Counts a stretch of text. Bound text behind a loose part makes that part bound, too.
    fn take(&mut self, vocabulary: &Vocabulary, text: &[u8], stretch: Stretch) {
        if stretch.bound > 0 {
            self.split = None;
            self.whole.push(vocabulary, &text[..stretch.bound]);
        }
        if stretch.bound < stretch.loose {
            let (_, apart) = self
                .split
                .get_or_insert_with(|| (self.whole.tokens_so_far(vocabulary), LongPiece::default()));
            apart.push(vocabulary, &text[stretch.bound..stretch.loose]);
            self.whole.push(vocabulary, &text[stretch.bound..stretch.loose]);
        }
    }
}

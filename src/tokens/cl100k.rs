//! `cl100k_base`: its vocabulary, and its pattern written by hand.
//!
//! ```text
//! '(?i:[sdmt]|ll|ve|re)            contraction
//! [^\r\n\p{L}\p{N}]?+\p{L}++       letters, with one other character before them
//! \p{N}{1,3}+                      up to three digits
//!  ?[^\s\p{L}\p{N}]++[\r\n]*+      symbols, with a space before and line breaks after them
//! \s++$                            white space that ends the text
//! \s*[\r\n]                        white space up to its last line break
//! \s+(?!\S)                        white space but for its last character, which goes with what follows
//! \s                               that last character, where nothing above wanted it
//! ```

use super::layout::Class::{Break, End, Lower, Mark, Number, Space, Symbol, Uncased, Upper};
use super::run::{self, contraction, numbers};
use super::scheme::{Piece, Run, Scheme};
use super::unicode::class_at;
use super::vocabulary::{CL100K, Vocabulary};

/// The encoding of GPT-3.5 and GPT-4.
pub(super) struct Cl100k;

impl Scheme for Cl100k {
    #[inline]
    fn vocabulary() -> &'static Vocabulary {
        &CL100K
    }

    #[inline]
    fn is_trailing(byte: u8) -> bool {
        matches!(byte, b'\r' | b'\n')
    }

    #[inline]
    fn piece_at(text: &[u8], at: usize) -> Piece {
        let (class, len) = class_at(text, at);
        let next = at + len;
        match class {
            Upper | Lower | Uncased => letters(text, next),
            Number => numbers(text, next),
            Symbol | Mark => {
                if text[at] == b'\''
                    && let Some(end) = contraction(text, next)
                {
                    return Piece::certain(end);
                }
                match class_at(text, next) {
                    (Upper | Lower | Uncased, len) => letters(text, next + len),
                    (End, _) => Piece::open(next, Run::Brief),
                    _ => run::symbols::<Self>(text, next),
                }
            }
            Space | Break | End => match class_at(text, next) {
                (Upper | Lower | Uncased, len) if class == Space => letters(text, next + len),
                (Symbol | Mark, len) if text[at] == b' ' => run::symbols::<Self>(text, next + len),
                (Space | Break | End, _) => white(text, at),
                _ => Piece::certain(next),
            },
        }
    }
}

/// The piece at white space that is followed by more white space or by the end of the text.
fn white(text: &[u8], at: usize) -> Piece {
    let run = run::white(text, at);
    if run.is_followed {
        Piece::certain(run.after_break.unwrap_or(run.last))
    } else {
        Piece::open(run.end, Run::White)
    }
}

/// The rest of a run of letters.
#[inline]
fn letters(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Upper | Lower | Uncased, len) => at += len,
            (End, _) => return Piece::open(at, Run::Letters),
            _ => return Piece::certain(at),
        }
    }
}

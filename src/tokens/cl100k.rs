//! The pattern of `cl100k_base`, which cuts a text into pieces, written by hand. It reads from left to right and never
//! goes back further than a run of white space, so that a text can be cut while it arrives.
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

use super::layout::Class::{Break, End, Letter, Number, Space, Symbol};
use super::run::{self, Piece, Run, contraction, numbers};
use super::unicode::class_at;

/// The piece that starts at `at`, which is before the end of the text: what the pattern matches there. The text consists
/// of whole UTF-8 characters, and every offset is a character boundary.
#[inline]
pub(super) fn piece_at(text: &[u8], at: usize) -> Piece {
    let (class, len) = class_at(text, at);
    let next = at + len;
    match class {
        Letter => letters(text, next),
        Number => numbers(text, next),
        Symbol => {
            if text[at] == b'\''
                && let Some(end) = contraction(text, next)
            {
                return Piece::certain(end);
            }
            match class_at(text, next) {
                (Letter, len) => letters(text, next + len),
                (End, _) => Piece::open(next, Run::Brief),
                _ => run::symbols(text, next),
            }
        }
        Space | Break | End => match class_at(text, next) {
            (Letter, len) if class == Space => letters(text, next + len),
            (Symbol, len) if text[at] == b' ' => run::symbols(text, next + len),
            (Space | Break | End, _) => white(text, at),
            _ => Piece::certain(next),
        },
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
            (Letter, len) => at += len,
            (End, _) => return Piece::open(at, Run::Letters),
            _ => return Piece::certain(at),
        }
    }
}

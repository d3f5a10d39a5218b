//! `o200k_base`: its vocabulary, and its pattern written by hand. With
//!
//! ```text
//! U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]      capitals, letters without case, marks
//! W = [\p{Ll}\p{Lm}\p{Lo}\p{M}]            lower-case letters, letters without case, marks
//! C = (?i:'s|'t|'re|'ve|'m|'ll|'d)?        contraction
//!
//! [^\r\n\p{L}\p{N}]?U*W+C                  word, with one other character before it
//! [^\r\n\p{L}\p{N}]?U+W*C                  word of capitals
//! \p{N}{1,3}                               up to three digits
//!  ?[^\s\p{L}\p{N}]+[\r\n/]*               symbols, with a space before; line breaks and slashes after them
//! \s*[\r\n]+                               white space up to its last line break
//! \s+(?!\S)                                white space but for its last character, which goes with what follows
//! \s+                                      that last character, where nothing above wanted it
//! ```
//!
//! `U*W+` takes capitals up to a lower-case letter. Where none comes, it goes back to the last scalar that is in
//! `W` as well: "ABあCD" is "ABあ" and "CD".

use super::layout::Class::{Break, End, Lower, Mark, Number, Space, Symbol, Uncased, Upper};
use super::run::{self, contraction, numbers};
use super::scheme::{Piece, Run, Scheme};
use super::unicode::class_at;
use super::vocabulary::{O200K, Vocabulary};

/// The encoding of GPT-4o and later.
pub(super) struct O200k;

impl Scheme for O200k {
    #[inline]
    fn vocabulary() -> &'static Vocabulary {
        &O200K
    }

    #[inline]
    fn is_trailing(byte: u8) -> bool {
        matches!(byte, b'\r' | b'\n' | b'/')
    }

    #[inline]
    fn piece_at(text: &[u8], at: usize) -> Piece {
        let (class, len) = class_at(text, at);
        let next = at + len;
        match class {
            // A mark is one of the characters that may come before a word, but it begins one as well.
            Upper | Lower | Uncased | Mark => word(text, at),
            Number => numbers(text, next),
            Symbol => match class_at(text, next) {
                (Upper | Lower | Uncased | Mark, _) => word(text, next),
                (End, _) => Piece::open(next, Run::Brief),
                _ => run::symbols::<Self>(text, next),
            },
            Space | Break | End => match class_at(text, next) {
                (Upper | Lower | Uncased | Mark, _) if class == Space => word(text, next),
                (Symbol, len) if text[at] == b' ' => run::symbols::<Self>(text, next + len),
                (Space | Break | End, _) => white(text, at),
                _ => Piece::certain(next),
            },
        }
    }
}

/// A run of `U`, and the class behind it.
struct Capitals {
    end: usize,
    /// End of the last scalar that is in `W` as well.
    after_uncased: Option<usize>,
    /// [`Lower`], [`End`], or another class that cannot be in a word.
    next: super::layout::Class,
}

#[inline]
fn capitals(text: &[u8], at: usize) -> Capitals {
    let mut run = Capitals { end: at, after_uncased: None, next: End };
    loop {
        match class_at(text, run.end) {
            (Upper, len) => run.end += len,
            (Uncased | Mark, len) => {
                run.end += len;
                run.after_uncased = Some(run.end);
            }
            (next, _) => {
                run.next = next;
                return run;
            }
        }
    }
}

/// The piece whose word starts at `at`.
#[inline]
fn word(text: &[u8], at: usize) -> Piece {
    let run = capitals(text, at);
    match (run.next, run.after_uncased) {
        (Lower, _) => lower(text, run.end),
        (End, uncased) => {
            Piece::open(uncased.unwrap_or(run.end), Run::Capitals { uncased: uncased.is_some() })
        }
        (_, Some(end)) if end < run.end => Piece::certain(end),
        _ => with_contraction(text, run.end, Run::Capitals { uncased: false }),
    }
}

/// The rest of a word from its first lower-case letter on.
#[inline]
fn lower(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Lower | Uncased | Mark, len) => at += len,
            (End, _) => return Piece::open(at, Run::Letters),
            _ => return with_contraction(text, at, Run::Letters),
        }
    }
}

/// A word that ends at `at`, or behind a contraction there. Where the text is too short to tell, the word may go on in
/// `run`.
#[inline]
fn with_contraction(text: &[u8], at: usize, run: Run) -> Piece {
    if text.get(at) != Some(&b'\'') {
        return Piece::certain(at);
    }
    match contraction(text, at + 1) {
        Some(end) => Piece::certain(end),
        None if text.len() - at < "'ll".len() => Piece::open(at, run),
        None => Piece::certain(at),
    }
}

/// The piece at white space that is followed by more white space or by the end of the text.
fn white(text: &[u8], at: usize) -> Piece {
    let run = run::white(text, at);
    if run.is_followed {
        Piece::certain(run.after_break.unwrap_or(run.last))
    } else {
        Piece::open(run.after_break.unwrap_or(run.end), Run::White)
    }
}

//! `cl100k_base`: its vocabulary, and its pattern by hand.
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

use super::class::Class::{Break, End, Letter, Number, Space, Symbol};
use super::class::class_at;
use super::scheme::{Piece, Scheme};
use super::vocabulary::{CL100K, Vocabulary};

/// The encoding of GPT-3.5 and GPT-4.
pub(super) struct Cl100k;

impl Scheme for Cl100k {
    #[inline]
    fn vocabulary() -> &'static Vocabulary {
        &CL100K
    }

    #[inline]
    fn piece_at(text: &[u8], at: usize) -> Piece {
        let (class, len) = class_at(text, at);
        let next = at + len;
        match class {
            Letter => letters(text, next),
            Number => numbers(text, next),
            Symbol => match (text[at] == b'\'').then(|| contraction(text, next)).flatten() {
                Some(piece) => piece,
                None => match class_at(text, next) {
                    (Letter, len) => letters(text, next + len),
                    (End, _) => Piece::open(next),
                    _ => symbols(text, next),
                },
            },
            Space | Break | End => match class_at(text, next) {
                (Letter, len) if class == Space => letters(text, next + len),
                (Symbol, len) if text[at] == b' ' => symbols(text, next + len),
                (Space | Break | End, _) => white_space(text, at),
                _ => Piece::certain(next),
            },
        }
    }
}

/// The rest of a run of letters.
#[inline]
fn letters(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Letter, len) => at += len,
            (End, _) => return Piece::open(at),
            _ => return Piece::certain(at),
        }
    }
}

/// The second and third digit.
#[inline]
fn numbers(text: &[u8], mut at: usize) -> Piece {
    for _ in 0..2 {
        match class_at(text, at) {
            (Number, len) => at += len,
            (End, _) => return Piece::open(at),
            _ => break,
        }
    }
    Piece::certain(at)
}

/// The rest of a run of symbols and the line breaks after it.
#[inline]
fn symbols(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Symbol, len) => at += len,
            (End, _) => return Piece::open(at),
            (Break, _) => return breaks(text, at),
            _ => return Piece::certain(at),
        }
    }
}

/// The rest of a run of line breaks.
#[inline]
fn breaks(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Break, len) => at += len,
            (End, _) => return Piece::open(at),
            _ => return Piece::certain(at),
        }
    }
}

/// The contraction whose apostrophe ends at `at`. `None`: there is none, the apostrophe is a symbol.
///
/// Without regard to case, `s` is also U+017F, the long s.
#[inline]
fn contraction(text: &[u8], at: usize) -> Option<Piece> {
    let second = || text.get(at + 1).map(u8::to_ascii_lowercase);
    let two = |expected| match second() {
        None => Some(Piece::open(at + 1)),
        Some(second) => (second == expected).then(|| Piece::certain(at + 2)),
    };
    match text.get(at)?.to_ascii_lowercase() {
        b's' | b'd' | b'm' | b't' => Some(Piece::certain(at + 1)),
        b'l' => two(b'l'),
        b'v' | b'r' => two(b'e'),
        0xC5 if second() == Some(0xBF) => Some(Piece::certain(at + 2)),
        _ => None,
    }
}

/// White space of two characters or more from `at`, or of any length where it ends the text.
#[inline(never)]
fn white_space(text: &[u8], at: usize) -> Piece {
    let (mut end, mut last, mut after_break) = (at, at, None);
    loop {
        match class_at(text, end) {
            (Space, len) => (last, end) = (end, end + len),
            (Break, len) => {
                (last, end) = (end, end + len);
                after_break = Some(end);
            }
            (End, _) => return Piece::open(end),
            _ => return Piece::certain(after_break.unwrap_or(last)),
        }
    }
}

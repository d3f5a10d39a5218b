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
use super::unicode::class_at;

/// A piece of text that is encoded by itself.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// End of the piece, if nothing follows the text.
    pub end: usize,
    /// If the piece may go on: a few characters behind which the pattern goes on as behind it. `None` if it ends here
    /// whatever follows.
    pub open: Option<&'static str>,
}

/// Stands for a piece of letters, or of a few characters that more are needed for to tell what they are.
const LETTERS: &str = "a";
const SYMBOLS: &str = "!!";
/// With the line breaks after symbols.
const BREAKS: &str = "!!\n";
/// White space. If it has line breaks, the piece may end with the last of them.
pub(super) const WHITE: &str = " ";

impl Piece {
    /// A piece that ends at `end`, whatever follows.
    #[inline]
    pub fn certain(end: usize) -> Self {
        Self { end, open: None }
    }

    /// A piece that ends at `end` if nothing follows.
    #[inline]
    pub fn open(end: usize, stem: &'static str) -> Self {
        Self { end, open: Some(stem) }
    }
}

/// The piece that starts at `at`, which is before the end of the text: what the pattern matches there. The text
/// consists of whole UTF-8 characters, and every offset is a character boundary.
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
                (End, _) => Piece::open(next, LETTERS),
                _ => symbols(text, next),
            }
        }
        Space | Break | End => match class_at(text, next) {
            (Letter, len) if class == Space => letters(text, next + len),
            (Symbol, len) if text[at] == b' ' => symbols(text, next + len),
            (Space | Break | End, _) => white(text, at),
            _ => Piece::certain(next),
        },
    }
}

/// The piece at white space that is followed by more white space or by the end of the text.
fn white(text: &[u8], at: usize) -> Piece {
    let run = white_run(text, at);
    if run.is_followed {
        Piece::certain(run.after_break.unwrap_or(run.last))
    } else {
        Piece::open(run.end, WHITE)
    }
}

/// The rest of a run of letters.
#[inline]
fn letters(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Letter, len) => at += len,
            (End, _) => return Piece::open(at, LETTERS),
            _ => return Piece::certain(at),
        }
    }
}

/// The end of the number of up to three ASCII digits at `at`; `None` where there is none, or its end is not certain.
#[inline]
pub(super) fn ascii_number(text: &[u8], at: usize) -> Option<usize> {
    let &[first, second, third, fourth] = text[at..].first_chunk()?;
    if !first.is_ascii_digit() {
        return None;
    }
    let len = 1
        + usize::from(second.is_ascii_digit())
        + usize::from(second.is_ascii_digit() && third.is_ascii_digit());
    // A shorter number may be followed by a digit of another script.
    let next = [second, third, fourth][len - 1];
    (len == 3 || next.is_ascii()).then_some(at + len)
}

/// The rest of a number of up to three digits, whose first digit ends at `at`.
#[inline]
fn numbers(text: &[u8], mut at: usize) -> Piece {
    for _ in 0..2 {
        match class_at(text, at) {
            (Number, len) => at += len,
            (End, _) => return Piece::open(at, LETTERS),
            _ => break,
        }
    }
    Piece::certain(at)
}

/// The rest of a run of symbols, and of the line breaks that may follow it.
#[inline]
fn symbols(text: &[u8], mut at: usize) -> Piece {
    loop {
        match class_at(text, at) {
            (Symbol, len) => at += len,
            (End, _) => return Piece::open(at, SYMBOLS),
            (Break, _) => return breaks(text, at),
            _ => return Piece::certain(at),
        }
    }
}

/// The rest of the line breaks that may follow symbols.
#[inline]
fn breaks(text: &[u8], mut at: usize) -> Piece {
    while let Some(&byte) = text.get(at) {
        if !matches!(byte, b'\r' | b'\n') {
            return Piece::certain(at);
        }
        at += 1;
    }
    Piece::open(at, BREAKS)
}

/// The end of the contraction whose apostrophe ends at `at`: `'(?i:[sdmt]|ll|ve|re)`.
///
/// Without regard to case, `s` is also U+017F, the long s.
#[inline]
fn contraction(text: &[u8], at: usize) -> Option<usize> {
    let second = text.get(at + 1).map(u8::to_ascii_lowercase);
    match (text.get(at)?.to_ascii_lowercase(), second) {
        (b's' | b'd' | b'm' | b't', _) => Some(at + 1),
        (b'l', Some(b'l')) | (b'v' | b'r', Some(b'e')) | (0xC5, Some(0xBF)) => Some(at + 2),
        _ => None,
    }
}

pub(super) struct White {
    pub end: usize,
    /// Start of its last character, which may go with what follows the run; `end` if the run is empty.
    pub last: usize,
    /// End of its last line break.
    pub after_break: Option<usize>,
    /// Whether something other than white space follows in the text.
    pub is_followed: bool,
}

/// The run of white space from `at` on.
#[inline(never)]
pub(super) fn white_run(text: &[u8], at: usize) -> White {
    let mut run = White { end: at, last: at, after_break: None, is_followed: true };
    loop {
        match class_at(text, run.end) {
            (Space, len) => (run.last, run.end) = (run.end, run.end + len),
            (Break, len) => {
                (run.last, run.end) = (run.end, run.end + len);
                run.after_break = Some(run.end);
            }
            (End, _) => {
                run.is_followed = false;
                return run;
            }
            _ => return run,
        }
    }
}

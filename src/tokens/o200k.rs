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
use super::run::{self, White, contraction, numbers};
use super::scheme::{Next, Piece, Run, Scheme, Stretch};
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

    fn continue_run(run: Run, text: &[u8], at_end: bool) -> Stretch {
        match run {
            Run::Symbols => run::symbols::<Self>(text, 0).into(),
            Run::Breaks => run::breaks::<Self>(text, 0).into(),
            Run::White { broken } => match run::white(text, 0) {
                white @ White { is_followed: false, .. } if at_end => end_white(&white, broken),
                white => white.stretch(broken),
            },
            Run::Capitals { uncased } => continue_capitals(text, uncased, at_end),
            Run::Letters | Run::Brief => lower(text, 0).into(),
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

/// The stretch that a text adds to a word in capitals that began before it.
fn continue_capitals(text: &[u8], uncased: bool, at_end: bool) -> Stretch {
    let run = capitals(text, 0);
    if run.next == Lower {
        return lower(text, run.end).into();
    }
    if run.next == End && !at_end {
        let uncased = uncased || run.after_uncased.is_some();
        let bound = if uncased { run.after_uncased.unwrap_or(0) } else { run.end };
        return Stretch { bound, loose: run.end, next: Next::More(Run::Capitals { uncased }) };
    }
    match run.after_uncased {
        Some(end) if end < run.end => Stretch { bound: end, loose: end, next: Next::End },
        None if uncased => {
            Stretch { bound: 0, loose: run.end, next: Next::Apart(Run::Capitals { uncased: false }) }
        }
        _ if run.next == End => Stretch { bound: run.end, loose: run.end, next: Next::End },
        _ => with_contraction(text, run.end, Run::Capitals { uncased: false }).into(),
    }
}

/// The piece at white space that is followed by more white space or by the end of the text.
fn white(text: &[u8], at: usize) -> Piece {
    let run = run::white(text, at);
    if run.is_followed {
        Piece::certain(run.after_break.unwrap_or(run.last))
    } else {
        Piece::open(run.after_break.unwrap_or(run.end), Run::White { broken: false })
    }
}

/// The stretch that a run of white space at the end of the text adds to a piece that began before the text. In this
/// encoding a line break ends a piece even where only white space follows.
fn end_white(run: &White, broken: bool) -> Stretch {
    match run.after_break {
        Some(end) => Stretch { bound: end, loose: end, next: Next::End },
        None if broken => {
            Stretch { bound: 0, loose: run.end, next: Next::Apart(Run::White { broken: false }) }
        }
        None => Stretch { bound: run.end, loose: run.end, next: Next::End },
    }
}

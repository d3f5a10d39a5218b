//! Character classes, as fine as the patterns of all encodings need them. Also compiled into the build script.

/// Class of a Unicode scalar in the patterns. Every scalar has exactly one; [`Class::End`] is no scalar's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Class {
    /// `[^\s\p{L}\p{N}\p{M}]`: punctuation, symbols, emoji, controls, unassigned.
    Symbol,
    /// `\p{M}`: marks that combine with the scalar before.
    Mark,
    /// `[\p{Lu}\p{Lt}]`.
    Upper,
    /// `\p{Ll}`.
    Lower,
    /// `[\p{Lm}\p{Lo}]`: letters without case.
    Uncased,
    /// `\p{N}`.
    Number,
    /// `\s` without line breaks.
    Space,
    /// `[\r\n]`.
    Break,
    /// No scalar: the text ends here.
    End,
}

//! Why a text is no document.

/// Deepest nesting that is read as a document; anything deeper is left as it is.
pub const MAX_DEPTH: usize = 1_000;

/// Why a text was not read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not JSON from the byte offset on.
    Syntax(usize),
    /// The text ends within the document.
    Truncated,
    /// An object names a key twice: a reader would see only one of the values.
    DuplicateKey,
    /// An escape names half of a surrogate pair.
    LoneSurrogate,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// More nodes than the memory budget allows.
    TooLarge,
}

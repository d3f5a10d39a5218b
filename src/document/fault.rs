//! Why a text is no document.

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
    /// Nested deeper than a document may be.
    TooDeep,
    /// More nodes than the memory budget allows.
    TooLarge,
}

impl Fault {
    /// The fault of a text that does not go on at `at` as JSON does.
    pub fn unexpected(bytes: &[u8], at: usize) -> Self {
        if at < bytes.len() { Self::Syntax(at) } else { Self::Truncated }
    }
}

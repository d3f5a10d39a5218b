//! Why a text is no document.

/// Why a text was not read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not JSON from the byte offset on.
    Syntax(usize),
    /// The text ends within the document.
    Truncated,
    /// What cannot be said again faithfully: a key twice in an object, half of a surrogate pair, more levels or more nodes
    /// than are read.
    Refused,
}

impl Fault {
    /// The fault of a text that does not go on at `at` as JSON does.
    pub fn unexpected(bytes: &[u8], at: usize) -> Self {
        if at < bytes.len() { Self::Syntax(at) } else { Self::Truncated }
    }
}

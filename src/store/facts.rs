//! The facts of a saved output: a small file of the same name, written when the tool has ended.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Extension of the facts beside a saved output.
pub(super) const FACTS: &str = "json";

/// Facts of a saved output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Exit code, or 128 plus the signal's number for a death by signal; `None` if the tool was still running.
    pub status: Option<i32>,
    /// Length in bytes.
    pub bytes: u64,
    /// Number of newlines.
    pub lines: u64,
    /// Tokens of the whole output; an estimate where `estimated`.
    pub tokens: u64,
    /// Whether the tokens are estimated from parts of the output.
    pub estimated: bool,
    /// The call that printed it, as the ledger names it.
    pub call: Option<String>,
    /// How its text is divided into pages, where the reader was given the first page.
    pub pages: Option<Pages>,
}

/// How a text was divided into pages for its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// End of the first page, in bytes of the text.
    pub first: u64,
    /// Most bytes of another page.
    pub bytes: usize,
    /// Most lines of another page.
    pub lines: usize,
}

impl Facts {
    /// The facts beside the saved output at `path`; `None` if its tool has not ended, or toto was killed before it did.
    pub fn of(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path.with_extension(FACTS)).ok()?).ok()
    }
}

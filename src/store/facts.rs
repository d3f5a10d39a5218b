//! What is known of a saved output beside its bytes: a small file of the same name, written when the tool has ended.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// What is told of a saved output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Exit status; 128 and the signal's number for a death by signal; none if the tool was still running.
    pub status: Option<i32>,
    /// Bytes.
    pub bytes: u64,
    /// Newlines.
    pub lines: u64,
    /// Tokens of the whole; about, where `estimated`.
    pub tokens: u64,
    /// Were only parts of it counted?
    pub estimated: bool,
    /// The call that printed it, as the ledger names it.
    pub call: Option<String>,
    /// How it is divided, where its reader was given the first page.
    pub pages: Option<Pages>,
}

/// How a text was divided into pages for its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// Where the first one ended, in bytes of the text.
    pub first: u64,
    /// Most bytes of the others.
    pub bytes: usize,
    /// Most lines of the others.
    pub lines: usize,
}

impl Facts {
    /// The facts beside the saved output at `path`; none if its tool has not ended, or we were killed before it did.
    pub fn of(path: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(path.with_extension(super::FACTS)).ok()?).ok()
    }
}

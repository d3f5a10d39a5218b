//! Exact token counts without set-up: the vocabularies are laid out as tables at build time.
//!
//! CONTRIBUTING.md tells how counting works, how to follow a new vocabulary, and why no crate is used.
#![forbid(unsafe_code)]

mod cl100k;
mod count;
mod counter;
mod giant;
mod layout;
mod long;
mod merge;
mod unicode;
mod vocabulary;

use count::PieceCounter;
pub use counter::{Counter, Sampler};

/// The number of tokens of a text in `cl100k_base`.
///
/// Equal to `tiktoken`'s `encode_ordinary`: the names of special tokens are text like any other. Invalid UTF-8
/// counts as [`String::from_utf8_lossy`] would give it.
pub fn count(text: &[u8]) -> usize {
    if std::str::from_utf8(text).is_err() {
        let mut counter = Counter::default();
        counter.push(text);
        return counter.finish();
    }
    PieceCounter::default().count::<true>(text).0
}

#[cfg(test)]
#[path = "../../tests/unit/tokens.rs"]
mod tests;

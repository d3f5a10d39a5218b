//! Exact token counts without set-up: the vocabularies are laid out as tables at build time.
//!
//! docs/tokens.md tells how counting works, how to follow a new vocabulary, and why no crate is used.
//!
//! ```
//! use llm_toto::tokens;
//!
//! assert_eq!(tokens::count(b"Exact token counts"), 3);
//!
//! let mut counter = tokens::Counter::default();
//! counter.push(b"Exact tok");
//! counter.push(b"en counts");
//! assert_eq!(counter.finish(), 3);
//! ```
#![forbid(unsafe_code)]

mod cl100k;
mod count;
mod counter;
mod giant;
mod layout;
mod long;
mod merge;
#[cfg(feature = "o200k")]
mod o200k;
mod run;
mod sampler;
mod scheme;
mod unicode;
mod vocabulary;

use count::PieceCounter;
pub use counter::Counter;
pub use sampler::Sampler;
pub use scheme::{Encoding, UnknownEncoding};

/// The number of tokens of a text in `cl100k_base`.
///
/// Equal to `tiktoken`'s `encode_ordinary`: the names of special tokens are text like any other. Invalid UTF-8
/// counts as [`String::from_utf8_lossy`] would give it.
pub fn count(text: &[u8]) -> usize {
    count_with(Encoding::Cl100k, text)
}

/// The number of tokens of a text in an encoding; otherwise like [`count`].
pub fn count_with(encoding: Encoding, text: &[u8]) -> usize {
    if std::str::from_utf8(text).is_err() {
        let mut counter = Counter::new(encoding);
        counter.push(text);
        return counter.finish();
    }
    let mut pieces = PieceCounter::default();
    match encoding {
        Encoding::Cl100k => pieces.count::<cl100k::Cl100k, true>(text).0,
        #[cfg(feature = "o200k")]
        Encoding::O200k => pieces.count::<o200k::O200k, true>(text).0,
    }
}

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

use std::str::FromStr;

use count::PieceCounter;
pub use counter::Counter;
pub use sampler::Sampler;

/// A way to cut text into tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// `OpenAI`'s `cl100k_base` (GPT-3.5, GPT-4).
    #[default]
    Cl100k,
    /// `OpenAI`'s `o200k_base` (GPT-4o and later).
    #[cfg(feature = "o200k")]
    O200k,
}

/// Why a name stands for no encoding of this program.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnknownEncoding(&'static str);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Takes `cl100k` and `o200k`, and the same with `_base`.
    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name.strip_suffix("_base").unwrap_or(name) {
            "cl100k" => Ok(Self::Cl100k),
            #[cfg(feature = "o200k")]
            "o200k" => Ok(Self::O200k),
            #[cfg(not(feature = "o200k"))]
            "o200k" => Err(UnknownEncoding("this toto was built without it; build it with --features o200k")),
            _ => Err(UnknownEncoding("no such encoding; there are cl100k and o200k")),
        }
    }
}

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
        Encoding::Cl100k => pieces.pieces::<cl100k::Cl100k, true>(text).0,
        #[cfg(feature = "o200k")]
        Encoding::O200k => pieces.pieces::<o200k::O200k, true>(text).0,
    }
}

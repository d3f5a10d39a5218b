//! The encodings by name.

use std::str::FromStr;

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
pub enum UnknownEncoding {
    /// No encoding has the name.
    #[error("no such encoding; there are cl100k and o200k")]
    NoSuchName,
    /// The encoding is behind a cargo feature, to keep the program small.
    #[error("this toto was built without it; build it with --features o200k")]
    NotBuilt,
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Takes `cl100k` and `o200k`, and the same with `_base`.
    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        match name.strip_suffix("_base").unwrap_or(name) {
            "cl100k" => Ok(Self::Cl100k),
            #[cfg(feature = "o200k")]
            "o200k" => Ok(Self::O200k),
            #[cfg(not(feature = "o200k"))]
            "o200k" => Err(UnknownEncoding::NotBuilt),
            _ => Err(UnknownEncoding::NoSuchName),
        }
    }
}

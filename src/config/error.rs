//! Errors of settings, in one line: the mistake, its place, and the key that was probably meant.

use thiserror::Error;

use crate::mistake::Mistake;

/// A setting that cannot be used.
#[derive(Debug, Error)]
pub enum Error {
    /// The file does not parse.
    #[error("{path}:{mistake}")]
    File {
        /// Path of the file.
        path: String,
        /// The mistake and its place.
        mistake: Mistake,
    },
    /// The file is there but cannot be read.
    #[error("{0}")]
    Unreadable(std::io::Error),
    /// An environment variable has an invalid value.
    #[error("{variable}={value}: expected {expected}")]
    Variable {
        /// Name of the variable.
        variable: &'static str,
        /// Its invalid value.
        value: String,
        /// Its valid values, in words.
        expected: String,
    },
}

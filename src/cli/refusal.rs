//! Requests that a subcommand cannot serve as they were made: exit status 2.

use thiserror::Error;

/// A request that cannot be served.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It makes no sense, or names something that is not there.
    #[error("{0}")]
    Bad(String),
    /// The answer would be too much for an agent; the line is printed as it is, without `toto:` in front.
    #[error("{0}")]
    TooMuch(String),
}

impl Refusal {
    /// A request that makes no sense, or names something that is not there.
    pub fn bad(line: impl Into<String>) -> anyhow::Error {
        Self::Bad(line.into()).into()
    }
}

/// Writes the refusal to standard error, in one line.
pub fn tell(refusal: &anyhow::Error) {
    match refusal.downcast_ref() {
        Some(Refusal::TooMuch(line)) => crate::run::emit::say(line),
        _ => super::complain(&refusal.to_string()),
    }
}

//! What a subcommand answers to a request that cannot be served as it was made: exit status 2.

use thiserror::Error;

/// A request that cannot be served.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It makes no sense, or names what is not there.
    #[error("{0}")]
    Bad(String),
    /// The answer would be too much for an agent; the line is told as it is.
    #[error("{0}")]
    TooMuch(String),
}

impl Refusal {
    /// A request that makes no sense, or names what is not there.
    pub fn bad(line: impl Into<String>) -> anyhow::Error {
        Self::Bad(line.into()).into()
    }
}

/// Tells it in one line on standard error.
pub fn tell(refusal: &anyhow::Error) {
    match refusal.downcast_ref() {
        Some(Refusal::TooMuch(line)) => crate::run::emit::say(line),
        _ => super::complain(&refusal.to_string()),
    }
}

//! The ledger of savings, run by run: a spool that every run appends to, and a database into which `toto gain` folds
//! the spool.
//!
//! docs/ledger.md tells what is written down, what is not, and why a run is never lost or counted twice.

pub mod calls;
pub(crate) mod database;
pub(crate) mod fold;
pub mod record;
pub mod spool;
pub(crate) mod sums;

use thiserror::Error;

/// Why the ledger cannot be used.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("no home directory, so there is no ledger")]
    NoHome,
    #[error("the ledger is of a later toto (version {0} of its tables, this one knows {known}); update toto", known = database::TABLES)]
    Later(usize),
    #[error("{} is not a file: move it away", .0.display())]
    NoFile(std::path::PathBuf),
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

#[cfg(test)]
#[path = "../../tests/unit/ledger.rs"]
mod tests;

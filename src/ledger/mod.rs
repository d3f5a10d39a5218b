//! What was saved, run by run: a spool that every run appends to, and a database that `toto gain` folds it into.
//!
//! docs/ledger.md tells what is written down, what is not, and why a run is never lost or counted twice.

pub mod calls;
pub mod database;
pub mod fold;
mod insert;
pub mod record;
mod schema;
pub mod spool;
pub mod sums;

use thiserror::Error;

/// What may be wrong with the ledger.
#[derive(Debug, Error)]
pub enum Error {
    /// There is nowhere to look.
    #[error("no home directory, so there is no ledger")]
    NoHome,
    /// A later toto has made it.
    #[error("the ledger is of a later toto (version {0} of its tables, this one knows {known}); update toto", known = schema::VERSION)]
    Later(usize),
    /// What `SQLite` says.
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    /// The file system's.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

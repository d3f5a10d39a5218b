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

pub(crate) use database::Error;

#[cfg(test)]
#[path = "../../tests/unit/ledger.rs"]
mod tests;

//! What was saved, run by run: a spool that every run appends to, and a database that `toto gain` folds it into.
//!
//! docs/ledger.md tells what is written down, what is not, and why a run is never lost or counted twice.

pub mod calls;
pub mod record;
pub mod spool;

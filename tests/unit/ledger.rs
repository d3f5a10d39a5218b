//! Unit tests of the room, one file a module.

#[path = "ledger/database.rs"]
mod database;
#[path = "ledger/schema.rs"]
mod schema;
#[path = "ledger/spool.rs"]
mod spool;
#[path = "ledger/sums.rs"]
mod sums;

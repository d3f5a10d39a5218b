//! Unit tests of the room, one file a module.

#[path = "gain/figures.rs"]
mod figures;
#[path = "gain/glance.rs"]
mod glance;
#[path = "gain/metrics.rs"]
mod metrics;
#[path = "gain/page.rs"]
mod page;
#[path = "gain/query.rs"]
mod query;
#[path = "gain/rows.rs"]
mod rows;
#[path = "gain/table.rs"]
mod table;

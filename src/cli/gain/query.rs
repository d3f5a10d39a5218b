//! What is asked of the ledger, and the overview that answers it.

use rusqlite::Connection;

use super::since;
use crate::ledger::Error;
use crate::ledger::sums::{self, Beside, By, Scope, Sums};

/// The figures that `toto gain` shows by default.
pub(super) struct Overview {
    pub(super) total: Sums,
    pub(super) today: Sums,
    pub(super) tools: Vec<(String, Sums)>,
    pub(super) days: Vec<(String, Sums)>,
    pub(super) beside: Beside,
}

/// What is asked for: which runs, at what price in dollars for a million tokens, and how many rows.
pub(super) struct Query {
    pub(super) scope: Scope,
    pub(super) price: f64,
    pub(super) top: Option<usize>,
}

pub(super) fn overview(connection: &Connection, scope: &Scope) -> Result<Overview, Error> {
    let today = since::today();
    let of_today = Scope { from_day: Some(today.max(scope.from_day.unwrap_or(today))), ..scope.clone() };
    Ok(Overview {
        total: sums::total(connection, scope)?,
        today: sums::total(connection, &of_today)?,
        tools: sums::by(connection, By::Tool, scope)?,
        days: sums::by(connection, By::Day, scope)?,
        beside: sums::beside(connection, scope)?,
    })
}

//! What is asked of the ledger, and the figures that `toto gain` shows without being asked for others.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use rusqlite::Connection;

use crate::ledger::sums::{self, Beside, By, Scope, Sums, day_of};
use crate::ledger::{Error, spool};

/// The figures that `toto gain` shows by default.
pub struct Overview {
    pub total: Sums,
    pub today: Sums,
    pub tools: Vec<(String, Sums)>,
    pub days: Vec<(String, Sums)>,
    pub beside: Beside,
}

/// What is asked for: which runs, at what price in dollars for a million tokens, and how many rows.
pub struct Query {
    pub scope: Scope,
    pub price: f64,
    pub top: Option<usize>,
}

impl Query {
    pub fn most(&self) -> usize {
        self.top.unwrap_or(usize::MAX)
    }
}

pub fn overview(connection: &Connection, scope: &Scope) -> Result<Overview, Error> {
    let today = today();
    let of_today = Scope { from_day: Some(today.max(scope.from_day.unwrap_or(today))), ..scope.clone() };
    Ok(Overview {
        total: sums::total(connection, scope)?,
        today: sums::total(connection, &of_today)?,
        tools: sums::by(connection, By::Tool, scope)?,
        days: sums::by(connection, By::Day, scope)?,
        beside: sums::beside(connection, scope)?,
    })
}

/// Today in the local time zone, in days since 1970-01-01.
pub fn today() -> i64 {
    day_of(Zoned::now().date())
}

/// The runs since a time: `2026-11-21`, `2026-11-21T12:00:00Z`, `12h`, `7d` (today and the six days before), `2w`.
pub fn since(text: &str) -> Result<Scope, String> {
    let help = || format!("`{text}` is no date (2026-11-21) and no time that has passed (12h, 7d, 2w)");
    let of_day = |day| Ok(Scope { from_day: Some(day), ..Scope::default() });
    let of_moment = |moment| Ok(Scope { from: Some(moment), ..Scope::default() });
    if let Ok(date) = text.parse::<Date>()
        && text.len() == 10
    {
        return of_day(day_of(date));
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return of_moment(moment.as_microsecond());
    }
    let unit = text.chars().last().ok_or_else(help)?;
    let count = text[..text.len() - unit.len_utf8()].parse().ok();
    let count: i64 = count.filter(|count| (1..=100_000).contains(count)).ok_or_else(help)?;
    match unit {
        'h' => of_moment(spool::now() - count * 3_600_000_000),
        'd' => of_day(today() - count + 1),
        'w' => of_day(today() - count * 7 + 1),
        _ => Err(help()),
    }
}

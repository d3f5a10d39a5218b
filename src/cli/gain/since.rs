//! `--since`: a date, or how long ago.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};

use crate::ledger::spool;
use crate::ledger::sums::{Scope, day_of};

/// The beginning of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// A day, in days since 1970-01-01.
    Day(i64),
    /// A moment, in microseconds since 1970.
    Moment(i64),
}

impl Since {
    /// Limits the scope to what happened since then.
    pub fn narrow(self, scope: &mut Scope) {
        match self {
            Self::Day(day) => scope.from_day = Some(day),
            Self::Moment(moment) => scope.from = Some(moment),
        }
    }
}

/// Today in the local time zone, in days since 1970-01-01.
pub fn today() -> i64 {
    day_of(Zoned::now().date())
}

/// Reads `2026-11-21`, `2026-11-21T12:00:00Z`, `12h`, `7d` (today and the six days before), `2w`.
pub fn parse(text: &str) -> Result<Since, String> {
    let help = || format!("`{text}` is no date (2026-11-21) and no time that has passed (12h, 7d, 2w)");
    if let Ok(date) = text.parse::<Date>()
        && text.len() == 10
    {
        return Ok(Since::Day(day_of(date)));
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(Since::Moment(moment.as_microsecond()));
    }
    let unit = text.chars().last().ok_or_else(help)?;
    let count: i64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| help())?;
    if !(1..=100_000).contains(&count) {
        return Err(help());
    }
    match unit {
        'h' => Ok(Since::Moment(spool::now() - count * 3_600_000_000)),
        'd' => Ok(Since::Day(today() - count + 1)),
        'w' => Ok(Since::Day(today() - count * 7 + 1)),
        _ => Err(help()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_or_a_time_that_has_passed() {
        assert_eq!(parse("2026-11-21"), Ok(Since::Day(20_778)));
        assert_eq!(parse("1970-01-01T00:00:01Z"), Ok(Since::Moment(1_000_000)));
        assert_eq!(parse("1d"), Ok(Since::Day(today())));
        assert_eq!(parse("2w"), Ok(Since::Day(today() - 13)));
        assert!(matches!(parse("12h"), Ok(Since::Moment(moment)) if moment > 1_700_000_000_000_000));
        for wrong in ["", "d", "0d", "-1d", "7x", "2026-13-01", "yesterday", "7ä", "99999999d"] {
            assert!(parse(wrong).unwrap_err().contains("is no date"), "{wrong}");
        }
    }
}

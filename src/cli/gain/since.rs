//! `--since`: a date, or how long ago.

use jiff::civil::Date;
use jiff::{Timestamp, Zoned};

use crate::ledger::spool;
use crate::ledger::sums::{Scope, day_of};

/// Today in the local time zone, in days since 1970-01-01.
pub fn today() -> i64 {
    day_of(Zoned::now().date())
}

/// The runs since a time: `2026-11-21`, `2026-11-21T12:00:00Z`, `12h`, `7d` (today and the six days before), `2w`.
pub fn parse(text: &str) -> Result<Scope, String> {
    let help = || format!("`{text}` is no date (2026-11-21) and no time that has passed (12h, 7d, 2w)");
    let since_day = |day| Ok(Scope { from_day: Some(day), ..Scope::default() });
    let since = |moment| Ok(Scope { from: Some(moment), ..Scope::default() });
    if let Ok(date) = text.parse::<Date>()
        && text.len() == 10
    {
        return since_day(day_of(date));
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return since(moment.as_microsecond());
    }
    let unit = text.chars().last().ok_or_else(help)?;
    let count = text[..text.len() - unit.len_utf8()].parse().ok();
    let count: i64 = count.filter(|count| (1..=100_000).contains(count)).ok_or_else(help)?;
    match unit {
        'h' => since(spool::now() - count * 3_600_000_000),
        'd' => since_day(today() - count + 1),
        'w' => since_day(today() - count * 7 + 1),
        _ => Err(help()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_or_a_time_that_has_passed() {
        for (text, day) in [("2026-11-21", 20_778), ("1d", today()), ("2w", today() - 13)] {
            assert_eq!(parse(text).unwrap().from_day, Some(day), "{text}");
        }
        assert_eq!(parse("1970-01-01T00:00:01Z").unwrap().from, Some(1_000_000));
        assert!(parse("12h").unwrap().from > Some(1_700_000_000_000_000));
        for wrong in ["", "d", "0d", "-1d", "7x", "2026-13-01", "yesterday", "7ä", "99999999d"] {
            assert!(parse(wrong).unwrap_err().contains("is no date"), "{wrong}");
        }
    }
}

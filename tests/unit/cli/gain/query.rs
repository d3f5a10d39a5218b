use crate::cli::gain::query::*;

#[test]
fn a_date_or_a_time_that_has_passed() {
    for (text, day) in [("2026-11-21", 20_778), ("1d", today()), ("2w", today() - 13)] {
        assert_eq!(since(text).unwrap().from_day, Some(day), "{text}");
    }
    assert_eq!(since("1970-01-01T00:00:01Z").unwrap().from, Some(1_000_000));
    assert!(since("12h").unwrap().from > Some(1_700_000_000_000_000));
    for wrong in ["", "d", "0d", "-1d", "7x", "2026-13-01", "yesterday", "7ä", "99999999d"] {
        assert!(since(wrong).unwrap_err().contains("is no date"), "{wrong}");
    }
}

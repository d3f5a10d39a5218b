use crate::ledger::sums::*;

#[test]
fn days_and_dates_are_each_others() {
    for (day, text) in [(0, "1970-01-01"), (20_778, "2026-11-21"), (-1, "1969-12-31")] {
        assert_eq!(date_of(day).to_string(), text);
        assert_eq!(day_of(text.parse().unwrap()), day);
    }
}

#[test]
fn a_saving_is_net_of_the_receipt_and_may_be_less_than_none() {
    let sums = Sums { without: 100, given: 40, receipt: 10, ..Sums::default() };
    assert_eq!((sums.saved(), sums.percent()), (50, 50.0));
    assert!((sums.money(3.0) - 0.000_15).abs() < 1e-12);
    let sums = Sums { without: 10, given: 40, ..Sums::default() };
    assert_eq!(sums.saved(), -30);
    assert!(Sums::default().percent().abs() < f64::EPSILON);
}

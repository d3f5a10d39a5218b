use crate::cli::gain::page::*;
use crate::cli::gain::query::today;
use crate::ledger::sums::Sums;
use crate::ledger::sums::date_of;

#[test]
fn names_cannot_leave_their_place() {
    let rows = command_rows(&[(["<script>".into(), "\"&".into(), "{{TILES}}".into()], Sums::default())], 3.0);
    assert!(rows.contains("<td>&lt;script&gt;</td><td>&quot;&amp;</td><td>{{TILES}}</td>"), "{rows}");
}

#[test]
fn many_days_are_drawn_as_weeks() {
    let sums = Sums { runs: 1, without: 100, given: 20, ..Sums::default() };
    let days: Vec<_> = (0..200).map(|day| (date_of(today() - day).to_string(), sums)).rev().collect();
    let text = chart(&days);
    assert_eq!(text.matches("<g>").count(), 29, "{text}");
    assert!(text.contains("week of"), "{text}");
    assert_eq!(chart(&days[190..]).matches("<g>").count(), 10);
    assert_eq!(chart(&[]), "");
}

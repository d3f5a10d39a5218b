//! Unit tests of the room, those of its modules in files of their own.

#[path = "viewer/lacked.rs"]
mod lacked;
#[path = "viewer/shown.rs"]
mod shown;

use super::*;

#[test]
fn a_difference_is_an_answer_and_trouble_is_a_failure() {
    let is = |line: &str, code| {
        is_answer(&line.split(' ').map(String::from).collect::<Vec<_>>(), Status::Exited(code))
    };
    assert!(is("grep x", 1) && is("/usr/bin/diff a b", 1) && is("git -C /x diff --no-index a b", 1));
    assert!(!is("grep x", 2) && !is("git fetch", 1) && !is("git diff", 128) && !is("find /etc diff", 1));
}

#[test]
fn the_end_of_an_output_is_not_measured_as_the_whole() {
    let end = b"the last lines\nof many";
    let of = |length| Run {
        status: Status::Exited(1),
        length,
        ran: Duration::ZERO,
        is_cut: length > end.len() as u64,
        copy: None,
        text: Some(end),
        shown: b"",
        seen: b"",
        is_chosen: false,
        is_said: false,
    };
    assert_eq!(of(end.len() as u64).whole().map(count_lines), Some(2));
    assert_eq!(of(end.len() as u64).tokens(), (tokens::count(end) as u64, false));
    assert_eq!(of(80_000_000).whole(), None);
    assert_eq!(of(80_000_000).tokens(), (20_000_000, true));
}

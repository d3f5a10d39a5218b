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

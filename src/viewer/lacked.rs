//! What a window lacked of a failing tool's output.

use std::collections::HashSet;

use crate::overflow::{Digest, Large, readable};
use crate::report::{self, Hint, Options};
use crate::tokens;

/// Bytes that a token is taken to have at most: a text too long for its room by this measure is not counted.
const LONGEST_TOKEN: usize = 16;
/// A digest that does not fit its room is written at most this many times, each time for less.
const MOST_WRITTEN: usize = 4;

/// What `window` lacks of `text`, the output of a tool that failed, in at most `room` tokens: all missing lines or, of
/// a report, the missing lines of its digest, whichever has fewer tokens. If neither fits: the first lines of the
/// digest or, of a text that is no report, the passages that say why. Empty if nothing is lacking.
pub fn what_the_window_lacked(text: &[u8], window: &[u8], hint: &Hint<'_>, room: usize) -> String {
    let (readable_text, seen) = (readable(text), readable(window));
    let seen: HashSet<&str> = seen.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let is_new = |line: &&str| !line.trim().is_empty() && !seen.contains(line.trim_end());
    if text == window || !readable_text.lines().any(|line| is_new(&line)) {
        return String::new();
    }
    // If the window is the beginning or the end of the text, it lacks all the rest, also lines equal to its own.
    let rest = text.strip_suffix(window).or_else(|| text.strip_prefix(window)).filter(|_| !window.is_empty());
    let hidden = rest.map(readable);
    let without_blanks = |part: &String| joined(part.lines().filter(|line| !line.trim().is_empty()));
    let rest = hidden.as_ref().map_or_else(|| joined(readable_text.lines().filter(is_new)), without_blanks);
    let rest = (rest.len() <= room.saturating_mul(LONGEST_TOKEN))
        .then(|| (tokens::count(rest.as_bytes()), rest))
        .filter(|(count, _)| *count <= room);
    // Failures that the window shows whole are not repeated.
    let told = hidden
        .and_then(|hidden| digest(&hidden, hint, is_new, room, 1))
        .or_else(|| digest(&readable_text, hint, is_new, room, 0));
    match (rest, told) {
        (Some((count, rest)), told) => {
            told.filter(|(least, _)| *least < count).map_or(rest, |(_, told)| told)
        }
        (None, Some((_, told))) => told,
        (None, None) => {
            let passages = Large::passages_of(&Digest::of(text, &[]));
            let lines: Vec<&str> = passages.lines().filter(|line| is_new(line)).collect();
            within(&without_doubled_gaps(&lines), room)
        }
    }
}

/// The new lines of the digest, after their tokens; `None` if the text is no report of at least `fewest` failures.
fn digest(
    text: &str,
    hint: &Hint<'_>,
    is_new: impl Fn(&&str) -> bool,
    room: usize,
    fewest: usize,
) -> Option<(usize, String)> {
    let plain = report::plain(text);
    let report = report::read(&plain, hint).filter(|report| report.failures() >= fewest)?;
    let mut most = room.saturating_mul(LONGEST_TOKEN);
    let mut lines = String::new();
    for _ in 0..MOST_WRITTEN {
        let told = report.digest(&Options { most, ..Options::default() }).text;
        lines = joined(told.lines().filter(&is_new));
        let count = tokens::count(lines.as_bytes());
        if count <= room {
            return Some((count, lines));
        }
        most = told.len().min(most) / count * room;
    }
    let lines = within(&lines.lines().collect::<Vec<_>>(), room);
    Some((tokens::count(lines.as_bytes()), lines))
}

/// Removes marks of gaps at both ends, and all but the first of marks with nothing between them.
fn without_doubled_gaps<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let is_gap = |line: &str| line.starts_with("… (line");
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        if !(is_gap(line) && kept.last().is_none_or(|last| is_gap(last))) {
            kept.push(line);
        }
    }
    while kept.last().is_some_and(|last| is_gap(last)) {
        kept.pop();
    }
    kept
}

fn within(lines: &[&str], room: usize) -> String {
    let mut end = lines.len();
    loop {
        let text = joined(lines[..end].iter().copied());
        if end == 0 || tokens::count(text.as_bytes()) <= room {
            return text;
        }
        end -= 1;
    }
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(|line| [line.trim_end(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacked(text: &str, window: &str) -> String {
        what_the_window_lacked(text.as_bytes(), window.as_bytes(), &Hint::default(), 900)
    }

    #[test]
    fn few_lines_are_given_whole_and_none_twice() {
        let text = "one\nerror: two\n\nthree\nfour\n";
        assert_eq!(lacked(text, "three\nfour\n"), "one\nerror: two\n");
        assert_eq!(lacked(text, text) + &lacked("", ""), "");
    }

    #[test]
    fn of_many_lines_those_that_say_why() {
        let mut text: String =
            (0..5_000).map(|n| format!("compiled unit {n} of the program, all well\n")).collect();
        text.insert_str(100_000, "\nsrc/a.c:7:1: error: no such thing\n");
        let lacked = lacked(&text, "");
        assert!(lacked.contains("no such thing"), "{lacked}");
        assert!(tokens::count(lacked.as_bytes()) <= 900);
    }

    #[test]
    fn failures_that_the_window_shows_are_not_told_again() {
        let failure = |name: &str, value: u32| {
            format!(
                "{:_^60}\n\n    def {name}():\n>       assert {value} == 0\nE       assert {value} == 0\n\ntests/test_a.py:{value}: AssertionError\n",
                format!(" {name} ")
            )
        };
        let summary = "=========================== short test summary info ============================\nFAILED tests/test_a.py::test_one - assert 11 == 0\nFAILED tests/test_a.py::test_two - assert 22 == 0\n2 failed in 0.02s\n";
        let hidden = format!("{:=^70}\n{}", " FAILURES ", failure("test_one", 11));
        let window = format!("{}{summary}", failure("test_two", 22));
        let lacked = lacked(&format!("{hidden}{window}"), &window);
        assert!(lacked.contains("tests/test_a.py:11") && lacked.contains("assert 11 == 0"), "{lacked}");
        assert!(!lacked.contains("22"), "{lacked}");
    }

    #[test]
    fn of_a_report_what_its_digest_tells() {
        let passed: String = (0..40).map(|n| format!("test shapes::case_{n} ... ok\n")).collect();
        let said = "thread 'shapes::empty' panicked at src/shapes.rs:7:9:\nassertion `left == right` failed\n  left: 3\n right: 4\n";
        let summary = "\nfailures:\n    shapes::empty\n\ntest result: FAILED. 40 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
        let text = format!(
            "running 41 tests\n{passed}test shapes::empty ... FAILED\n\nfailures:\n\n---- shapes::empty stdout ----\n{said}\n{summary}"
        );
        let words = ["cargo", "test"].map(std::ffi::OsString::from);
        let hint = Hint { words: &words };
        let lacked = what_the_window_lacked(text.as_bytes(), summary.as_bytes(), &hint, 900);
        for fact in ["src/shapes.rs:7", "left: 3", "right: 4"] {
            assert!(lacked.contains(fact), "{fact}: {lacked}");
        }
        assert!(!lacked.contains("case_7") && !lacked.contains("test result:"), "{lacked}");
    }
}

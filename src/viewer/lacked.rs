//! What a window lacked of what a failing tool said of its failure.

use std::collections::HashSet;

use crate::failure::Rank;
use crate::overflow::{Digest, Passage, readable};
use crate::report::{self, Hint, Options};
use crate::tokens;

/// Bytes that a token is taken to have at most: a text too long for its room by this measure is not counted.
const LONGEST_TOKEN: usize = 16;
/// A digest that does not fit its room is written at most this many times, each time for less.
const MOST_WRITTEN: usize = 4;
/// Most tokens where the window shows a report's totals: its reader knows that there is more, and chose not to see it.
const BESIDE_TOTALS: usize = 300;
/// Mark of what lies between two passages, and most of its tokens.
const GAP: &str = "  …\n";
const MARK: usize = 3;
/// In front of every line, so that none of the tool's passes for a line of ours.
const INDENT: &str = "  ";

/// What is to be said behind a window.
#[derive(Debug, PartialEq, Eq)]
pub enum Lack {
    /// Nothing: the window shows why the tool failed.
    Nothing,
    /// Not known: nothing in the whole output says why.
    Unknown,
    /// These lines, none where there is no room for one.
    Lines(String),
}

/// What `window` lacks of what `text`, the output of a tool that failed, says of the failure, in at most `room` tokens:
/// the missing lines of a report's digest; of any other text, the passages that state a failure. `is_said` says that the
/// tool could speak to the agent beside the window; then only what is surely of the failure counts.
pub fn what_the_window_lacked(
    text: &[u8],
    window: &[u8],
    hint: &Hint<'_>,
    room: usize,
    is_said: bool,
) -> Lack {
    let (readable_text, seen) = (readable(text), readable(window));
    let seen: HashSet<&str> = seen.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let is_new = |line: &&str| !line.trim().is_empty() && !seen.contains(line.trim_end());
    let room = if has_totals(window, hint) { room.min(BESIDE_TOTALS) } else { room };
    // If the window is the beginning or the end of the text, it lacks all the rest, also lines equal to its own.
    let rest = text.strip_suffix(window).or_else(|| text.strip_prefix(window)).filter(|_| !window.is_empty());
    // Failures that the window shows whole are not repeated.
    let told = || {
        rest.and_then(|hidden| digest(&readable(hidden), hint, is_new, room, 1))
            .or_else(|| digest(&readable_text, hint, is_new, room, usize::from(is_said)))
    };
    if text != window
        && let Some(lack) = told()
    {
        return lack;
    }
    let shown = passages(window);
    let is_sure = is_said || shown.iter().any(|passage| passage.rank == Rank::Strong);
    let mut hidden = passages(rest.unwrap_or(text));
    hidden.retain(|passage| passage.rank == Rank::Strong || !is_sure);
    match stated(hidden, is_new, room) {
        Some(lines) => Lack::Lines(lines),
        None if shown.is_empty() && !is_said => Lack::Unknown,
        None => Lack::Nothing,
    }
}

/// Whether a report's totals stand in the window.
fn has_totals(window: &[u8], hint: &Hint<'_>) -> bool {
    let text = readable(window);
    report::has_totals(&report::plain(&text), hint)
}

/// The new lines of the digest, as many as there is room for; `None` if the text is no report of at least `fewest`
/// failures, or if nothing of it has room.
fn digest(
    text: &str,
    hint: &Hint<'_>,
    is_new: impl Fn(&&str) -> bool,
    room: usize,
    fewest: usize,
) -> Option<Lack> {
    let plain = report::plain(text);
    let report = report::read(&plain, hint).filter(|report| report.failures() >= fewest)?;
    let mut most = room.saturating_mul(LONGEST_TOKEN);
    let mut lines = String::new();
    for _ in 0..MOST_WRITTEN {
        let told = report.digest(&Options { most, ..Options::default() }).text;
        lines = joined(told.lines().filter(&is_new));
        let count = tokens::count(lines.as_bytes());
        if count <= room {
            break;
        }
        most = told.len().min(most) / count * room;
    }
    if lines.is_empty() {
        return Some(Lack::Nothing);
    }
    let lines = within(&lines.lines().map(|line| &line[INDENT.len()..]).collect::<Vec<_>>(), room);
    // With so little room that nothing but marks is left, the passages say more.
    let is_mark = |line: &str| line.trim_start().starts_with('…');
    (!lines.lines().all(is_mark)).then_some(Lack::Lines(lines))
}

/// The different passages of a text that say why something failed, in their order. A line of one word, such as a path,
/// says nothing.
fn passages(text: &[u8]) -> Vec<Passage> {
    let mut found = Digest::of(text, &[]).passages;
    let says = |(_, line): &(u64, String)| line.split_whitespace().nth(1).is_some();
    found.retain(|passage| passage.same_as.is_none() && passage.lines.first().is_some_and(says));
    found
}

/// The new lines of as many passages as there is room for, the surest first, with a mark for what lies between them;
/// `None` if there is no such line.
fn stated(mut passages: Vec<Passage>, is_new: impl Fn(&&str) -> bool, room: usize) -> Option<String> {
    let mut left = room;
    passages.sort_by_key(|passage| passage.rank);
    let mut told = Vec::new();
    let mut is_any = false;
    for passage in &passages {
        let lines: Vec<&str> = passage.lines.iter().map(|(_, line)| line.as_str()).filter(&is_new).collect();
        is_any |= !lines.is_empty();
        let lines = within(&lines, left.saturating_sub(MARK));
        if !lines.is_empty() {
            left -= tokens::count(lines.as_bytes()) + MARK;
            told.push((passage.lines[0].0, lines));
        }
    }
    told.sort();
    let lines: Vec<String> = told.into_iter().map(|(_, lines)| lines).collect();
    is_any.then(|| lines.join(GAP))
}

/// As many of the first lines as there is room for.
fn within(lines: &[&str], room: usize) -> String {
    let mut left = room;
    let mut fits = |line: &&&str| {
        let cost = if line.len() > left.saturating_mul(LONGEST_TOKEN) {
            None
        } else {
            Some(joined(std::iter::once(**line)))
        };
        let rest = cost.and_then(|text| left.checked_sub(tokens::count(text.as_bytes())));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    joined(lines.iter().take_while(|line| fits(line)).copied())
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(|line| [INDENT, line.trim_end(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lack(text: &str, window: &str, is_said: bool) -> Lack {
        what_the_window_lacked(text.as_bytes(), window.as_bytes(), &Hint::default(), 900, is_said)
    }

    fn lacked(text: &str, window: &str) -> String {
        match lack(text, window, false) {
            Lack::Lines(lines) => lines,
            lack => panic!("{lack:?}"),
        }
    }

    #[test]
    fn what_states_the_failure_is_told_and_nothing_else() {
        let text = "one\nerror: no such thing\n\nthree\nfour\n";
        assert_eq!(lacked(text, "three\nfour\n"), "  error: no such thing\n");
        assert_eq!(lack(text, text, false), Lack::Nothing, "the window says why");
        let infos: String = (0..40).map(|n| format!("12:00:{n} INFO worker {n} is up\n")).collect();
        assert_eq!(lack(&infos, "12:00:39 INFO worker 39 is up\n", false), Lack::Unknown);
        assert_eq!(lack(&infos, "12:00:39 INFO worker 39 is up\n", true), Lack::Nothing);
        let paths: String = (0..90).map(|n| format!("/etc/{n}/error.conf\n/etc/failed\n")).collect();
        assert_eq!(lack(&paths, "/etc/0/error.conf\n", false), Lack::Unknown, "a path is no reason");
    }

    #[test]
    fn of_many_lines_those_that_say_why() {
        let mut text: String =
            (0..5_000).map(|n| format!("compiled unit {n} of the program, all well\n")).collect();
        text.insert_str(text.len() / 2, "\nfatal: no such thing\n\n");
        assert_eq!(lacked(&text, "").trim(), "fatal: no such thing");
        let many: String = (0..400).map(|n| format!("error: no {} thing\n\n", "very ".repeat(n))).collect();
        assert!(tokens::count(lacked(&many, "").as_bytes()) <= 900);
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
        let lack = what_the_window_lacked(text.as_bytes(), summary.as_bytes(), &hint, 900, false);
        let Lack::Lines(lacked) = lack else { panic!("{lack:?}") };
        assert!(tokens::count(lacked.as_bytes()) <= BESIDE_TOTALS);
        for fact in ["src/shapes.rs:7", "left: 3", "right: 4"] {
            assert!(lacked.contains(fact), "{fact}: {lacked}");
        }
        assert!(!lacked.contains("case_7") && !lacked.contains("test result:"), "{lacked}");
    }
}

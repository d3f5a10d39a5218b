//! What compilers and linters find: a message that comes at many places stands once in full, and its other places
//! follow it: `… 36 more with this message: src/de.rs:12:5 14:7, src/ser.rs:3:1`.

use std::collections::HashMap;

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::super::honesty::has_fact;
use super::super::lines::{Cut, Lines, is_mark};
use super::super::reason::says_why;

/// Findings with one message from this number on become one.
const FEWEST: usize = 2;
/// A shorter message stays as often as it comes, in bytes.
const SHORTEST: usize = 24;
/// How a mark goes on behind its count.
const MORE: &str = " more with this message: ";

/// `src/app.py:12:5: D103 Missing docstring`, `src/a.ts(2,1): error TS6192: …`.
static LINE: Lazy<Option<Regex>> =
    Lazy::new(|| Regex::new(r"(?-u)^([^\s:()]+(?::\d+(?::\d+)?|\(\d+,\d+\))):? (\S.*)$").ok());

/// Folds findings that say the same. After a failure one stays whose details may say why.
pub fn fold(lines: &mut Lines<'_>, succeeded: bool) {
    let mut groups: HashMap<Vec<u8>, Vec<Finding>> = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let Some((finding, message)) =
            Finding::of_rustc(lines, at).or_else(|| Finding::of_one_line(lines, at, succeeded))
        else {
            at += 1;
            continue;
        };
        at = finding.end;
        if succeeded || finding.is_plain(lines) {
            groups.entry(message).or_default().push(finding);
        }
    }
    let mut cuts = Vec::new();
    for findings in groups.into_values().filter(|findings| findings.len() >= FEWEST) {
        let (first, others) = findings.split_at(1);
        let end = first[0].end;
        let mark = format!("… {}{MORE}{}", others.len(), places(others, succeeded));
        cuts.push(Cut { start: end, end, mark: Some(mark) });
        for other in others {
            // The empty line behind it goes, too.
            let blank = other.end < lines.len() && lines.get(other.end).is_empty();
            lines.leave_out(other.end - other.start);
            cuts.push(Cut { start: other.start, end: other.end + usize::from(blank), mark: None });
        }
    }
    cuts.sort_by_key(|cut| (cut.start, cut.end));
    lines.cut(cuts);
}

/// The lines that a mark stands for, of the finding above it: for the honesty checks.
pub fn read_back(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut message = String::new();
    for line in String::from_utf8_lossy(text).lines() {
        if let Some((_, places)) = line.strip_prefix("… ").and_then(|rest| rest.split_once(MORE)) {
            let places = places.split(", ").map(|place| place.split('×').next().unwrap_or_default());
            found.extend(places.map(|place| format!("{place}{message}")));
        } else if let Some(place) = one_line(line.as_bytes()).map(|(place, _)| place.len()) {
            line[place..].clone_into(&mut message);
        }
    }
    found
}

/// The place and the message of a finding that stands in one line.
fn one_line(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let found = LINE.as_ref()?.captures(line)?;
    let (place, message) = (found.get(1)?.as_bytes(), found.get(2)?.as_bytes());
    (message.len() >= SHORTEST).then_some((place, message))
}

/// Lines of one finding: its message, its place, the source, notes.
struct Finding {
    start: usize,
    end: usize,
    place: String,
}

impl Finding {
    /// `warning: …`, `  --> place`, more; an empty line ends it.
    fn of_rustc(lines: &Lines<'_>, start: usize) -> Option<(Self, Vec<u8>)> {
        if !lines.get(start).starts_with(b"warning: ") || start + 1 >= lines.len() {
            return None;
        }
        let place =
            std::str::from_utf8(lines.get(start + 1)).ok()?.trim_start().strip_prefix("--> ")?.to_owned();
        let end = start + (start..lines.len()).take_while(|at| !lines.get(*at).is_empty()).count();
        let tells = (start + 2..end).all(|at| {
            let line = lines.get(at);
            line.first().is_some_and(|byte| *byte == b' ' || byte.is_ascii_digit())
                || [&b"..."[..], b"help: ", b"note: "].iter().any(|start| line.starts_with(start))
        });
        tells.then(|| (Self { start, end, place }, lines.get(start).to_vec()))
    }

    /// One line, and those behind it that are indented; after a success its notes, too, which are else findings of
    /// their own.
    fn of_one_line(lines: &Lines<'_>, start: usize, succeeded: bool) -> Option<(Self, Vec<u8>)> {
        let line = lines.get(start);
        let (place, _) = one_line(line)?;
        let is_note = |line: &[u8]| one_line(line).is_some_and(|(_, message)| message.starts_with(b"note: "));
        let details = |at: &usize| {
            let line = lines.get(*at);
            matches!(line.first(), Some(b' ' | b'\t')) || succeeded && is_note(line)
        };
        let end = start + 1 + (start + 1..lines.len()).take_while(details).count();
        if end < lines.len() && is_mark(lines.get(end)) {
            return None; // folded before
        }
        let message = line[place.len()..].to_vec();
        let place = std::str::from_utf8(place).ok()?.to_owned();
        Some((Self { start, end, place }, message))
    }

    /// Whether its details hold nothing that a failed run must keep.
    fn is_plain(&self, lines: &Lines<'_>) -> bool {
        (self.start + 1..self.end).all(|at| {
            let line = lines.get(at);
            line.trim_ascii_start().starts_with(b"--> ") || !says_why(line) && !has_fact(line)
        })
    }
}

/// `src/de.rs:12:5 14:7×3, src/ser.rs:3:1`; `src/de.rs:12:5, src/de.rs:14:7` after a failure, where each stands whole.
fn places(findings: &[Finding], by_file: bool) -> String {
    let mut out = String::new();
    let mut file = "";
    for same in findings.chunk_by(|a, b| a.place == b.place) {
        let place = same[0].place.as_str();
        match place.split_once(':') {
            Some((path, rest)) if by_file && path == file => {
                out.push(' ');
                out.push_str(rest);
            }
            split => {
                if !out.is_empty() {
                    out.push_str(", ");
                }
                out.push_str(place);
                file = split.map_or("", |(path, _)| path);
            }
        }
        if same.len() > 1 {
            out.push_str(&format!("×{}", same.len()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str, succeeded: bool) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines, succeeded);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again, succeeded);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once:\n{out}");
        out
    }

    fn warning(message: &str, place: &str, note: &str) -> String {
        format!(
            "warning: {message}\n  --> {place}\n   |\n10 | let a = b.unwrap();\n   |         ^^^\n   |\n   = {note}\n\n"
        )
    }

    #[test]
    fn a_message_stands_once_with_all_places() {
        let text = warning("used `unwrap()`", "src/a.rs:10:2", "help: see")
            + &warning("other", "src/a.rs:11:2", "help: see")
            + &warning("used `unwrap()`", "src/a.rs:12:2", "help: see")
            + &warning("used `unwrap()`", "src/b.rs:1:2", "help: see")
            + &warning("used `unwrap()`", "src/b.rs:7:2", "help: see");
        let out = folded(&text, true);
        assert!(
            out.contains("   = help: see\n… 3 more with this message: src/a.rs:12:2, src/b.rs:1:2 7:2\n\n"),
            "{out}"
        );
        assert!(out.contains("warning: other\n") && out.matches("unwrap()`\n").count() == 1, "{out}");
        assert!(folded(&text, false).contains("src/b.rs:1:2, src/b.rs:7:2\n"));
    }

    #[test]
    fn findings_of_one_line_keep_every_place() {
        let line = |place: &str| format!("src/{place}: D103 Missing docstring in public function\n");
        let text = line("a.py:12:5")
            + "src/a.py:13:1: E501 Line too long\n"
            + &line("a.py:14:5")
            + &line("b.py:1:1");
        let out = folded(&text, false);
        assert_eq!(
            out,
            line("a.py:12:5")
                + "… 2 more with this message: src/a.py:14:5, src/b.py:1:1\nsrc/a.py:13:1: E501 Line too long\n"
        );
        let lines = read_back(out.as_bytes());
        assert_eq!(lines, [line("a.py:14:5").trim_end(), line("b.py:1:1").trim_end()]);
    }

    #[test]
    fn after_a_failure_details_that_may_say_why_stay() {
        let text = warning("same", "src/a.rs:10:2", "note: expected x")
            + &warning("same", "src/a.rs:12:2", "note: expected y");
        assert_eq!(folded(&text, false), text);
    }
}

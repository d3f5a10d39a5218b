//! What compilers and linters say in one line: a message that comes at many places stands once in full, and its other
//! places follow it: `… 36 more with this message: src/de.rs:12:5, src/de.rs:14:7`. What has details behind it stays.

use std::collections::HashMap;
use std::fmt::Write as _;

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::super::lines::{Cut, Lines, is_mark};

/// Findings with one message from this number on become one.
const FEWEST: usize = 2;
/// A shorter message stays as often as it comes, in bytes.
const SHORTEST: usize = 24;
/// How a mark goes on behind its count.
const MORE: &str = " more with this message: ";

/// `src/app.py:12:5: D103 Missing docstring`, `src/a.ts(2,1): error TS6192: …`.
static LINE: Lazy<Option<Regex>> =
    Lazy::new(|| Regex::new(r"(?-u)^([^\s:()]+(?::\d+(?::\d+)?|\(\d+,\d+\))):? (\S.*)$").ok());

/// Folds findings that say the same.
pub fn fold(lines: &mut Lines<'_>) {
    let mut groups: HashMap<&[u8], Vec<(usize, &str)>> = HashMap::new();
    for at in 0..lines.len() {
        if let Some((place, message)) = finding(lines, at) {
            groups.entry(message).or_default().push((at, place));
        }
    }
    let mut cuts = Vec::new();
    for findings in groups.into_values().filter(|findings| findings.len() >= FEWEST) {
        let (first, others) = (findings[0].0 + 1, &findings[1..]);
        let mark = format!("… {}{MORE}{}", others.len(), places(others));
        cuts.push(Cut { start: first, end: first, mark: Some(mark) });
        cuts.extend(others.iter().map(|(at, _)| Cut::line(*at)));
    }
    cuts.sort_by_key(|cut| (cut.start, cut.end));
    lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
    lines.cut(cuts);
}

/// The place and the rest of a finding in the line at `at`, where neither details nor a mark follow it.
fn finding<'l>(lines: &'l Lines<'_>, at: usize) -> Option<(&'l str, &'l [u8])> {
    let line = lines.get(at);
    let found = LINE.as_ref()?.captures(line)?;
    let (place, message) = (found.get(1)?, found.get(2)?);
    let has_details = at + 1 < lines.len() && {
        let next = lines.get(at + 1);
        is_mark(next) || matches!(next.first(), Some(b' ' | b'\t'))
    };
    let is_finding = message.len() >= SHORTEST && !has_details;
    let place = std::str::from_utf8(place.as_bytes()).ok().filter(|_| is_finding)?;
    Some((place, &line[place.len()..]))
}

/// `src/de.rs:12:5, src/de.rs:14:7×3`.
fn places(findings: &[(usize, &str)]) -> String {
    let mut out = String::new();
    for same in findings.chunk_by(|a, b| a.1 == b.1) {
        out.push_str(if out.is_empty() { "" } else { ", " });
        out.push_str(same[0].1);
        if same.len() > 1 {
            let _ = write!(out, "×{}", same.len());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once:\n{out}");
        out
    }

    #[test]
    fn a_message_stands_once_with_all_places() {
        let line = |place: &str| format!("src/{place}: D103 Missing docstring in public function\n");
        let text = line("a.py:12:5")
            + "src/a.py:13:1: E501 Line too long\n"
            + &line("a.py:14:5")
            + &line("b.py:1:1")
            + &line("b.py:1:1");
        assert_eq!(
            folded(&text),
            line("a.py:12:5")
                + "… 3 more with this message: src/a.py:14:5, src/b.py:1:1×2\nsrc/a.py:13:1: E501 Line too long\n"
        );
    }

    #[test]
    fn a_finding_with_details_stays() {
        let warning = |line: u8| {
            format!("src/a.c:{line}:5: warning: unused variable 'x' of this function\n  {line} | int x;\n")
        };
        let text = warning(3) + &warning(9);
        assert_eq!(folded(&text), text);
    }
}

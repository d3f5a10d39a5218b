//! ava's own form: a line a test, then each failure under its name. A name may be any words, so a failure is what bears
//! the names of the lines above, in their order.

use std::collections::VecDeque;
use std::ops::Range;

use super::super::record::{Dropped, PartKind, Place, Test, Total, Verdict, number};
use super::super::section::{Family, Section, parts};
use super::body;

/// The name on the line of a test that failed, and what may stand behind it.
fn failed(line: &str) -> Option<&str> {
    ["  ✘ [fail]: ", "  ✘ [unexpected pass]: "].iter().find_map(|mark| line.strip_prefix(mark))
}

pub fn read(section: &mut Section<'_>, _: &Family) {
    let end = section.lines.len();
    let is_bar = |at: &usize| section.is_free(*at) && section.text(*at) == "  ─";
    let Some(last) = (0..end).rev().find(is_bar) else { return };
    let first = (0..last).find(is_bar).unwrap_or(last);
    let totals: Vec<_> = (last + 1..end).take_while(|at| is_total(section.text(*at))).collect();
    let mut names: VecDeque<_> = (0..first).filter_map(|at| failed(section.text(at))).collect();
    let count = names.len();
    let mut heads = Vec::new();
    for at in first + 1..last {
        let name = section.text(at).strip_prefix("  ").unwrap_or("").trim_end();
        let rest = names.front().and_then(|line| line.strip_prefix(name)).filter(|_| !name.is_empty());
        // Behind the name in the line above stands what goes on below it here.
        let is_below = |rest: &str| {
            let below = section.text(at + 1).trim().trim_end_matches(':');
            // Of a test that logs, the place stands right below.
            let is_name = below.is_empty() || Place::whole(below).is_some();
            is_name && (rest.is_empty() || rest.starts_with(' ')) || rest.trim_start() == below
        };
        if section.text(at - 1).is_empty() && rest.is_some_and(is_below) {
            names.pop_front();
            heads.push(at);
        }
    }
    let said = totals.iter().map(|at| section.text(*at).trim()).find(|text| text.ends_with(" failed"));
    let stated = said.and_then(number).map_or(0, |(stated, _)| stated as usize);
    if totals.iter().all(|at| section.text(*at).is_empty()) || stated != heads.len() || count != stated {
        return;
    }
    let before = section.records.len();
    let ends = heads.iter().skip(1).copied().chain([last]);
    for (head, end) in heads.iter().copied().zip(ends) {
        let test = failure(section, head..end);
        section.add(head..end, test);
    }
    for at in totals.into_iter().filter(|at| !section.text(*at).is_empty()).collect::<Vec<_>>() {
        section.add(at..at + 1, Total::of(vec![section.quote(at, section.text(at).trim())]));
    }
    for at in 0..first {
        progress(section, at);
    }
    section.end_run(before, true, false);
}

/// `  6 tests failed`, `  1 known failure`, or nothing.
fn is_total(line: &str) -> bool {
    let words = ["test", "known", "uncaught", "unhandled", "previous"];
    let counted = line.strip_prefix("  ").and_then(number);
    line.is_empty() || counted.is_some_and(|(_, rest)| words.iter().any(|word| rest.trim().starts_with(word)))
}

/// Reads the line of a test. One with what the test logged below stays above that.
fn progress(section: &mut Section<'_>, at: usize) {
    let line = section.text(at);
    if section.text(at + 1).starts_with("    ℹ ") {
        return;
    }
    let of = |mark: &str| line.strip_prefix(mark);
    let other = of("  - [skip] ").or_else(|| of("  - [todo] ")).map(|id| (id, Verdict::Skipped));
    let other = other.or_else(|| of("  ✔ [expected fail] ").map(|id| (id, Verdict::Expected)));
    if let Some((id, outcome)) = other {
        section.add(at..at + 1, Test::new(id, outcome));
    } else if failed(line).is_some() {
        section.drop_lines(at..at + 1, Dropped::Repeated);
    } else if line.starts_with("  ✔ ") {
        section.drop_lines(at..at + 1, Dropped::Passing(1));
    }
}

/// A failure: its name, its place, an excerpt with numbers, why, and the frame again.
fn failure<'t>(section: &Section<'t>, lines: Range<usize>) -> Test<'t> {
    let mut test = Test::new(section.text(lines.start).trim(), Verdict::Failed);
    let mut from = section.skip_blank(lines.start + 1);
    if let Some(place) = Place::whole(section.text(from).trim()).filter(|place| place.line > 0) {
        test.place = Some(place);
        let start = section.skip_blank(from + 1);
        let numbered = |at| number(section.text(at).trim_start()).filter(|(_, rest)| rest.starts_with(':'));
        from = section.find(start, lines.end, str::is_empty);
        let source = (start..from).find(|at| numbered(*at).is_some_and(|(shown, _)| shown == place.line));
        let source =
            source.map(|at| section.quote(at, numbered(at).map_or("", |(_, rest)| rest[1..].trim())));
        test.why.extend(parts([
            (PartKind::Excerpt, section.block(start..from)),
            (PartKind::Source, source.into_iter().collect()),
        ]));
    }
    let end = (from..lines.end).find(|at| section.text(*at).starts_with("  › ")).unwrap_or(lines.end);
    body::read(section, from..end, &mut test);
    test
}

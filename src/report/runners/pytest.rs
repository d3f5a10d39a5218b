//! pytest: every `--tb`, `-q`, `-v`, `-x`, xdist, errors in collection, with or without the short summary.
//!
//! A session is read line by line into parts. Its records are made when it ends, because the summary at its end has the
//! full ids of the failures above.

mod block;

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::record::{Dropped, Finding, Outcome, Place, Severity, Test, Total, counts};
use super::super::section::{Family, Section, indent};

/// Asked first: what a test printed is part of that test.
pub const FAMILY: Family = Family {
    name: "pytest",
    signs: &[
        "= test session starts =",
        "= FAILURES =",
        "= ERRORS =",
        "= short test summary info =",
        " passed in ",
        " failed in ",
        " error in ",
        " errors in ",
        " skipped in ",
        " warning in ",
        " warnings in ",
        " deselected in ",
        " xfailed in ",
        " xpassed in ",
        " rerun in ",
        "no tests ran in ",
    ],
    read,
};

static TOTAL: Lazy<Option<Regex>> = Lazy::new(|| {
    let words = "failed|passed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun|subtests passed|subtests failed|tests? collected";
    Regex::new(&format!(
        r"^(?:no tests (?:ran|collected).*|\d+(?:/\d+)? (?:{words})\b.*) in \d+\.\d+s(?: \(\d.*\))?$"
    ))
    .ok()
});
static DOTS: Lazy<Option<Regex>> = Lazy::new(|| {
    Regex::new(r"^(?:\S+\.(?:py|rst|txt|md) )?[.FEsxXRr,uP-]+ *(?:\[ *\d+%\])?$|^\S+\.py $|^\[ *\d+%\]$").ok()
});
static VERBOSE: Lazy<Option<Regex>> = Lazy::new(|| {
    let words = OUTCOMES.join("|");
    Regex::new(&format!(
        r"^(?:\[gw\d+\] (?:\[ *\d+%\] )?(?P<w1>{words}) (?P<i1>\S.*)|(?P<i2>\S+(?:::.*)?::?.*?) (?P<w2>{words})(?: \((?P<why>.*)\))?(?: +\[ *\d+%\])?|(?P<start>\S+\.py::[\w:]+(?:\[.*\])?) ?)$"
    ))
    .ok()
});

fn is_total(text: &str) -> bool {
    let may_be = text.ends_with(['s', ')']) && text.starts_with(|c: char| c.is_ascii_digit() || c == 'n');
    may_be && text.len() < 400 && TOTAL.as_ref().is_some_and(|total| total.is_match(text))
}

/// Words for the outcome, in a line of one test.
const OUTCOMES: &[&str] = &["PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "RERUN"];

/// Whether a line may be dots or a test. A cheap check, so that the patterns need not be tried on the lines of other
/// tools.
fn may_be_progress(line: &str) -> bool {
    line.starts_with(['.', 'F', 'E', 's', 'x', 'X', 'R', 'r', ',', 'u', 'P', '-', '['])
        || line.ends_with(['.', 'F', 'E', 's', 'x', 'X', 'R', 'r', ',', 'u', 'P', '-', ' '])
        || line.ends_with("%]")
        || line.contains("::")
        || OUTCOMES.iter().any(|word| line.contains(word))
}

/// The part of a session in which a line stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Area {
    #[default]
    Outside,
    Header,
    Progress,
    Blocks(Outcome),
    Summary,
    Warnings,
    Other,
}

#[derive(Default)]
struct Session<'t> {
    area: Area,
    /// Failures with their tracebacks; without a name where the traceback has no heading.
    blocks: Vec<(Range<usize>, Test<'t>)>,
    /// Lines of the short summary, each with the test as far as the line tells it.
    summary: Vec<(usize, Test<'t>)>,
    /// Headings and lines of progress: dropped once it is certain that this is a session.
    dropped: Vec<(usize, Dropped)>,
    /// Verbose lines of tests that were skipped, or failed as expected.
    skipped: Vec<(usize, Test<'t>)>,
    is_certain: bool,
}

fn read(section: &mut Section<'_>) {
    let mut session = Session::default();
    let mut at = 0;
    while at < section.lines.len() {
        at = session.step(section, at);
    }
    session.close(section);
}

impl<'t> Session<'t> {
    /// Reads what begins at a line. Returns the line behind it.
    fn step(&mut self, section: &mut Section<'t>, at: usize) -> usize {
        let line = section.text(at).trim_end();
        if let Some(title) = block::in_rule(line, '=') {
            return self.heading(section, at, title);
        }
        if is_total(line) {
            return self.total(section, at, line);
        }
        match self.area {
            Area::Blocks(outcome) => return self.block(section, at, outcome),
            Area::Summary => self.entry(section, at, line),
            Area::Warnings => return warning(section, at),
            Area::Header => {
                self.dropped.push((at, Dropped::Heading));
                if line.starts_with("collected ") || line.contains(" workers [") || line.is_empty() {
                    self.area = Area::Progress;
                }
            }
            Area::Outside | Area::Progress => self.progress(section, at),
            Area::Other => {}
        }
        at + 1
    }

    fn heading(&mut self, section: &mut Section<'t>, at: usize, title: &'t str) -> usize {
        if is_total(title) {
            return self.total(section, at, title);
        }
        self.area = match title {
            "test session starts" => {
                self.close(section);
                Area::Header
            }
            "FAILURES" => Area::Blocks(Outcome::Failed),
            "ERRORS" => Area::Blocks(Outcome::Error),
            "short test summary info" => Area::Summary,
            _ if title.starts_with("warnings summary") => Area::Warnings,
            _ if self.is_certain => Area::Other,
            _ => return at + 1,
        };
        self.is_certain = true;
        if self.area != Area::Other {
            self.dropped.push((at, Dropped::Heading));
        }
        at + 1
    }

    fn total(&mut self, section: &mut Section<'t>, at: usize, text: &'t str) -> usize {
        let total = Total { said: vec![section.quote(at, text)], counts: counts(text), ..Total::default() };
        section.add(at..at + 1, total);
        self.is_certain = true;
        self.close(section);
        at + 1
    }

    /// Reads a line of the short summary.
    fn entry(&mut self, section: &Section<'t>, at: usize, line: &'t str) {
        let Some((word, rest)) = line.split_once(' ') else { return };
        let outcome = match word {
            "FAILED" | "SUBFAIL" | "SUBFAILED" => Outcome::Failed,
            "ERROR" => Outcome::Error,
            "SKIPPED" => Outcome::Skipped,
            "XFAIL" => Outcome::Expected,
            "PASSED" => return self.dropped.push((at, Dropped::Passing(1))),
            _ => return,
        };
        let (id, why) = split_id(rest);
        self.summary.push((at, brief(section, at, outcome, id, why)));
    }

    /// Reads a line of dots, or of one test with `-v`.
    fn progress(&mut self, section: &Section<'t>, at: usize) {
        let line = section.text(at);
        if line.len() > 2000 || line.is_empty() || !may_be_progress(line) {
            return;
        }
        if DOTS.as_ref().is_some_and(|dots| dots.is_match(line)) {
            self.dropped.push((at, Dropped::Passing(0)));
        } else if let Some(found) = VERBOSE.as_ref().and_then(|verbose| verbose.captures(line)) {
            let of = |name| found.name(name).map_or("", |found| found.as_str());
            let word = if of("w1").is_empty() { of("w2") } else { of("w1") };
            let id = if of("i1").is_empty() { of("i2") } else { of("i1") }.trim_end();
            match word {
                "SKIPPED" | "XFAIL" => {
                    let outcome = if word == "XFAIL" { Outcome::Expected } else { Outcome::Skipped };
                    self.skipped.push((at, brief(section, at, outcome, id, of("why"))));
                }
                // The settings file decides whether that is a failure, so the line stays.
                "XPASS" => {}
                _ => self.dropped.push((at, Dropped::Passing(usize::from(word == "PASSED")))),
            }
        }
    }

    /// Reads a failure with its traceback, up to the next one or to a heading. Returns the line behind it.
    fn block(&mut self, section: &Section<'t>, at: usize, outcome: Outcome) -> usize {
        let is_end = |line: &str| {
            let bare = line.trim_end();
            block::name(line).is_some() || block::in_rule(bare, '=').is_some() || is_total(bare)
        };
        let end = section.find(at + 1, section.lines.len(), is_end);
        let line = section.text(at);
        let Some(name) = block::name(line) else {
            // `--tb=line` has no headings: what a test printed, then its place and reason on one line.
            let last = section.find(at, end, |line| block::one_line(line).is_some());
            self.blocks.extend(block::of_line(section, at..last, end, outcome));
            return if last < end { last + 1 } else { end };
        };
        let (place, why) = block::read(section, at + 1..end);
        let last = (at..end).rfind(|at| !section.text(*at).trim().is_empty()).unwrap_or(at);
        let is_stop = |line: &str| line.starts_with("!!!!");
        let lines = at..section.find(at, last + 1, is_stop);
        let is_error = outcome == Outcome::Error || name.starts_with("ERROR ");
        let outcome = if is_error { Outcome::Error } else { outcome };
        self.blocks.push((lines, Test { id: name.to_owned(), outcome, place, why }));
        end
    }

    /// Makes records of what was read, and starts anew.
    fn close(&mut self, section: &mut Section<'t>) {
        let session = std::mem::take(self);
        if !session.is_certain {
            return;
        }
        let mut ids: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, (_, test)) in session.summary.iter().enumerate() {
            ids.entry(block::key(&test.id)).or_default().push_back(at);
        }
        let mut told = vec![false; session.summary.len()];
        let mut next = 0;
        for (lines, mut test) in session.blocks {
            let entry = if test.id.is_empty() {
                // Failures without names are told apart by their order and by what they say.
                let mut rest = next..session.summary.len();
                let found = rest.find(|at| block::says(&test, &session.summary[*at].1));
                next = found.map_or(next, |at| at + 1);
                found
            } else {
                ids.get_mut(&block::key(&test.id)).and_then(VecDeque::pop_front)
            };
            let Some(entry) = entry else {
                section.add(lines, test);
                continue;
            };
            let (at, summary) = &session.summary[entry];
            test.id.clone_from(&summary.id);
            if section.add(lines, test) {
                told[entry] = true;
                section.drop_lines(*at..at + 1, Dropped::Repeated);
            }
        }
        let untold = session.summary.into_iter().zip(told).filter(|(_, told)| !told).map(|(entry, _)| entry);
        for (at, test) in untold.chain(session.skipped) {
            section.add(at..at + 1, test);
        }
        for (at, why) in session.dropped {
            section.drop_lines(at..at + 1, why);
        }
    }
}

/// A test, as far as a single line tells it.
fn brief<'t>(section: &Section<'t>, at: usize, outcome: Outcome, id: &str, why: &'t str) -> Test<'t> {
    Test { id: id.to_owned(), outcome, place: None, why: section.reason(at, why) }
}

/// Reads the warning that begins at a line of the summary of warnings, if one does: the tests that met the warning, the
/// warning with its place, the line at fault. Returns the line behind it.
fn warning(section: &mut Section<'_>, at: usize) -> usize {
    let line = section.text(at).trim_end();
    if line.starts_with("-- Docs: ") {
        section.drop_lines(at..at + 1, Dropped::Heading);
        return at + 1;
    }
    let body = section.find(at, section.lines.len(), |line| indent(line) > 0 || line.trim().is_empty());
    if body == at || indent(section.text(body)) != 2 {
        return at + 1;
    }
    let end = section.find(body, section.lines.len(), |line| line.trim().is_empty() || indent(line) == 0);
    let Some((place, rest)) = Place::parse(section.text(body).trim()) else { return end };
    let rest = rest.strip_prefix(": ").unwrap_or(rest);
    let (code, message) = rest.split_once(": ").filter(|(code, _)| !code.contains(' ')).unwrap_or(("", rest));
    let has_source = end > body + 1 && indent(section.text(end - 1)) >= 4;
    let behind = end - usize::from(has_source);
    let mut finding = Finding::new(Some(place), "warning", Severity::Warning, code, message);
    finding.message.extend((body + 1..behind).map(|at| section.text(at).trim().into()));
    finding.source = section.block(behind..end);
    finding.notes = (at..body).map(|at| section.said(at)).collect();
    section.add(at..end, finding);
    end
}

/// Splits `tests/a.py::test_x - AssertionError: …` into id and reason; an id may hold ` - ` in its brackets.
fn split_id(rest: &str) -> (&str, &str) {
    let dash = rest.find(" - ").unwrap_or(rest.len());
    let from = rest[..dash].find('[').map_or(dash, |start| closing(rest, start).unwrap_or(dash));
    match rest[from..].find(" - ") {
        Some(at) => (&rest[..from + at], &rest[from + at + 3..]),
        None => (rest, ""),
    }
}

/// The offset behind the bracket that closes the one at `start`, if the id ends there.
fn closing(rest: &str, start: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in rest.bytes().enumerate().skip(start) {
        depth += i32::from(byte == b'[') - i32::from(byte == b']');
        let behind = &rest.as_bytes()[at + 1..];
        if depth == 0 && (behind.is_empty() || behind.starts_with(b" - ")) {
            return Some(at + 1);
        }
    }
    None
}

//! pytest: every `--tb`, `-q`, `-v`, `-x`, xdist, errors in collection, with or without the short summary.
//!
//! A session is read line by line into parts. Its records are made when it ends, because the summary at its end has the
//! full ids of the failures above. What a test prints may look like any line of pytest's, so the last total decides, the
//! last summary is the summary, and a part that begins twice, or a failure that the total does not count, leaves it open
//! whose words they are.

mod block;

use std::collections::VecDeque;
use std::ops::Range;

use once_cell::sync::Lazy;
use regex::Regex;

use super::super::HashMap;
use super::super::record::{Dropped, Finding, Outcome, Place, Record, Severity, Test, Total, What};
use super::super::section::{Family, Section, indent};

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

/// What a total counts as failures: `2 failed`, `1 subtests failed`; `3 errors`.
static COUNTS: Lazy<Option<Regex>> =
    Lazy::new(|| Regex::new(r"(?P<count>\d+) (?:(?P<failed>(?:subtests )?failed)|errors?)\b").ok());

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
    /// The titles of the parts that have begun.
    begun: Vec<&'t str>,
    /// The line of the last total and that of the last summary in front of it, which alone are pytest's own.
    total: usize,
    summary_at: usize,
    is_doubtful: bool,
}

/// The total of a line, with or without a rule around it.
fn total_of(line: &str) -> Option<&str> {
    Some(block::in_rule(line, '=').unwrap_or(line)).filter(|text| is_total(text))
}

pub fn read(section: &mut Section<'_>, _: &Family) {
    let line = |at: &usize| section.text(*at).trim_end();
    let end = section.lines.len();
    let total = (0..end).rev().find(|at| total_of(line(at)).is_some());
    let Some(total) = total.or(section.is_truncated.then_some(end)) else { return };
    let summary = |at: &usize| block::in_rule(line(at), '=') == Some(SUMMARY);
    let summary_at = (0..total).rev().find(summary).unwrap_or(total);
    let mut session = Session { total, summary_at, ..Session::default() };
    let mut at = 0;
    while at < total {
        at = session.step(section, at).min(total);
    }
    session.close(section);
}

/// The title of the short summary.
const SUMMARY: &str = "short test summary info";

impl<'t> Session<'t> {
    /// Reads what begins at a line. Returns the line behind it.
    fn step(&mut self, section: &mut Section<'t>, at: usize) -> usize {
        let line = section.text(at).trim_end();
        if let Some(area) = self.begins(at, line) {
            self.area = area;
            if area != Area::Other {
                self.dropped.push((at, Dropped::Heading));
            }
            return at + 1;
        }
        if total_of(line).is_some() && matches!(self.area, Area::Outside | Area::Header | Area::Progress) {
            self.is_doubtful = true;
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

    /// The part that begins at a line, if one does.
    fn begins(&mut self, at: usize, line: &'t str) -> Option<Area> {
        let title = block::in_rule(line, '=').filter(|title| !is_total(title))?;
        let area = match title {
            "test session starts" => Area::Header,
            "FAILURES" => Area::Blocks(Outcome::Failed),
            "ERRORS" => Area::Blocks(Outcome::Error),
            SUMMARY if at < self.summary_at => return None,
            SUMMARY => Area::Summary,
            _ if title.starts_with("warnings summary") => Area::Warnings,
            _ if matches!(self.area, Area::Outside) => return None,
            _ => Area::Other,
        };
        self.is_doubtful |= self.begun.contains(&title);
        self.begun.push(title);
        Some(area)
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
        let end = (at + 1..self.total).find(|at| {
            let line = section.text(*at);
            let title = block::in_rule(line.trim_end(), '=');
            *at == self.summary_at
                || block::name(line).is_some()
                || title.is_some_and(|title| title != SUMMARY && !is_total(title))
        });
        let end = end.unwrap_or(self.total);
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

    /// Makes records of what was read.
    fn close(self, section: &mut Section<'t>) {
        let session = self;
        if session.begun.is_empty() && session.total == section.lines.len() {
            return;
        }
        let first = section.records.len();
        let total = total_of(section.text(session.total).trim_end());
        // `!!! Interrupted: 2 errors during collection !!!`
        let is_stop = |section: &Section<'_>, at| section.is_free(at) && section.text(at).starts_with("!!!!");
        for at in (0..session.total).filter(|at| is_stop(section, *at)).collect::<Vec<_>>() {
            let said = vec![section.quote(at, section.text(at).trim_matches(['!', ' ']))];
            section.add(at..at + 1, Total { said, ..Total::default() });
        }
        if let Some(text) = total {
            let total = Total::of(vec![section.quote(session.total, text)]);
            section.add(session.total..session.total + 1, total);
        }
        let mut ids: HashMap<_, VecDeque<usize>> = HashMap::default();
        for (at, (_, test)) in session.summary.iter().enumerate() {
            ids.entry((test.outcome, block::key(&test.id))).or_default().push_back(at);
        }
        // `--tb=line` has no names, but the order of the summary.
        let nameless = || session.blocks.iter().filter(|(_, test)| test.id.is_empty());
        let is_failed = |at: &usize| session.summary[*at].1.outcome == Outcome::Failed;
        let mut in_order: VecDeque<usize> = (0..session.summary.len()).filter(is_failed).collect();
        // A line of the summary that is as wide as the terminal has no reason.
        let fits = |((_, test), at): (&(_, Test<'t>), &usize)| {
            let summary = &session.summary[*at].1;
            summary.why.is_empty() || block::says(test, summary)
        };
        let is_in_order = in_order.len() == nameless().count() && nameless().zip(&in_order).all(fits);
        let mut told = vec![false; session.summary.len()];
        let mut next = 0;
        for (lines, mut test) in session.blocks {
            let entry = if test.id.is_empty() && is_in_order {
                in_order.pop_front()
            } else if test.id.is_empty() {
                // Failures without names are told apart by their order and by what they say.
                let mut rest = next..session.summary.len();
                let found = rest.find(|at| block::says(&test, &session.summary[*at].1));
                next = found.map_or(next, |at| at + 1);
                found
            } else {
                ids.get_mut(&(test.outcome, block::key(&test.id))).and_then(VecDeque::pop_front)
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
        if let Some(total) = total {
            // A session that was given up lists none.
            let is_listed = ["FAILURES", "ERRORS", SUMMARY].iter().any(|title| session.begun.contains(title));
            let is_counted = is_counted(section, total);
            section.is_doubtful |= session.is_doubtful || is_listed && !is_counted;
            section.end_run(first, is_counted, false);
        }
    }
}

/// Whether a total counts the failures and the errors that were read.
fn is_counted(section: &Section<'_>, total: &str) -> bool {
    let mut counted = [0, 0];
    for found in COUNTS.iter().flat_map(|counts| counts.captures_iter(total)) {
        counted[usize::from(found.name("failed").is_none())] += found["count"].parse().unwrap_or(0_usize);
    }
    let told = [Outcome::Failed, Outcome::Error].map(|outcome| {
        let of = |record: &&Record<'_>| matches!(&record.what, What::Test(test) if test.outcome == outcome);
        section.records.iter().filter(of).count()
    });
    counted == told
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

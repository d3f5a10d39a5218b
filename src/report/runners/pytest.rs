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

use super::super::maps::{HashMap, HashSet};
use super::super::record::{
    Dropped, Finding, Part, PartKind, Place, Record, Severity, Test, Total, Verdict, What,
};
use super::super::section::{Family, Section, indent};
use super::super::table::{Rule, Table};

include!(concat!(env!("OUT_DIR"), "/pytest.rs"));

/// What a total counts as failures: `2 failed`, `1 subtests failed`; `3 errors`.
static COUNTS: Lazy<Option<Regex>> =
    Lazy::new(|| Regex::new(r"(?P<count>\d+) (?:(?P<failed>(?:subtests )?failed)|errors?)\b").ok());

/// What a line is; the part of a session in which lines stand.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Act {
    #[default]
    Outside,
    Progress,
    Stated,
    // Headings of parts.
    Header,
    Blocks(Verdict),
    Summary,
    Warnings,
    Other,
    // Lines of the short summary: a test, one that passed, one that passed and should not have.
    Entry(Verdict),
    Listed,
    Kept,
    // Lines of progress: a test that did not pass; one that passed; one that has begun; others, which the blocks tell.
    Ran(Verdict),
    Passed,
    Open,
    Begun,
}

/// The rule of a line that one of pytest's fits.
fn rule(line: &str) -> Option<&Rule<Act>> {
    TABLE.as_ref()?.rule(line)
}

fn is(act: Act, line: &str) -> bool {
    rule(line).is_some_and(|rule| rule.act == act)
}

#[derive(Default)]
struct Session<'t> {
    area: Act,
    /// Failures with their tracebacks; without a name where the traceback has no heading.
    blocks: Vec<(Range<usize>, Test<'t>)>,
    /// Entries of the short summary, each with the test as far as its first line tells it; with `-vv` the rest of the
    /// message stands below.
    summary: Vec<(Range<usize>, Test<'t>)>,
    /// Headings and lines of progress: dropped once it is certain that this is a session.
    dropped: Vec<(usize, Dropped)>,
    /// Verbose lines of tests that did not pass, and of those that have begun.
    ran: Vec<(Range<usize>, Test<'t>)>,
    open: Vec<usize>,
    /// The titles of the parts that have begun.
    begun: Vec<&'t str>,
    /// The line of the last total and that of the last summary in front of it, which alone are pytest's own.
    total: usize,
    summary_at: usize,
    is_doubtful: bool,
}

pub fn read(section: &mut Section<'_>, _: &Family) {
    let end = section.lines.len();
    let total = (0..end).rev().find(|at| is(Act::Stated, section.text(*at)));
    let Some(total) = total.or(section.may_lack_totals.then_some(end)) else { return };
    let summary_at = (0..total).rev().find(|at| is(Act::Summary, section.text(*at))).unwrap_or(total);
    let mut session = Session { total, summary_at, ..Session::default() };
    let mut at = 0;
    while at < total {
        at = session.step(section, at).min(total);
    }
    session.close(section);
}

impl<'t> Session<'t> {
    /// Reads what begins at a line. Returns the line behind it.
    fn step(&mut self, section: &mut Section<'t>, at: usize) -> usize {
        let line = section.text(at);
        let rule = rule(line);
        if rule.is_some_and(|rule| self.begins(at, rule.act, line)) {
            return at + 1;
        }
        match (self.area, rule.map(|rule| rule.act)) {
            (Act::Blocks(outcome), _) => return self.block(section, at, outcome),
            (Act::Warnings, _) => return warning(section, at),
            (Act::Summary, Some(Act::Entry(outcome))) => {
                self.summary.extend(brief(section, at, outcome, rule));
            }
            (Act::Summary, None) if !is_stop(line) => {
                if let Some((lines, _)) = self.summary.last_mut().filter(|(lines, _)| lines.end == at) {
                    lines.end += 1;
                }
            }
            (Act::Summary, Some(Act::Listed)) | (Act::Outside | Act::Progress, Some(Act::Passed)) => {
                self.dropped.push((at, Dropped::Passing(1)));
            }
            (Act::Outside | Act::Header | Act::Progress, Some(Act::Stated)) => self.is_doubtful = true,
            (Act::Outside | Act::Progress, Some(Act::Ran(outcome))) => {
                self.ran.extend(brief(section, at, outcome, rule));
            }
            (Act::Outside | Act::Progress, Some(Act::Open)) => self.open.push(at),
            (Act::Outside | Act::Progress, Some(Act::Begun)) => self.dropped.push((at, Dropped::Heading)),
            _ => {}
        }
        if self.area == Act::Header {
            self.dropped.push((at, Dropped::Heading));
            if line.starts_with("collected ") || line.contains(" workers [") || line.trim().is_empty() {
                self.area = Act::Progress;
            }
        }
        at + 1
    }

    /// Whether this line is the heading of a part, which then has begun.
    fn begins(&mut self, at: usize, act: Act, line: &'t str) -> bool {
        let is_heading = match act {
            Act::Header | Act::Blocks(_) | Act::Warnings => true,
            Act::Summary => at >= self.summary_at,
            Act::Other => self.area != Act::Outside,
            _ => false,
        };
        if is_heading {
            let title = line.trim_matches(['=', ' ']);
            self.is_doubtful |= self.begun.contains(&title);
            self.begun.push(title);
            self.area = act;
            self.dropped.extend((act != Act::Other).then_some((at, Dropped::Heading)));
        }
        is_heading
    }

    /// Reads a failure with its traceback, up to the next one or to a heading. Returns the line behind it.
    fn block(&mut self, section: &Section<'t>, at: usize, outcome: Verdict) -> usize {
        let end = (at + 1..self.total).find(|at| {
            let line = section.text(*at);
            let is_title = |act| matches!(act, Act::Header | Act::Blocks(_) | Act::Warnings | Act::Other);
            *at == self.summary_at
                || block::name(line).is_some()
                || rule(line).is_some_and(|rule| is_title(rule.act))
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
        let lines = at..section.find(at, last + 1, is_stop);
        let is_error = outcome == Verdict::Error || name.starts_with("ERROR ");
        let outcome = if is_error { Verdict::Error } else { outcome };
        self.blocks.push((lines, Test { id: name.to_owned(), outcome, place, why }));
        end
    }

    /// Makes records of what was read.
    fn close(self, section: &mut Section<'t>) {
        let session = self;
        if session.begun.is_empty() && session.total == section.lines.len() {
            return;
        }
        session.unfinished(section);
        let first = section.records.len();
        let line = section.text(session.total);
        let total = rule(line).and_then(|rule| rule.groups(line).get("total"));
        let stops = (0..session.total).filter(|at| section.is_free(*at) && is_stop(section.text(*at)));
        for at in stops.collect::<Vec<_>>() {
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
        let is_failed = |at: &usize| session.summary[*at].1.outcome == Verdict::Failed;
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
                let named = ids.get_mut(&(test.outcome, block::key(&test.id))).and_then(VecDeque::pop_front);
                // A test in which a worker of xdist crashed has the name of its file.
                let is_below = |at: &usize| {
                    let below = session.summary[*at].1.id.strip_prefix(&*test.id);
                    !told[*at] && below.is_some_and(|rest| rest.starts_with("::"))
                };
                named.or_else(|| (0..told.len()).find(is_below))
            };
            let Some(entry) = entry else {
                section.add(lines, test);
                continue;
            };
            let (summed, summary) = &session.summary[entry];
            // The test itself may have passed.
            let when = if test.id.starts_with("ERROR at teardown of ") { " (teardown)" } else { "" };
            test.id = format!("{}{when}", summary.id);
            if section.add(lines, test) {
                told[entry] = true;
                section.drop_lines(summed.start..summed.start + 1, Dropped::Repeated);
            }
        }
        let untold = session.summary.into_iter().zip(told).filter(|(_, told)| !told).map(|(entry, _)| entry);
        for (lines, mut test) in untold {
            let below = section.block(lines.start + 1..lines.end);
            test.why.extend((!below.is_empty()).then(|| Part::new(PartKind::Reason, below)));
            section.add(lines, test);
        }
        // Blocks and summary may be switched off.
        let tests = section.records[first..].iter().filter_map(|record| match &record.what {
            What::Test(test) => Some((test.outcome, block::key(&test.id))),
            _ => None,
        });
        let mut told: HashMap<_, usize> = HashMap::default();
        tests.for_each(|test| *told.entry(test).or_default() += 1);
        let mut is_by_progress = false;
        for (lines, test) in session.ran {
            let left = told.get_mut(&(test.outcome, block::key(&test.id))).filter(|left| **left > 0);
            if let Some(left) = left {
                *left -= 1;
                section.drop_lines(lines, Dropped::Heading);
            } else {
                is_by_progress |= test.outcome.is_failure();
                section.add(lines, test);
            }
        }
        for (at, why) in session.dropped {
            section.drop_lines(at..at + 1, why);
        }
        if let Some(total) = total {
            // A session that was given up lists none.
            let titles = ["FAILURES", "ERRORS", "short test summary info"];
            let is_listed = titles.iter().any(|title| session.begun.contains(title));
            let is_counted = is_counted(section, total);
            section.is_doubtful |= session.is_doubtful || (is_listed || is_by_progress) && !is_counted;
            section.end_run(first, is_counted, false);
        }
    }
}

impl Session<'_> {
    /// Drops the lines of tests that have begun, but of a session that was given up those of tests that have not ended.
    fn unfinished(&self, section: &mut Section<'_>) {
        let mut ended = HashSet::default();
        if self.total == section.lines.len() {
            let passed = self.dropped.iter().filter(|(_, why)| *why == Dropped::Passing(1));
            let passed = passed.filter_map(|(at, _)| {
                let line = section.text(*at);
                Some(rule(line)?.groups(line).get("id")?.trim_end())
            });
            ended.extend(
                passed
                    .map(str::to_owned)
                    .chain(self.ran.iter().map(|(_, test)| test.id.trim_end().to_owned())),
            );
        }
        for at in &self.open {
            let line = section.text(*at).trim_end();
            if self.total < section.lines.len() || ended.contains(line) {
                section.drop_lines(*at..at + 1, Dropped::Heading);
            }
        }
    }
}

/// Whether a total counts the failures and the errors that were read.
fn is_counted(section: &Section<'_>, total: &str) -> bool {
    let mut counted = [0, 0];
    for found in COUNTS.iter().flat_map(|counts| counts.captures_iter(total)) {
        counted[usize::from(found.name("failed").is_none())] += found["count"].parse().unwrap_or(0_usize);
    }
    let told = [Verdict::Failed, Verdict::Error].map(|outcome| {
        let of = |record: &&Record<'_>| matches!(&record.what, What::Test(test) if test.outcome == outcome);
        section.records.iter().filter(of).count()
    });
    counted == told
}

/// A test, as far as a single line tells it.
fn brief<'t>(
    section: &Section<'t>,
    at: usize,
    outcome: Verdict,
    rule: Option<&Rule<Act>>,
) -> Option<(Range<usize>, Test<'t>)> {
    let groups = rule?.groups(section.text(at));
    let why = section.reason(at, groups.of("why"));
    let mut test = Test { why, ..Test::new(groups.of("id"), outcome) };
    if !groups.of("sub").is_empty() {
        test.id = format!("{} {}", test.id, groups.of("sub"));
    }
    Some((at..at + 1, test))
}

/// `!!! Interrupted: 2 errors during collection !!!`
fn is_stop(line: &str) -> bool {
    line.starts_with("!!!!")
}

/// Reads the warning that begins at a line of the summary of warnings, if one does: the tests that met the warning, the
/// warning with its place, the line at fault. Returns the line behind it.
fn warning(section: &mut Section<'_>, at: usize) -> usize {
    let line = section.text(at).trim_end();
    if line.starts_with("-- Docs: ") {
        section.drop_lines(at..at + 1, Dropped::Heading);
        return at + 1;
    }
    // A plugin's part may follow without a blank line: `--- snapshot report summary ---`.
    let is_behind = |line: &str| indent(line) > 0 || line.trim().is_empty() || line.starts_with(['=', '-']);
    let body = section.find(at, section.lines.len(), is_behind);
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

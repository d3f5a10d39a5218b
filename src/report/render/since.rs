//! What changed since an earlier run of the same command: the first line, and the records that the earlier run told.

use std::borrow::Cow;

use super::super::maps::{HashSet, IndexMap};
use super::super::reader::Report;
use super::super::record::{PartKind, Record, Verdict, What};
use super::super::section::Section;
use super::super::words::{EXPECTED, FAILED, PASSED, TESTS};
use super::contents::torn;
use super::draft::{LeftOut, Omission};
use super::groups::masked;
use crate::plural::counted;

/// An earlier run of the same command, whose output the reader was given.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'e> {
    /// What it printed, scrubbed of terminal control.
    pub text: &'e str,
    /// The command that shows its output: `toto show k7q2x`.
    pub recall: &'e str,
}

/// The strings of a record that must be equal: masked of addresses and times.
type Words<'r> = Vec<Cow<'r, str>>;

impl<'t> Report<'t> {
    /// This report with the records that the `earlier` one has, too, marked and without details; the line that says what
    /// changed; the lines of the details. `None` where nothing can be said of one of them: its tests have no totals, or nothing failed in both.
    pub(super) fn since(&self, earlier: &Report<'_>) -> Option<(Self, String, LeftOut)> {
        if !self.is_whole() || !earlier.is_whole() {
            return None;
        }
        let told: HashSet<_> = earlier.counted().map(|(_, record)| words(record)).collect();
        let (mut sections, mut left_out) = (self.sections.clone(), LeftOut::default());
        for section in &mut sections {
            let torn = torn(section);
            for record in &mut section.records {
                let is_told = !torn.contains(&record.lines.start) && told.contains(&words(record));
                if class(record).is_some() && is_told {
                    record.is_before = true;
                    left_out.add(Omission::Detail, strip(&mut record.what));
                }
            }
        }
        let line = self.change(earlier)?;
        Some((Self { sections }, line, left_out))
    }

    /// Whether each section with failed tests has the totals of a run: an output that was cut off tells only a part.
    fn is_whole(&self) -> bool {
        let has_failed =
            |section: &Section<'_>| section.records.iter().any(|record| class(record) == Some(TEST));
        self.sections.iter().all(|section| !section.runs.is_empty() || !has_failed(section))
    }

    /// `18 failed → 3 failed: 15 mended, none new`; `None` where nothing failed and nothing was found in both.
    fn change(&self, earlier: &Report<'_>) -> Option<String> {
        let mut names: IndexMap<(&str, Words<'_>), [u64; 2]> = IndexMap::default();
        for (report, at) in [(earlier, 0), (self, 1)] {
            for (class, record) in report.counted() {
                names.entry((class, name(record))).or_default()[at] += 1;
            }
        }
        let ran = [earlier, self].map(Report::ran);
        let (is_less, is_all) = match ran {
            [Some(before), Some(now)] => (now < before, now >= before),
            _ => (false, false),
        };
        let mut said = Vec::new();
        for class in CLASSES {
            let counts = || names.iter().filter(|((of, _), _)| *of == class).map(|(_, counts)| *counts);
            let sum = |of: fn([u64; 2]) -> u64| counts().map(of).sum::<u64>();
            let (before, now) = (sum(|[before, _]| before), sum(|[_, now]| now));
            let gone = sum(|[before, now]| before.saturating_sub(now));
            let new = sum(|[before, now]| now.saturating_sub(before));
            let is_test = class == TEST;
            // Where no test ran, as where a build failed, nothing is known of the tests.
            let ran = !is_test || [earlier, self].into_iter().all(Report::has_run);
            if before + now == 0 || !ran || !is_test && gone + new == 0 && !said.is_empty() {
                continue;
            }
            let count = |count: u64| match count {
                0 => format!("none{}", if is_test { " failed" } else { "" }),
                _ if is_test => format!("{count} failed"),
                _ => counted(count, class),
            };
            let number = |count: u64| if count == 0 { "none".to_owned() } else { count.to_string() };
            said.push(if is_test && is_all && self.failures() == 0 {
                format!("{} → all passed", count(before))
            } else {
                let end = if is_test && is_all { "mended" } else { "gone" };
                let less = if is_test && is_less { " (fewer tests ran)" } else { "" };
                let (before, now) = (count(before), count(now));
                format!("{before} → {now}: {} {end}, {} new{less}", number(gone), number(new))
            });
        }
        (!said.is_empty()).then(|| said.join("; "))
    }

    /// The failed tests and the findings.
    fn counted(&self) -> impl Iterator<Item = (&'static str, &Record<'t>)> {
        self.records().filter_map(|record| Some((class(record)?, record)))
    }

    /// Whether tests ran: of errors alone, with no test that passed, they may be those of their collection.
    fn has_run(&self) -> bool {
        let is_error =
            |record: &Record<'_>| matches!(&record.what, What::Test(test) if test.outcome == Verdict::Error);
        let mut tests = self.counted().filter(|(class, _)| *class == TEST).peekable();
        let are_errors = tests.peek().is_some() && tests.all(|(_, record)| is_error(record));
        let has_passed = self.sum(PASSED).is_some_and(|passed| passed > 0);
        self.sections.iter().any(|section| !section.runs.is_empty()) && (!are_errors || has_passed)
    }

    /// How many tests ran, in a number that can be compared with that of the same command; `None` without totals that
    /// count what passed.
    fn ran(&self) -> Option<u64> {
        let failed = self.counted().filter(|(class, _)| *class == TEST).count() as u64;
        match (self.sum(PASSED), self.sum(FAILED)) {
            (None, None) => self.sum(TESTS),
            (passed, _) => Some(passed.unwrap_or(0) + self.sum(EXPECTED).unwrap_or(0) + failed),
        }
    }

    /// The sum of what totals count by one of these words; `None` if none does.
    fn sum(&self, words: &'static [&'static str]) -> Option<u64> {
        let totals = self.records().filter_map(|record| match &record.what {
            What::Total(total) => Some(&total.counts),
            _ => None,
        });
        let is_of = |(word, _): &&(&str, u64)| words.contains(&word.to_ascii_lowercase().as_str());
        let counts: Vec<_> = totals.flatten().filter(is_of).map(|(_, count)| *count).collect();
        (!counts.is_empty()).then(|| counts.iter().sum::<u64>())
    }
}

/// What is counted apart, in the order of the line: a test, and the word for each severity of a finding.
const CLASSES: [&str; 4] = [TEST, "error", "warning", "finding"];
const TEST: &str = "test";

fn class(record: &Record<'_>) -> Option<&'static str> {
    match &record.what {
        What::Test(test) if test.outcome.is_failure() => Some(TEST),
        What::Finding(finding) => Some(CLASSES[1 + finding.severity as usize]),
        _ => None,
    }
}

/// What a record is counted by: it may stand on another line after an edit.
fn name<'r>(record: &'r Record<'_>) -> Words<'r> {
    match &record.what {
        What::Test(test) => vec![masked(&test.id)],
        What::Finding(finding) => {
            let file = finding.place.map_or("", |place| place.file);
            let message = finding.message.iter().map(|line| masked(line));
            [finding.word, finding.code, file].map(Cow::Borrowed).into_iter().chain(message).collect()
        }
        _ => Vec::new(),
    }
}

/// All that is told of a record but its lines' numbers: what a test printed, too, since somebody may have added that.
fn words<'r>(record: &'r Record<'_>) -> Words<'r> {
    let details: Words<'r> = match &record.what {
        What::Test(test) => {
            let parts = test
                .said(&[PartKind::Source, PartKind::Reason, PartKind::Values, PartKind::Captured])
                .map(masked);
            [format!("{:?}", test.outcome).into()].into_iter().chain(parts).collect()
        }
        What::Finding(finding) => {
            finding.source.iter().chain(&finding.notes).map(|said| masked(said.text)).collect()
        }
        _ => Vec::new(),
    };
    [name(record), vec!["\n".into()], details].concat()
}

/// Takes a record's details away; returns their number of lines.
fn strip(what: &mut What<'_>) -> usize {
    match what {
        What::Test(test) => std::mem::take(&mut test.why).iter().map(|part| part.said.len()).sum(),
        What::Finding(finding) => {
            std::mem::take(&mut finding.source).len() + std::mem::take(&mut finding.notes).len()
        }
        _ => 0,
    }
}

//! A section as it is told: put in order once, then written with one level of detail after another until it fits.

use std::ops::Range;

use super::super::maps::HashSet;
use super::super::record::{self, Dropped, Finding, Test, Total, Verdict, What};
use super::super::section::Section;
use super::draft::{LeftOut, Omission, is_rule};
use super::groups;
use super::ids;
use super::names::Names;

/// What a digest tells of a section.
pub struct Contents<'r, 't> {
    pub section: &'r Section<'t>,
    pub totals: Vec<&'r Total<'t>>,
    /// What the digest tells, each item at its line.
    pub items: Vec<(usize, Item<'r, 't>)>,
    /// Tests that failed as expected; tests that were not run.
    pub others: [Vec<&'r Test<'t>>; 2],
    pub passing: usize,
    /// Number of files, classes or packages whose tests passed.
    pub passing_groups: usize,
    /// Lines that are not told in any digest.
    pub left_out: LeftOut,
}

pub enum Item<'r, 't> {
    /// Tests with one reason, then those that failed for another on the same line.
    Tests(Vec<&'r Test<'t>>),
    Findings(Vec<groups::Findings<'r, 't>>),
    /// What follows was told by an earlier run.
    Before,
    /// Output that belongs to no failure.
    Log(&'r record::Part<'t>),
    /// Lines that are no record.
    Kept(Range<usize>),
}

impl<'r, 't> Item<'r, 't> {
    /// The tests, if they can be listed below one file or class.
    pub fn listed(&self) -> &[&'r Test<'t>] {
        let Self::Tests(group) = self else { return &[] };
        let is_own = |test: &&Test<'_>| test.place.is_some_and(|place| ids::is_own(test, place.file));
        let is_of_one = |one: &&Test<'_>, next: &&Test<'_>| {
            is_own(one) && is_own(next) && ids::split(&one.id).0 == ids::split(&next.id).0
        };
        // A long list is a block of its own, with room for a part of it.
        let is_short = group.len() == 1 || group.iter().map(|test| test.id.len()).sum::<usize>() <= ids::LONG;
        if is_short && group.is_sorted_by(is_of_one) { group } else { &[] }
    }

    /// Whether tests of both can be listed below one file or class.
    pub fn are_listed(one: &Self, next: &Self) -> bool {
        let [one, next] =
            [one, next].map(|item| item.listed().first().map(|test| (test.outcome, ids::split(&test.id).0)));
        one == next && one.is_some_and(|(_, path)| !path.is_empty())
    }
}

/// Most lines which each name a test that passed that are told as they stand.
const FEW_PASSING: usize = 8;

/// Whether each line of a record names a test that passed.
fn is_passing(record: &record::Record<'_>) -> bool {
    matches!(record.what, What::Dropped(Dropped::Passing(count)) if count == record.lines.len())
}

/// Tests that failed and findings, each with its line.
type Records<'r, 't> = (Vec<(usize, &'r Test<'t>)>, Vec<(usize, &'r Finding<'t>)>);

impl<'r, 't> Contents<'r, 't> {
    /// Puts a section in order; with `is_failures` only failures are told.
    pub fn of(section: &'r Section<'t>, is_failures: bool) -> Self {
        let mut part = Self {
            section,
            totals: Vec::new(),
            items: Vec::new(),
            others: [Vec::new(), Vec::new()],
            passing: 0,
            passing_groups: 0,
            left_out: LeftOut::default(),
        };
        // Where a few tests passed and none failed, a reader asks which they were.
        let passed = section.records.iter().filter(|record| is_passing(record));
        let are_few = passed.map(|record| record.lines.len()).sum::<usize>() <= FEW_PASSING;
        let has_failed =
            section.records.iter().any(|record| matches!(record.what, What::Test(_) | What::Finding(_)));
        let are_told = are_few && !has_failed && !is_failures;
        // What an earlier run told comes last.
        let [mut new, mut before] = [const { (Vec::new(), Vec::new()) }; 2];
        for record in &section.records {
            let at = record.lines.start;
            let (failed, findings) = if record.is_before { &mut before } else { &mut new };
            match &record.what {
                What::Test(test) => match test.outcome {
                    Verdict::Failed | Verdict::Error => failed.push((at, &**test)),
                    Verdict::Expected => part.others[0].push(test),
                    Verdict::Skipped => part.others[1].push(test),
                },
                What::Finding(finding) => findings.push((at, &**finding)),
                What::Total(total) => part.totals.push(total),
                What::Log(log) if !is_failures => part.items.push((at, Item::Log(log))),
                What::Log(_) => {}
                _ if are_told && is_passing(record) => {
                    part.items.push((at, Item::Kept(record.lines.clone())));
                }
                What::Dropped(dropped) => part.dropped(*dropped, record.lines.len()),
            }
        }
        part.records(new);
        if !is_failures {
            let kept: Vec<_> = section.kept().collect();
            let runs = kept.chunk_by(|at, next| at + 1 == *next);
            part.items.extend(runs.map(|run| (run[0], Item::Kept(run[0]..run[0] + run.len()))));
        }
        part.items.sort_by_key(|(at, _)| *at);
        if !before.0.is_empty() || !before.1.is_empty() {
            part.items.push((section.lines.len(), Item::Before));
            part.records(before);
        }
        part
    }

    /// Adds tests that failed and findings, in groups.
    fn records(&mut self, (failed, findings): Records<'r, 't>) {
        let torn = torn(self.section);
        let groups = groups::tests(failed, |at| torn.contains(&at));
        self.items.extend(groups.into_iter().map(|(at, tests)| (at, Item::Tests(tests))));
        if let Some((at, _)) = findings.first() {
            let groups = groups::findings(findings.iter().map(|(_, finding)| *finding));
            self.items.push((*at, Item::Findings(groups)));
        }
    }

    /// The long texts that come again in what is told of findings, each group's first.
    pub fn names(&self) -> Names<'r> {
        let groups = self.items.iter().filter_map(|(_, item)| match item {
            Item::Findings(groups) => Some(groups),
            _ => None,
        });
        Names::of(groups.flatten().flat_map(|group| group.all[0].message.iter().map(AsRef::as_ref)))
    }

    fn dropped(&mut self, dropped: Dropped, lines: usize) {
        match dropped {
            Dropped::Passing(count) => self.passing += count,
            Dropped::PassingGroup => self.passing_groups += 1,
            Dropped::Heading | Dropped::Repeated => {}
        }
        let why = match dropped {
            Dropped::Passing(_) | Dropped::PassingGroup => Omission::Passing,
            Dropped::Heading => Omission::Heading,
            Dropped::Repeated => Omission::Repeat,
        };
        self.left_out.add(why, lines);
    }
}

/// The first lines of failures behind which, with nothing but headings between, lines of no record stand: a line that a
/// test printed looked like a heading, and ended too early what is said of it.
pub fn torn(section: &Section<'_>) -> HashSet<usize> {
    let (mut torn, mut last, mut at) = (HashSet::default(), None, 0);
    let mut records = section.records.iter().peekable();
    while at < section.lines.len() {
        if let Some(record) = records.next_if(|record| record.lines.start == at) {
            match &record.what {
                What::Test(test) if test.outcome.is_failure() => last = Some(at),
                What::Dropped(_) => {}
                _ => last = None,
            }
            at = record.lines.end;
        } else {
            if !is_rule(section.text(at)) {
                torn.extend(last.take());
            }
            at += 1;
        }
    }
    torn
}

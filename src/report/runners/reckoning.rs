//! Failures that a runner tells more than once (at length, in a list at the end, in a line of progress), and what it
//! counts against what was read: a test may print headings and totals of its own, but no line of it makes the runner count
//! another failure.

use std::collections::hash_map::Entry;
use std::ops::Range;

use super::super::maps::{HashMap, HashSet};
use super::super::record::{Dropped, PartKind, Said, Test, Verdict, counts};
use super::super::section::Section;
use super::rule::Counted;

/// A line of totals.
pub struct Stated<'t> {
    /// The line in its section.
    pub at: usize,
    /// The suite that was named before.
    pub suite: String,
    pub said: Said<'t>,
    pub counted: Counted,
    /// The row of the table.
    pub rule: usize,
}

impl Stated<'_> {
    fn sum(&self, holds: impl Fn(&str) -> bool) -> u64 {
        counts(self.said.text).iter().filter(|(word, _)| holds(word)).map(|(_, count)| count).sum()
    }
}

/// Whether the totals, or the lines that say how many failures follow (`listed`, each with its row of the table), count
/// just the failures that are told, and contradict neither each other nor the numbers of tests that were to be run
/// (`planned`, each with its line). Totals that a run says once and that stand there twice are told once.
pub fn agree(
    totals: &mut Vec<Stated<'_>>,
    planned: &[(usize, u64)],
    listed: &[(usize, u64)],
    told: &Told<'_>,
) -> bool {
    let is_once = |(rule, _): &(usize, u64)| listed.iter().filter(|(other, _)| other == rule).count() == 1;
    let mut is_sure = is_planned(totals, planned) && listed.iter().all(is_once);
    let mut said = HashMap::default();
    // The last one is the runner's.
    totals.reverse();
    totals.retain(|total| {
        let is_once = matches!(total.counted, Counted::Run(_) | Counted::Programs(_) | Counted::Files(_));
        let before = is_once.then(|| said.insert(total.rule, total.said.text)).flatten();
        is_sure &= before.is_none_or(|before| before == total.said.text);
        before.is_none()
    });
    totals.reverse();
    let sum = |of: fn(Counted) -> Option<&'static [&'static str]>| {
        let counted = totals.iter().filter_map(|total| Some((total, of(total.counted)?)));
        let sums: Vec<u64> = counted.map(|(total, words)| total.sum(|word| words.contains(&word))).collect();
        (!sums.is_empty()).then(|| sums.iter().sum::<u64>())
    };
    let tests = sum(|counted| match counted {
        Counted::Run(words) | Counted::Programs(words) | Counted::Suite(words) => Some(words),
        Counted::Files(_) | Counted::Opening | Counted::Above | Counted::Last | Counted::Nothing => None,
    });
    let files = sum(|counted| if let Counted::Files(words) = counted { Some(words) } else { None });
    let of = |outcome| told.failures.iter().filter(move |(told, _)| *told == outcome);
    let (failed, errors) = (of(Verdict::Failed).count() as u64, of(Verdict::Error).count() as u64);
    let told_again = told.repeated as u64;
    let failing: HashSet<_> = of(Verdict::Failed).map(|(_, file)| file).collect();
    let is_files = files.is_none_or(|files| files == errors + failing.len() as u64);
    let is_tests = if listed.is_empty() {
        // Where files are counted, the tests' counts lack those that could not be run.
        let told = if files.is_some() { failed } else { failed + errors };
        tests.is_none_or(|tests| tests == told || tests == told + told_again)
    } else {
        listed.iter().map(|(_, count)| count).sum::<u64>() == failed + errors
    };
    is_sure && is_files && is_tests
}

/// Whether each total counts as many tests as the line before it announced, if any line does.
fn is_planned(totals: &[Stated<'_>], planned: &[(usize, u64)]) -> bool {
    let mut totals = totals.iter().peekable();
    planned.iter().enumerate().all(|(nth, (at, tests))| {
        let next = planned.get(nth + 1).map_or(usize::MAX, |(next, _)| *next);
        let is_first = totals.peek().is_none_or(|total| *at < total.at);
        let mut its = std::iter::from_fn(|| totals.next_if(|total| total.at < next));
        // A suite that crashed has no total.
        let is_all = its.next().is_none_or(|total| total.sum(|word| word != "filtered") == *tests);
        is_first && is_all && its.next().is_none()
    })
}

/// The failures that were added to the records.
pub struct Told<'t> {
    /// Verdict of each, and the file that its runner counts.
    pub failures: Vec<(Verdict, &'t str)>,
    /// Number of failures at length that are not told because another one says the same.
    pub repeated: usize,
}

/// A failure and its lines.
pub struct Failure<'t> {
    pub lines: Range<usize>,
    pub test: Test<'t>,
    /// The file that its runner names for it, or nothing; its place may be in another one.
    pub file: &'t str,
}

/// Adds failures to the records, each once: a runner that repeats all of them at the end says the same of each. Of two
/// that say the same, the one with a place is told. A failure that a single line tells (`briefs`) is told only if no
/// other failure has its name.
pub fn add<'t>(section: &mut Section<'t>, tests: Vec<Failure<'t>>, briefs: Vec<Failure<'t>>) -> Told<'t> {
    let mut is_told = repeated(&tests);
    let repeated = is_told.iter().filter(|is_told| **is_told).count();
    let asked = if briefs.is_empty() { &[] } else { tests.as_slice() };
    let names: HashSet<&str> = asked.iter().flat_map(|failure| names_of(&failure.test.id)).collect();
    is_told.extend(briefs.iter().map(|brief| names_of(&brief.test.id).any(|name| names.contains(name))));
    let mut told = Told { repeated, failures: Vec::new() };
    for (Failure { lines, test, file }, is_told) in tests.into_iter().chain(briefs).zip(is_told) {
        if is_told {
            section.drop_lines(lines, Dropped::Repeated);
        } else {
            told.failures.push((test.outcome, file));
            section.add(lines, test);
        }
    }
    told
}

/// For each failure, whether another one tells the same in its place. Of a test that only holds others (`TestA` of
/// `TestA/b`) those tell why it failed.
fn repeated(tests: &[Failure<'_>]) -> Vec<bool> {
    let mut sorted: Vec<&str> = tests.iter().map(|failure| failure.test.id.as_str()).collect();
    sorted.sort_unstable();
    let holds_others = |id: &str| {
        let below = format!("{id}/");
        let next = sorted.partition_point(|other| *other < below.as_str());
        sorted.get(next).is_some_and(|other| other.starts_with(&below))
    };
    let mut first = HashMap::default();
    let mut is_repeated = vec![false; tests.len()];
    let mut ids: HashMap<(&str, Verdict), usize> = HashMap::default();
    let place = |at: usize| tests[at].test.place;
    let begins = |at: usize| tests[at].test.said(&[PartKind::Reason]).next();
    for (at, Failure { lines, test, .. }) in tests.iter().enumerate() {
        let earlier = *ids.entry((&test.id, test.outcome)).or_insert(at);
        let is_listed = lines.len() == 1 && begins(at) == begins(earlier);
        let is_holder = test.why.is_empty() && holds_others(&test.id);
        if is_holder || earlier < at && (test.why.is_empty() || is_listed) {
            is_repeated[at] = true;
            continue;
        }
        let reason = test.said(&[PartKind::Reason]).map(str::trim).filter(|text| !text.is_empty());
        match first.entry((&test.id, test.outcome, reason.collect::<Vec<_>>())) {
            Entry::Vacant(entry) => {
                entry.insert(at);
            }
            Entry::Occupied(mut entry) => {
                let earlier = *entry.get();
                let files = place(earlier).zip(place(at)).map(|(one, other)| (one.file, other.file));
                if files.is_some_and(|(one, other)| one != other) {
                    continue;
                }
                let is_better = place(at).is_some() && place(earlier).is_none();
                let worse = if is_better { entry.insert(at) } else { at };
                is_repeated[worse] = true;
            }
        }
    }
    is_repeated
}

/// A test's name, and its last parts, by which a line of progress calls it (`cart › deep`, `com.example.AppTest.t7`).
fn names_of(id: &str) -> impl Iterator<Item = &str> {
    let marks: &[&str] = if id.contains(' ') { &[" › ", " > ", "$ ", " ... "] } else { &[] };
    let last = marks.iter().filter_map(|mark| id.rfind(mark).map(|at| &id[at + mark.len()..]));
    let dot = id.rfind('.').and_then(|at| id[..at].rfind('.')).filter(|_| !id.contains(' '));
    let path = dot.map(|at| &id[at + 1..]);
    let behind = id.split_once(' ').map(|(_, rest)| rest).filter(|rest| rest.contains("::"));
    std::iter::once(id).chain(last).chain(path).chain(behind)
}

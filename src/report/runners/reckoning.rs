//! What a runner counts against what was read: a test may print headings and totals of its own, but no line of it makes
//! the runner count another failure.

use super::super::record::{Outcome, Said, counts};
use super::super::{HashMap, HashSet};
use super::rule::Counted;
use super::told::Told;

/// A line of totals.
pub struct Stated<'t> {
    /// The line in its section.
    pub at: usize,
    /// The suite that was named before.
    pub suite: String,
    /// The words.
    pub said: Said<'t>,
    /// What they count.
    pub counted: Counted,
    /// The row of the table.
    pub rule: usize,
}

impl Stated<'_> {
    fn sum(&self, holds: impl Fn(&str) -> bool) -> u64 {
        counts(self.said.text).iter().filter(|(word, _)| holds(word)).map(|(_, count)| count).sum()
    }
}

/// The order of what a run says once.
#[derive(Default)]
pub struct Order {
    /// The last number in front of a heading, where the runner numbers its failures: 0 where a list of them begins.
    pub number: u64,
    /// Number of other records in front of the last first line of totals.
    before_totals: Option<usize>,
    /// Whether a number is not the next one, or only failures stand between two first lines of totals: one of them is
    /// not the runner's.
    pub is_broken: bool,
}

impl Order {
    /// A heading, with its number if it has one.
    pub fn heading(&mut self, number: Option<&str>) {
        let Some(number) = number else { return };
        self.number += 1;
        self.is_broken |= number.parse() != Ok(self.number);
    }

    /// The order from a first line of totals on, behind so many other records.
    pub fn of_totals(&self, others: usize) -> Self {
        let before_totals = Some(others);
        Self { number: 0, before_totals, is_broken: self.before_totals == before_totals }
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
        Counted::Files(_) | Counted::Opening | Counted::Above | Counted::Nothing => None,
    });
    let files = sum(|counted| if let Counted::Files(words) = counted { Some(words) } else { None });
    let of = |outcome| told.failures.iter().filter(move |(told, _)| *told == outcome);
    let (failed, errors) = (of(Outcome::Failed).count() as u64, of(Outcome::Error).count() as u64);
    let told_again = told.repeated as u64;
    let failing: HashSet<_> = of(Outcome::Failed).map(|(_, file)| file).collect();
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

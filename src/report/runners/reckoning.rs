//! What a runner counts against what was read: a test may print headings and totals of its own, but no line of it makes
//! the runner count another failure.

use std::collections::{HashMap, HashSet};

use super::super::record::{Outcome, Said, counts};
use super::rule::Counted;

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

/// Whether the totals count just the failures that are told (outcome and file of each), and contradict neither each
/// other nor the numbers of tests that were to be run (`planned`, each with its line). Totals that a run says once and
/// that stand there twice are told once.
pub fn agree(totals: &mut Vec<Stated<'_>>, planned: &[(usize, u64)], told: &[(Outcome, &str)]) -> bool {
    let mut is_sure = is_planned(totals, planned);
    let mut said = HashMap::new();
    totals.retain(|total| {
        let is_once = matches!(total.counted, Counted::Run(_) | Counted::Files(_));
        let before = is_once.then(|| said.insert(total.rule, total.said.text)).flatten();
        is_sure &= before.is_none_or(|before| before == total.said.text);
        before.is_none()
    });
    let (mut failures, mut files) = (0, None);
    for total in &*totals {
        match total.counted {
            Counted::Nothing => {}
            Counted::Run(words) | Counted::Suite(words) => {
                failures += total.sum(|word| words.contains(&word))
            }
            Counted::Files(words) => files = Some(total.sum(|word| words.contains(&word))),
        }
    }
    let of = |outcome| told.iter().filter(move |(told, _)| *told == outcome);
    let (failed, errors) = (of(Outcome::Failed).count() as u64, of(Outcome::Error).count() as u64);
    is_sure
        && match files {
            None => failures == failed + errors,
            Some(files) => {
                let failing: HashSet<_> = of(Outcome::Failed).map(|(_, file)| file).collect();
                failures == failed && files == errors + failing.len() as u64
            }
        }
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

//! `fold`: replaces lines by their count.

use std::collections::HashMap;

use super::lines::{Cut, Lines, is_settled};
use super::schema::Fold;
use crate::failure::says_why;
use crate::mistake::Mistake;

/// The folds of a filter, for a command that succeeded or failed.
#[derive(Debug)]
pub struct Folds<'f> {
    folds: Vec<&'f Fold>,
    succeeded: bool,
}

impl<'f> Folds<'f> {
    /// Compiles folds that stand in `source`.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn new(
        folds: impl Iterator<Item = &'f Fold>,
        source: &str,
        succeeded: bool,
    ) -> Result<Self, Mistake> {
        let checked = folds.map(|fold| fold.pattern.check(source).map(|_| fold));
        Ok(Self { folds: checked.collect::<Result<_, _>>()?, succeeded })
    }

    /// The index of the fold that counts a line.
    pub fn rule_for(&self, line: &[u8]) -> Option<usize> {
        let found = self.folds.iter().position(|fold| {
            fold.pattern.is_match(line) && (self.succeeded || fold.harmless || !says_why(line))
        });
        found.filter(|_| !is_settled(line))
    }

    /// Replaces lines by counts. Folds with `together` run first: without the lines that they remove, runs of other
    /// folds may become longer.
    pub fn run(&self, lines: &mut Lines<'_>) {
        for together in [true, false] {
            if self.folds.iter().any(|fold| fold.together == together) {
                self.fold_those(together, lines);
            }
        }
    }

    fn fold_those(&self, together: bool, lines: &mut Lines<'_>) {
        let is_one = |rule: &usize| self.folds[*rule].together == together;
        let rules: Vec<Option<usize>> = lines.iter().map(|line| self.rule_for(line).filter(is_one)).collect();
        let mut totals: HashMap<usize, usize> = HashMap::new();
        for rule in rules.iter().flatten() {
            *totals.entry(*rule).or_default() += 1;
        }
        // A single line stays: a mark would say less, and not in fewer words.
        let folded = |(start, end, rule): (usize, usize, &Option<usize>)| {
            let fold = self.folds[(*rule)?];
            if !together {
                return (end - start > 1).then(|| Cut::counted(start, end, end - start, &fold.what));
            }
            match totals.insert((*rule)?, 0)? {
                1 => None,
                0 => Some(Cut { start, end, mark: None }),
                total => Some(Cut::counted(start, end, total, &fold.what)),
            }
        };
        let cuts = runs(&rules).filter_map(folded).collect();
        lines.cut_out(cuts);
    }
}

/// Runs of equal items: the start and the end of each, and the item.
fn runs<T: PartialEq>(items: &[T]) -> impl Iterator<Item = (usize, usize, &T)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = items.get(at)?;
        let start = at;
        at += items[at..].iter().take_while(|item| *item == first).count();
        Some((start, at, first))
    })
}

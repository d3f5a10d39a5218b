//! `fold`: replaces lines by their count.

use std::collections::HashMap;

use super::lines::{Cut, Lines, is_settled, mark};
use super::pattern;
use super::reason::says_why;
use super::schema::Fold;
use crate::mistake::Mistake;

/// Compiled folds.
#[derive(Debug)]
pub struct Folds {
    folds: Vec<Folding>,
    succeeded: bool,
}

/// A compiled fold.
#[derive(Debug)]
struct Folding {
    pattern: regex::bytes::Regex,
    what: String,
    together: bool,
    harmless: bool,
}

impl Folds {
    /// Compiles folds that stand in `source`, for a command that succeeded or failed.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn new<'f>(
        folds: impl Iterator<Item = &'f Fold>,
        source: &str,
        succeeded: bool,
    ) -> Result<Self, Mistake> {
        let compiled = folds.map(|fold| {
            Ok(Folding {
                pattern: pattern::one(&fold.pattern, source)?,
                what: fold.what.clone(),
                together: fold.together,
                harmless: fold.harmless,
            })
        });
        Ok(Self { folds: compiled.collect::<Result<_, Mistake>>()?, succeeded })
    }

    /// The index of the fold that counts a line.
    pub fn rule_for(&self, line: &[u8]) -> Option<usize> {
        let found = self.folds.iter().position(|folding| {
            folding.pattern.is_match(line) && (self.succeeded || folding.harmless || !says_why(line))
        });
        found.filter(|_| !is_settled(line))
    }

    /// Replaces lines by counts. Folds with `together` run first: without the lines that they remove, runs of other
    /// folds may become longer.
    pub fn run(&self, lines: &mut Lines<'_>) {
        for together in [true, false] {
            if self.folds.iter().any(|folding| folding.together == together) {
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
        let mut cuts = Vec::new();
        for (start, end, rule) in runs(&rules) {
            if let Some(rule) = *rule {
                cuts.extend(self.folded(rule, start, end, &mut totals));
            }
        }
        lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
        lines.cut(cuts);
    }

    /// The cut for one run of lines. `None` for a single line, which stays: a mark would say less, and not in fewer
    /// words.
    fn folded(
        &self,
        rule: usize,
        start: usize,
        end: usize,
        totals: &mut HashMap<usize, usize>,
    ) -> Option<Cut> {
        let folding = &self.folds[rule];
        if !folding.together {
            return (end - start > 1).then(|| Cut::counted(start, end, end - start, &folding.what));
        }
        match totals.insert(rule, 0) {
            Some(1) => None,
            Some(0) => Some(Cut { start, end, mark: None }),
            total => Some(Cut { start, end, mark: total.map(|total| mark(total, &folding.what)) }),
        }
    }
}

/// Runs of equal items: the start and the end of each, and the item.
pub fn runs<T: PartialEq>(items: &[T]) -> impl Iterator<Item = (usize, usize, &T)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = items.get(at)?;
        let start = at;
        at += items[at..].iter().take_while(|item| *item == first).count();
        Some((start, at, first))
    })
}

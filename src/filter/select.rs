//! skip, keep and fold: lines that go, and lines that become a count.

use std::collections::HashMap;

use super::lines::{Cut, Lines, is_settled, mark};
use super::pattern::{self, AnyOf};
use super::reason::says_why;
use super::schema::{Fold, Mistake};

/// Compiled skip, keep and fold.
#[derive(Debug)]
pub struct Select {
    pub(super) skip: AnyOf,
    pub(super) keep: AnyOf,
    pub(super) folds: Vec<Folding>,
    pub(super) succeeded: bool,
}

/// A compiled fold.
#[derive(Debug)]
pub struct Folding {
    pattern: regex::bytes::Regex,
    what: String,
    together: bool,
    harmless: bool,
}

impl Select {
    /// Compiles folds that stand in `source`.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn folds<'f>(folds: impl Iterator<Item = &'f Fold>, source: &str) -> Result<Vec<Folding>, Mistake> {
        let compiled = folds.map(|fold| {
            Ok(Folding {
                pattern: pattern::one(&fold.pattern, source)?,
                what: fold.what.clone(),
                together: fold.together,
                harmless: fold.harmless,
            })
        });
        compiled.collect()
    }

    /// skip, keep. A line that a fold matches is counted, not dropped.
    pub fn drop(&self, lines: &mut Lines<'_>) {
        if self.skip.is_empty() && self.keep.is_empty() {
            return;
        }
        let goes: Vec<bool> = lines.iter().map(|line| self.goes(line)).collect();
        let cuts =
            runs(&goes).filter(|(_, _, goes)| **goes).map(|(start, end, _)| Cut { start, end, mark: None });
        let cuts: Vec<Cut> = cuts.collect();
        lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
        lines.cut(cuts);
    }

    fn goes(&self, line: &[u8]) -> bool {
        let unwanted = self.skip.matches(line) || !self.keep.is_empty() && !self.keep.matches(line);
        unwanted && (self.succeeded || !says_why(line)) && !is_settled(line) && self.rule_for(line).is_none()
    }

    fn rule_for(&self, line: &[u8]) -> Option<usize> {
        let found = self.folds.iter().position(|folding| {
            folding.pattern.is_match(line) && (self.succeeded || folding.harmless || !says_why(line))
        });
        found.filter(|_| !is_settled(line))
    }

    /// fold. What is counted in one place goes first: lines that it stood between may follow each other then.
    pub fn fold(&self, lines: &mut Lines<'_>) {
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

    /// A single line that matches a rule stays: a mark would say less, and not in fewer words.
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

/// Runs of equal items: where each begins, where it ends, and the item.
fn runs<T: PartialEq>(items: &[T]) -> impl Iterator<Item = (usize, usize, &T)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = items.get(at)?;
        let start = at;
        at += items[at..].iter().take_while(|item| *item == first).count();
        Some((start, at, first))
    })
}

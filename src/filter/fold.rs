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

/// Whether words behind what a fold matches may say why a command failed: `[3/9] Linking C executable app FAILED`. A
/// word with a sign inside is a name.
fn says_why_behind(fold: &Fold, line: &[u8]) -> bool {
    let is_word = |word: &&[u8]| {
        let word = word.trim_ascii_end();
        let inner = &word[..word.len().saturating_sub(1)];
        !inner.iter().any(|byte| b"/-._=@".contains(byte))
    };
    let behind = fold.pattern.behind(line).unwrap_or(line);
    says_why(&behind.split(u8::is_ascii_whitespace).filter(is_word).collect::<Vec<_>>().join(&b' '))
}

impl<'f> Folds<'f> {
    /// Compiles folds that stand in `source`.
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
            fold.pattern.is_match(line)
                && (self.succeeded || !says_why(line) || fold.harmless && !says_why_behind(fold, line))
        });
        found.filter(|_| !is_settled(line))
    }

    /// Replaces lines by counts. Folds with `together` run first: without the lines that they remove, runs of other
    /// folds may become longer.
    pub fn run(&self, lines: &mut Lines<'_>) {
        let before = lines.left_out;
        for together in [true, false] {
            if self.folds.iter().any(|fold| fold.together == together) {
                self.fold_those(together, lines);
            }
        }
        lines.counted += lines.left_out - before;
    }

    fn fold_those(&self, together: bool, lines: &mut Lines<'_>) {
        let is_one = |rule: &usize| self.folds[*rule].together == together;
        let rules: Vec<Option<usize>> = lines.iter().map(|line| self.rule_for(line).filter(is_one)).collect();
        let mut totals: HashMap<usize, usize> = HashMap::new();
        for rule in rules.iter().flatten() {
            *totals.entry(*rule).or_default() += 1;
        }
        // A single line stays: a mark would say less, and not in fewer words.
        let mut end = 0;
        let folded = |run: &[Option<usize>]| {
            let (start, rule) = (end, run[0]);
            end += run.len();
            let fold = self.folds[rule?];
            if !together {
                return (end - start > 1).then(|| Cut::counted(start, end, end - start, &fold.what));
            }
            match totals.insert(rule?, 0)? {
                1 => None,
                0 => Some(Cut { start, end, mark: None }),
                total => Some(Cut::counted(start, end, total, &fold.what)),
            }
        };
        let cuts = rules.chunk_by(|one, next| one == next).filter_map(folded).collect();
        lines.cut_out(cuts);
    }
}

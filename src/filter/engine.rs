//! Runs a filter's rules over lines. What a rule takes out is counted or said; a line that may say why a command
//! failed stays when it did.

use std::collections::HashMap;

use super::lines::{Cut, Lines, is_mark, mark};
use super::pattern::{self, AnyOf};
use super::reason::says_why;
use super::schema::{FilterFile, Fold, Mistake};

/// A filter's rules for one way of ending, ready to run.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct Rules {
    skip: AnyOf,
    keep: AnyOf,
    folds: Vec<Folding>,
    head: Option<usize>,
    tail: Option<usize>,
    dedup: bool,
    collapse_empty_lines: bool,
    strip_empty_lines: bool,
    trim_lines: bool,
    truncate_lines_at: Option<usize>,
    /// Nothing is folded beyond this.
    pub verbatim: bool,
    /// Devices that run behind the rules.
    pub reshape: Vec<super::reshape::Device>,
    succeeded: bool,
}

#[derive(Debug)]
struct Folding {
    pattern: regex::bytes::Regex,
    what: String,
    together: bool,
    harmless: bool,
}

/// What becomes of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Goes,
    /// By the rule of this index.
    Folds(usize),
}

impl Rules {
    /// Compiles what `file`, which stands in `source`, says of a command that succeeded or failed.
    ///
    /// # Errors
    /// An expression that does not parse or grows too large.
    pub fn new(file: &FilterFile, source: &str, succeeded: bool) -> Result<Self, Mistake> {
        let branch = if succeeded { &file.on_success } else { &file.on_failure };
        let folds = file.fold.iter().chain(&branch.fold).map(|fold| Folding::new(fold, source));
        Ok(Self {
            skip: AnyOf::new(file.skip.iter().chain(&branch.skip), source)?,
            keep: AnyOf::new(file.keep.iter().chain(&branch.keep), source)?,
            folds: folds.collect::<Result<_, _>>()?,
            head: branch.head,
            tail: branch.tail,
            dedup: file.dedup,
            collapse_empty_lines: file.collapse_empty_lines,
            strip_empty_lines: file.strip_empty_lines,
            trim_lines: file.trim_lines,
            truncate_lines_at: file.truncate_lines_at,
            verbatim: file.verbatim,
            reshape: file.reshape.clone(),
            succeeded,
        })
    }

    /// Runs the rules, in the order of docs/filters.md.
    pub fn run(&self, lines: &mut Lines<'_>) {
        self.select(lines);
        self.ends(lines);
        self.tidy(lines);
    }

    /// skip, keep, fold.
    fn select(&self, lines: &mut Lines<'_>) {
        if self.skip.is_empty() && self.keep.is_empty() && self.folds.is_empty() {
            return;
        }
        let fates: Vec<Fate> = lines.iter().map(|line| self.fate(line)).collect();
        let mut totals: HashMap<usize, usize> = HashMap::new();
        for fate in &fates {
            if let Fate::Folds(rule) = fate {
                *totals.entry(*rule).or_default() += 1;
            }
        }
        let mut cuts = Vec::new();
        let mut at = 0;
        while at < fates.len() {
            let end = at + fates[at..].iter().take_while(|fate| **fate == fates[at]).count();
            match fates[at] {
                Fate::Stays => {}
                Fate::Goes => cuts.push(Cut { start: at, end, mark: None }),
                Fate::Folds(rule) => self.fold(rule, at, end, &mut totals, &mut cuts),
            }
            at = end;
        }
        lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
        lines.cut(cuts);
    }

    /// A single line that matches a rule stays: a mark would say less, and not in fewer words.
    fn fold(
        &self,
        rule: usize,
        start: usize,
        end: usize,
        totals: &mut HashMap<usize, usize>,
        cuts: &mut Vec<Cut>,
    ) {
        let folding = &self.folds[rule];
        if !folding.together {
            if end - start > 1 {
                cuts.push(Cut::counted(start, end, end - start, &folding.what));
            }
            return;
        }
        match totals.insert(rule, 0) {
            Some(1) => {}
            Some(0) => cuts.push(Cut { start, end, mark: None }),
            total => cuts.push(Cut { start, end, mark: total.map(|total| mark(total, &folding.what)) }),
        }
    }

    fn fate(&self, line: &[u8]) -> Fate {
        if is_mark(line) {
            return Fate::Stays;
        }
        let folding = self.folds.iter().position(|folding| {
            folding.pattern.is_match(line) && (self.succeeded || folding.harmless || !says_why(line))
        });
        if let Some(rule) = folding {
            return Fate::Folds(rule);
        }
        let goes = self.skip.matches(line) || !self.keep.is_empty() && !self.keep.matches(line);
        if goes && (self.succeeded || !says_why(line)) { Fate::Goes } else { Fate::Stays }
    }

    /// head, tail.
    fn ends(&self, lines: &mut Lines<'_>) {
        if self.head.is_none() && self.tail.is_none() {
            return;
        }
        let (head, tail) = (self.head.unwrap_or(0), self.tail.unwrap_or(0));
        let (start, end) =
            (head.min(lines.len()), lines.len().saturating_sub(tail).max(head.min(lines.len())));
        let mut cuts = Vec::new();
        let mut from = start;
        for at in start..=end {
            let stays = at == end || is_mark(lines.get(at)) || !self.succeeded && says_why(lines.get(at));
            if stays {
                if at > from {
                    cuts.push(Cut::counted(from, at, at - from, "more lines"));
                    lines.leave_out(at - from);
                }
                from = at + 1;
            }
        }
        lines.cut(cuts);
    }

    /// What changes lines or drops what says nothing.
    fn tidy(&self, lines: &mut Lines<'_>) {
        for at in 0..lines.len() {
            if self.trim_lines && lines.get(at).trim_ascii().len() < lines.get(at).len() {
                let trimmed = lines.get(at).trim_ascii().to_vec();
                lines.set(at, trimmed);
            }
            if let Some(cut) = self.truncate_lines_at.and_then(|limit| truncated(lines.get(at), limit)) {
                lines.set(at, cut);
                lines.leave_out(1);
            }
        }
        let mut cuts = Vec::new();
        for at in 0..lines.len() {
            let empty = lines.get(at).trim_ascii().is_empty();
            let before = at > 0 && lines.get(at - 1).trim_ascii().is_empty();
            let equal = self.dedup && at > 0 && !empty && lines.get(at) == lines.get(at - 1);
            if empty && (self.strip_empty_lines || self.collapse_empty_lines && before) || equal {
                cuts.push(Cut { start: at, end: at + 1, mark: None });
                lines.leave_out(usize::from(equal));
            }
        }
        lines.cut(cuts);
    }
}

impl Folding {
    fn new(fold: &Fold, source: &str) -> Result<Self, Mistake> {
        Ok(Self {
            pattern: pattern::one(&fold.pattern, source)?,
            what: fold.what.clone(),
            together: fold.together,
            harmless: fold.harmless,
        })
    }
}

/// The line's first `limit` characters and what the rest was, where it is longer by more than that costs.
fn truncated(line: &[u8], limit: usize) -> Option<Vec<u8>> {
    const COST: usize = 24;
    if line.len() <= limit + COST {
        return None;
    }
    let text = String::from_utf8_lossy(line);
    let end = text.char_indices().nth(limit).map(|(at, _)| at)?;
    let rest = text[end..].chars().count();
    (rest > COST).then(|| format!("{}… {rest} more chars", &text[..end]).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::schema::parse;
    use super::*;

    fn run(filter: &str, exit: i32, text: &str) -> String {
        let rules = Rules::new(&parse(filter).unwrap(), filter, exit == 0).unwrap();
        let mut lines = Lines::new(text.as_bytes());
        rules.run(&mut lines);
        lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap())
    }

    #[test]
    fn lines_fold_by_run_or_together() {
        let text = "ok 1\nok 2\nbad\nok 3\nok 4\nok 5\n";
        let filter = "[[fold]]\nmatch = '^ok'\nas = \"passing\"\n";
        assert_eq!(run(filter, 0, text), "… 2 passing\nbad\n… 3 passing\n");
        let filter = format!("{filter}together = true\n");
        assert_eq!(run(&filter, 0, text), "… 5 passing\nbad\n");
        assert_eq!(run(&filter, 0, "… 5 passing\nbad\n"), "… 5 passing\nbad\n");
        assert_eq!(run(&filter, 0, "ok 1\nbad\n"), "ok 1\nbad\n");
    }

    #[test]
    fn what_says_why_stays_after_a_failure() {
        let text = "note 1\nnote 2: error x\nnote 3\n";
        let filter = "skip = ['^note']\n";
        assert_eq!(run(filter, 0, text), "");
        assert_eq!(run(filter, 1, text), "note 2: error x\n");
        let filter = "[[fold]]\nmatch = '^note'\nas = \"notes\"\nharmless = true\n";
        assert_eq!(run(filter, 1, text), "… 3 notes\n");
        assert_eq!(run("[on_failure]\ntail = 1\n", 1, text), "… 1 more lines\nnote 2: error x\nnote 3\n");
    }

    #[test]
    fn keep_and_tidy() {
        assert_eq!(run("keep = ['a']\n", 0, "a\nb\nab\n"), "a\nab\n");
        assert_eq!(run("collapse_empty_lines = true\n", 0, "a\n\n\n\nb\n"), "a\n\nb\n");
        assert_eq!(run("strip_empty_lines = true\ntrim_lines = true\n", 0, " a \n\nb\n"), "a\nb\n");
        assert_eq!(run("dedup = true\n", 0, "a\na\nb\n"), "a\nb\n");
        let cut = run("truncate_lines_at = 3\n", 0, &("é".repeat(99) + "\n"));
        assert_eq!(cut, "ééé… 96 more chars\n");
        assert_eq!(run("truncate_lines_at = 3\n", 0, &cut), cut);
    }
}

//! `skip` and `keep`: drop lines.

use regex::bytes::Regex;

use super::schema::{Branch, FilterFile};
use crate::filter::fold::{Folds, runs};
use crate::filter::lines::{Cut, Lines, is_settled};
use crate::filter::pattern::{Pattern, limited};
use crate::filter::says_why;
use crate::mistake::Mistake;

/// Maximum memory of all expressions of a list together, in bytes.
const JOINED_LIMIT: usize = 4 << 20;

/// Compiled `skip`, `keep` and `fold`.
#[derive(Debug)]
pub struct Select<'f> {
    skip: Option<Regex>,
    keep: Option<Regex>,
    pub(super) folds: Folds<'f>,
    succeeded: bool,
}

/// One expression for all `patterns`, which stand in `source`; `None` where there are none. The error is the first
/// expression that does not parse or grows too large.
fn any_of<'a>(
    patterns: impl IntoIterator<Item = &'a Pattern> + Clone,
    source: &str,
) -> Result<Option<Regex>, Mistake> {
    let joined: Vec<String> =
        patterns.clone().into_iter().map(|pattern| format!("(?:{})", pattern.text())).collect();
    if joined.is_empty() {
        return Ok(None);
    }
    if let Ok(regex) = limited(&joined.join("|"), JOINED_LIMIT) {
        return Ok(Some(regex));
    }
    for pattern in patterns {
        pattern.compile(source)?;
    }
    Err(Mistake::at(source, 0, "these expressions are too large together"))
}

impl<'f> Select<'f> {
    /// Compiles the rules of `file`, which stands in `source`.
    pub fn new(
        file: &'f FilterFile,
        branch: &'f Branch,
        source: &str,
        succeeded: bool,
    ) -> Result<Self, Mistake> {
        Ok(Self {
            skip: any_of(file.skip.iter().chain(&branch.skip), source)?,
            keep: any_of(file.keep.iter().chain(&branch.keep), source)?,
            folds: Folds::new(file.fold.iter().chain(&branch.fold), source, succeeded)?,
            succeeded,
        })
    }

    /// Drops lines by `skip` and `keep`. A line that a fold matches is not dropped, since it will be counted.
    pub fn drop(&self, lines: &mut Lines<'_>) {
        if self.skip.is_none() && self.keep.is_none() {
            return;
        }
        let goes: Vec<bool> = lines.iter().map(|line| self.goes(line)).collect();
        let cuts = runs(&goes).filter(|(_, _, goes)| **goes);
        lines.cut_out(cuts.map(|(start, end, _)| Cut { start, end, mark: None }).collect());
    }

    fn goes(&self, line: &[u8]) -> bool {
        let is_skipped = self.skip.as_ref().is_some_and(|skip| skip.is_match(line));
        (is_skipped || self.keep.as_ref().is_some_and(|keep| !keep.is_match(line)))
            && (self.succeeded || !says_why(line))
            && !is_settled(line)
            && self.folds.rule_for(line).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::custom::schema::parse;

    #[test]
    fn an_expression_that_is_wrong_or_too_large_is_named_with_its_place() {
        for (pattern, reason) in [("(", "unclosed group"), ("(?:a{1000}){1000}", "size limit")] {
            let source = format!("skip = [\n  \"ok\",\n  \"{pattern}\",\n]\n");
            let error = any_of(&parse(&source).unwrap().skip, &source).unwrap_err();
            assert_eq!((error.line, error.column), (3, 3));
            assert!(error.message.contains(reason), "{error}");
        }
    }

    #[test]
    fn bytes_and_characters_match() {
        let source = "skip = [\"^[✓✔] ok\", '^\\xff']\n";
        let any = any_of(&parse(source).unwrap().skip[..1], source).unwrap().unwrap();
        assert!(any.is_match("✔ ok".as_bytes()) && !any.is_match(b"ok"));
    }
}

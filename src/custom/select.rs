//! `skip` and `keep`: drop lines.

use regex::bytes::Regex;

use crate::filter::fold::{Folds, runs};
use crate::filter::lines::{Cut, Lines, is_settled};
use crate::filter::pattern::{limited, one};
use crate::filter::says_why;
use crate::filter::schema::Pattern;
use crate::mistake::Mistake;

/// Maximum memory of all expressions of a list together, in bytes.
const JOINED_LIMIT: usize = 4 << 20;

/// Several expressions, compiled as one.
#[derive(Debug, Default)]
pub struct AnyOf(Option<Regex>);

impl AnyOf {
    /// Compiles `patterns`, which stand in `source`.
    ///
    /// # Errors
    /// The first expression that does not parse or grows too large, with its place.
    pub fn new<'a>(
        patterns: impl IntoIterator<Item = &'a Pattern> + Clone,
        source: &str,
    ) -> Result<Self, Mistake> {
        let joined: Vec<String> =
            patterns.clone().into_iter().map(|pattern| format!("(?:{})", pattern.get_ref())).collect();
        if joined.is_empty() {
            return Ok(Self(None));
        }
        if let Ok(regex) = limited(&joined.join("|"), JOINED_LIMIT) {
            return Ok(Self(Some(regex)));
        }
        for pattern in patterns {
            one(pattern, source)?;
        }
        Err(Mistake::at(source, 0, "these expressions are too large together"))
    }

    /// Whether there is no expression.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether one of the expressions matches.
    pub fn matches(&self, line: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|regex| regex.is_match(line))
    }
}

/// Compiled `skip`, `keep` and `fold`.
#[derive(Debug)]
pub struct Select {
    pub(super) skip: AnyOf,
    pub(super) keep: AnyOf,
    pub(super) folds: Folds,
    pub(super) succeeded: bool,
}

impl Select {
    /// Drops lines by `skip` and `keep`. A line that a fold matches is not dropped, since it will be counted.
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
        unwanted
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
            let error = AnyOf::new(&parse(&source).unwrap().skip, &source).unwrap_err();
            assert_eq!((error.line, error.column), (3, 3));
            assert!(error.message.contains(reason), "{error}");
        }
    }

    #[test]
    fn bytes_and_characters_match() {
        let source = "skip = [\"^[✓✔] ok\", '^\\xff']\n";
        let any = AnyOf::new(&parse(source).unwrap().skip[..1], source).unwrap();
        assert!(any.matches("✔ ok".as_bytes()) && !any.matches(b"ok"));
    }
}

//! `extract`: rewrites the first line that matches.

use regex::bytes::Regex;

use super::template::Template;
use super::value::{Budget, capture_names};
use crate::custom::schema::Extract as Rule;
use crate::filter::pattern;
use crate::mistake::Mistake;

/// A compiled `extract`.
#[derive(Debug)]
pub struct Extract {
    pub pattern: Regex,
    pub output: Template,
}

impl Extract {
    /// Compiles a rule that stands in `source`.
    ///
    /// # Errors
    /// An expression or a template with a mistake.
    pub fn new(rule: &Rule, source: &str) -> Result<Self, Mistake> {
        Ok(Self {
            pattern: pattern::one(&rule.pattern, source)?,
            output: Template::new(&rule.output, source)?,
        })
    }

    /// The text for a line; `None` where the line does not match or the budget is spent.
    pub fn of_line(&self, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let captures = self.pattern.captures(line)?;
        self.output.with(&capture_names(&self.pattern, &captures), budget)
    }
}

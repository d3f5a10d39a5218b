//! `extract`: the first line that matches, written anew.

use regex::bytes::Regex;

use super::template::Template;
use super::value::{Budget, capture_names};
use crate::custom::schema::Extract as Rule;
use crate::filter::{Mistake, pattern};

/// The first line that matches, written anew.
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

    /// What it writes of a line, if that matches, and there is work left to do it.
    pub fn of_line(&self, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let captures = self.pattern.captures(line)?;
        self.output.with(&capture_names(&self.pattern, &captures), budget)
    }
}

//! `[[section]]`: lines collected under a name, between two markers or wherever they match.

use regex::bytes::Regex;

use super::value::Value;
use crate::custom::schema::Section as Rule;
use crate::filter::pattern;
use crate::mistake::Mistake;

/// A compiled section.
#[derive(Debug)]
pub struct Section {
    name: String,
    enter: Option<Regex>,
    exit: Option<Regex>,
    include_enter: bool,
    pattern: Option<Regex>,
    split_on: Option<Regex>,
}

impl Section {
    /// Compiles a rule that stands in `source`; `None` for a rule without `collect_as`.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn new(rule: &Rule, source: &str) -> Result<Option<Self>, Mistake> {
        let section = Self {
            name: rule.collect_as.clone().unwrap_or_default(),
            enter: pattern::maybe(rule.enter.as_ref(), source)?,
            exit: pattern::maybe(rule.exit.as_ref(), source)?,
            include_enter: rule.include_enter,
            pattern: pattern::maybe(rule.pattern.as_ref(), source)?,
            split_on: pattern::maybe(rule.split_on.as_ref(), source)?,
        };
        Ok(rule.collect_as.is_some().then_some(section))
    }

    /// The section's name, and its lines. The line that closes the section is not part of it; the line that opens it
    /// is, if the rule says so (`include_enter`). In that case a line that closes one section can open the next.
    pub fn collect<'a>(&self, lines: &[&'a [u8]]) -> (String, Value<'a>) {
        let is =
            |pattern: &Option<Regex>, line| pattern.as_ref().is_some_and(|pattern| pattern.is_match(line));
        let mut open = self.enter.is_none();
        let mut collected: Vec<&'a [u8]> = Vec::new();
        for line in lines {
            if !open || self.enter.is_some() && is(&self.exit, line) {
                open = (!open || self.include_enter) && is(&self.enter, line);
                if open && self.include_enter {
                    collected.push(line);
                }
            } else if self.pattern.is_none() || is(&self.pattern, line) {
                collected.push(line);
            }
        }
        let Some(split_on) = &self.split_on else { return (self.name.clone(), Value::lines(collected)) };
        let blocks = collected.split(|line| split_on.is_match(line)).filter(|block| !block.is_empty());
        let blocks = blocks.map(|block| Value::Text(block.join(&b'\n').into())).collect();
        (self.name.clone(), Value::List(blocks))
    }
}

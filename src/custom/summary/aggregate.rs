//! `aggregate`: numbers computed from collected lines.

use regex::bytes::Regex;

use super::value::{Budget, Value};
use crate::custom::schema::Aggregate as Rule;
use crate::filter::lines::lines_of;
use crate::filter::pattern;
use crate::mistake::Mistake;

/// A compiled aggregate.
#[derive(Debug)]
pub struct Aggregate {
    /// Name under which its lines were collected.
    from: String,
    pattern: Regex,
    sum: Option<String>,
    count_as: Option<String>,
}

impl Aggregate {
    /// Compiles a rule that stands in `source`.
    ///
    /// # Errors
    /// An expression that does not compile.
    pub fn new(rule: &Rule, source: &str) -> Result<Self, Mistake> {
        Ok(Self {
            from: rule.from.clone().unwrap_or_default(),
            pattern: pattern::one(&rule.pattern, source)?,
            sum: rule.sum.clone(),
            count_as: rule.count_as.clone(),
        })
    }

    /// The sum and the count of these lines, by name. The sum stops at the largest 64-bit integer; a capture that is no
    /// 64-bit integer counts as 0.
    pub fn of<'a, 'b>(&self, lines: impl Iterator<Item = &'b [u8]>) -> Vec<(String, Value<'a>)> {
        let (mut sum, mut count) = (0_i64, 0_i64);
        for line in lines {
            let Some(captures) = self.pattern.captures(line) else { continue };
            count += 1;
            let number =
                captures.get(1).map(|number| String::from_utf8_lossy(number.as_bytes()).into_owned());
            sum = sum.saturating_add(number.and_then(|number| number.trim().parse().ok()).unwrap_or(0_i64));
        }
        let sum = self.sum.iter().map(|name| (name.clone(), Value::number(sum)));
        let count = self.count_as.iter().map(|name| (name.clone(), Value::number(count)));
        sum.chain(count).collect()
    }

    /// The sum and the count of the lines that were collected under `from`; `None` where the budget is spent.
    pub fn of_collected<'a>(
        &self,
        names: &[(String, Value<'a>)],
        budget: &Budget,
    ) -> Option<Vec<(String, Value<'a>)>> {
        let collected = names.iter().rev().find(|(name, _)| *name == self.from);
        let text = collected.map_or(Some(Vec::new()), |(_, value)| value.to_text(budget))?;
        Some(self.of(lines_of(&text)))
    }
}

//! `aggregate`: numbers computed from collected lines.

use crate::custom::schema::Aggregate;
use crate::custom::value::{Budget, Names, Value};
use crate::filter::lines::lines_of;

impl Aggregate {
    /// The sum and the count of these lines, by name. The sum stops at the largest 64-bit integer; a capture that is no
    /// 64-bit integer counts as 0.
    pub(super) fn of<'a, 'b>(&self, lines: impl Iterator<Item = &'b [u8]>) -> Names<'a> {
        let (mut sum, mut count) = (0_i64, 0_i64);
        for captures in lines.filter_map(|line| self.pattern.captures(line)) {
            count += 1;
            let number = captures.get(1).map(|number| String::from_utf8_lossy(number.as_bytes()));
            sum = sum.saturating_add(number.and_then(|number| number.trim().parse().ok()).unwrap_or(0));
        }
        let named = [(&self.sum, sum), (&self.count_as, count)];
        named.into_iter().filter_map(|(name, number)| Some((name.clone()?, Value::number(number)))).collect()
    }

    /// The sum and the count of the lines that were collected under `from`; `None` where the budget is spent.
    pub(super) fn of_collected<'a>(&self, names: &Names<'a>, budget: &Budget) -> Option<Names<'a>> {
        let from = self.from.as_deref().unwrap_or_default();
        let collected = names.iter().rev().find(|(name, _)| name == from);
        let text = collected.map_or(Some(Vec::new()), |(_, value)| value.to_text(budget))?;
        Some(self.of(lines_of(&text)))
    }
}

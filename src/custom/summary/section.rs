//! `[[section]]`: lines collected under a name, between two markers or wherever they match.

use crate::custom::schema::Section;
use crate::custom::value::Value;
use crate::filter::pattern::Pattern;

impl Section {
    /// The section's name, and its lines; `None` for a section without a name. The line that closes the section is not
    /// part of it; the line that opens it is, if the rule says so (`include_enter`). In that case a line that closes
    /// one section can open the next.
    pub(super) fn collect<'a>(&self, lines: &[&'a [u8]]) -> Option<(String, Value<'a>)> {
        let is =
            |pattern: &Option<Pattern>, line| pattern.as_ref().is_some_and(|pattern| pattern.is_match(line));
        let name = self.collect_as.clone()?;
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
        let Some(split_on) = &self.split_on else { return Some((name, Value::lines(collected))) };
        let blocks = collected.split(|line| split_on.is_match(line)).filter(|block| !block.is_empty());
        Some((name, Value::List(blocks.map(|block| Value::Text(block.join(&b'\n').into())).collect())))
    }
}

//! What is known of commands: one table (`table.toml`), and how a call is matched with its patterns.

mod call;
mod raw;
mod table;

pub use call::{as_text, base_name, behind_options, behind_wrapper, matches, positional, unwrap, values_of};
pub use raw::pattern_of as raw_pattern;
pub use table::*;

impl Column {
    /// Whether the column holds for a call, whatever options stand between its words.
    pub fn holds_for(&self, words: &[String]) -> bool {
        let patterns = words.first().and_then(|first| self.of(base_name(first)));
        patterns.into_iter().flatten().any(|pattern| match pattern {
            [start @ .., "."] => matches(start, words) && !matches(&[start, &["*"]].concat(), words),
            [start @ .., last] if last.starts_with('~') => {
                matches(start, words) && words.iter().any(|word| word.ends_with(&last[1..]))
            }
            _ => matches(pattern, words),
        })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/commands.rs"]
mod tests;

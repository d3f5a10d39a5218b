//! The receipt: one line on stderr that says what was saved. The agent reads it, too, so its own tokens count.

use crate::config::ReceiptMode;
use crate::marks::OURS;
use crate::tokens;

/// Fewest saved tokens that are worth a line: agents take a receipt on a small output for noise.
const WORTH_TELLING: usize = 300;
/// Fewest tokens of the saving that must be left beside a receipt that the user did not ask for.
const LEFT_TO_THE_READER: usize = 40;

/// What was given to the reader in place of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Tokens of the tool's own bytes.
    pub original: usize,
    /// Tokens of the whole output, where `original` counts only what stands on the page that was written.
    pub whole: Option<usize>,
    /// Whether the original's count is an estimate.
    pub estimated: bool,
    /// Tokens of the output written instead, without this receipt.
    pub compressed: usize,
    /// The notation, as the receipt names it.
    pub shape: String,
    /// Whether the output lacks something that only the original has.
    pub left_out: bool,
}

impl Receipt {
    /// The line without its newline; `None` if the mode wants none or the line would use up the saving. Where a full
    /// receipt would use up the saving, the short one is tried.
    pub fn line(&self, mode: ReceiptMode) -> Option<String> {
        let worth_telling = self.left_out || self.original >= self.compressed + WORTH_TELLING;
        let forms: &[fn(&Self, usize) -> String] = match mode {
            ReceiptMode::Auto if !worth_telling => &[],
            ReceiptMode::Auto | ReceiptMode::Full => &[Self::full, Self::short],
            ReceiptMode::Short => &[Self::short],
            ReceiptMode::Off => &[],
        };
        let least = if mode == ReceiptMode::Auto { LEFT_TO_THE_READER } else { 1 };
        forms.iter().find_map(|form| self.settle(*form, least))
    }

    /// The line whose figures include the line itself: its count changes the line, which may change the count. `None`
    /// if fewer than `least` tokens of the saving would be left.
    fn settle(&self, form: fn(&Self, usize) -> String, least: usize) -> Option<String> {
        let mut given = self.compressed;
        for _ in 0..4 {
            let line = form(self, given);
            let own = tokens::count(line.as_bytes()) + 1;
            if self.compressed + own + least > self.original {
                return None;
            }
            if self.compressed + own == given {
                return Some(line);
            }
            given = self.compressed + own;
        }
        Some(form(self, given))
    }

    fn full(&self, given: usize) -> String {
        let saved = self.original - given.min(self.original);
        let percent = saved as f64 * 100.0 / self.original.max(1) as f64;
        let Self { original, shape, .. } = self;
        let about = self.about();
        let of = self.whole.map_or_else(String::new, |whole| format!(" (page 1 of {about}{whole} tok)"));
        format!(
            "{OURS}Original: {about}{original} tok{of} | Compressed: {given} tok | Saved: {about}{saved} ({percent:.1}%) | Shape: {shape}"
        )
    }

    fn short(&self, given: usize) -> String {
        let page = if self.whole.is_some() { "page 1: " } else { "" };
        format!("{OURS}{page}{}{} -> {given} tok", self.about(), self.original)
    }

    /// The sign in front of an estimated number.
    fn about(&self) -> &'static str {
        if self.estimated { "~" } else { "" }
    }
}

#[cfg(test)]
#[path = "../tests/unit/receipt.rs"]
mod tests;

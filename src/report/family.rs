//! What a family of reports is.

use super::section::{Records, Section};

/// A family: the reports of one tool, or of several that write alike.
pub struct Family {
    /// Its tool.
    pub name: &'static str,
    /// A text without any of these words is not asked about; an empty table asks about every text.
    pub signs: &'static [&'static str],
    /// Finds the family's records among the lines that are still nobody's. Linear in the section's lines.
    pub read: for<'t> fn(&Section<'t>, &mut Records<'t>),
}

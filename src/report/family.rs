//! Families of reports.

use super::section::{Records, Section};

/// A family: the reports of one tool, or of several that write alike.
pub struct Family {
    /// The tool's name.
    pub name: &'static str,
    /// Only texts with one of these words are read; an empty table lets the family read every text.
    pub signs: &'static [&'static str],
    /// Finds the family's records among the lines that belong to no record yet. Linear in the section's lines.
    pub read: for<'t> fn(&Section<'t>, &mut Records<'t>),
}

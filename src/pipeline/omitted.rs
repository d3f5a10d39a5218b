//! What was left out of an output, and the note that says so.

use std::fmt;

use crate::report::LeftOut;

/// Counts of what was left out, presentation aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// `null`, `""`, `[]`, `{}`, and containers that held nothing else.
    pub empties: usize,
    /// Strings shown as `<base64 N chars>`.
    pub base64: usize,
    /// Scalars that stood in the document before (level `max`).
    pub duplicates: usize,
    /// Milliseconds since 1970 under a key that speaks of time (level `max`).
    pub timestamps: usize,
    /// Lines of text.
    pub lines: usize,
    /// States of progress that the tool wrote over.
    pub states: usize,
    /// Lines of a report, with the reasons.
    pub of_report: LeftOut,
}

impl Omitted {
    /// Whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts of another document.
    pub fn add(&mut self, other: Self) {
        self.empties += other.empties;
        self.base64 += other.base64;
        self.duplicates += other.duplicates;
        self.timestamps += other.timestamps;
        self.lines += other.lines;
        self.states += other.states;
    }

    /// The line that says what was left out; `recall` is the command that shows it.
    pub fn note(&self, recall: &str) -> String {
        let colon = if recall.is_empty() { "" } else { ": " };
        format!("({self} left out{colon}{recall})\n")
    }

    /// A text with that line behind it, if anything was left out.
    pub fn noted(&self, mut text: Vec<u8>, recall: &str) -> Vec<u8> {
        if !self.is_empty() {
            if !text.ends_with(b"\n") && !text.is_empty() {
                text.push(b'\n');
            }
            text.extend_from_slice(self.note(recall).as_bytes());
        }
        text
    }
}

/// Appends the note on a line of its own, with a newline behind it if the output ended with one.
pub fn add_note(output: &mut Vec<u8>, note: &str) {
    if output.ends_with(b"\n") {
        output.extend_from_slice(note.as_bytes());
    } else {
        output.push(b'\n');
        output.extend_from_slice(note.trim_end().as_bytes());
    }
}

/// In words, as the output says it: `12 null/empty, 1 base64`.
impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.empties, "null/empty"),
            (self.base64, "base64"),
            (self.duplicates, "duplicate values"),
            (self.timestamps, "epoch stamps"),
            (self.lines, "lines"),
            (self.states, "states of progress"),
        ];
        let mut separator = "";
        for (count, what) in parts.into_iter().filter(|(count, _)| *count > 0) {
            write!(f, "{separator}{count} {what}")?;
            separator = ", ";
        }
        if self.of_report.lines > 0 {
            write!(f, "{separator}{}", self.of_report)?;
        }
        Ok(())
    }
}

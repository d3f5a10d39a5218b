//! Names the kinds of a report's lines that are not told: a bare number makes a reader ask for the original.

use std::fmt;

/// Why lines of a report are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Headings, progress, versions.
    Heading,
    /// Tests that passed, which the totals count.
    Passing,
    /// Another line says the same.
    Repeat,
    /// The project's source, as the tool showed it.
    Source,
    /// Notes of findings that are told without them.
    Note,
    /// Frames of libraries.
    Frame,
    /// A mark (`… lines 40-92`) stands in their place.
    Marked,
    /// There was no room.
    Detail,
}

const WORDS: [(Omission, &str); 8] = [
    (Omission::Heading, "headings and progress"),
    (Omission::Passing, "passing tests"),
    (Omission::Repeat, "repeats"),
    (Omission::Source, "source excerpts"),
    (Omission::Note, "notes"),
    (Omission::Frame, "library frames"),
    (Omission::Marked, "lines marked …"),
    (Omission::Detail, "details"),
];

/// Lines that are not told: how many, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of lines.
    pub lines: usize,
    /// A bit for each row of [`WORDS`] that applies.
    reasons: u8,
}

impl LeftOut {
    /// Adds `lines` lines that are left out because of `why`.
    pub fn add(&mut self, why: Omission, lines: usize) {
        if lines > 0 {
            self.lines += lines;
            self.reasons |= 1 << why as u8;
        }
    }

    /// Adds all lines and reasons of `other`.
    pub const fn join(&mut self, other: Self) {
        self.lines += other.lines;
        self.reasons |= other.reasons;
    }
}

/// `only headings and progress, source excerpts`.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "only ";
        for (why, words) in WORDS {
            if self.reasons & 1 << why as u8 != 0 {
                write!(f, "{separator}{words}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

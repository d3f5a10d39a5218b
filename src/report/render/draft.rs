//! A digest as it is written: lines, marks and names for what is left out, values cut in their middle.

use std::fmt;

use super::super::maps::HashSet;
use super::super::record::{Part, Place, Said};
use super::names::Names;
use crate::marks::{self, QUOTE};

/// Why lines of a report are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    Heading,
    Passing,
    Repeat,
    Source,
    Note,
    Frame,
    /// A mark (`… lines 40-92`) stands in their place.
    Marked,
    /// There was no room.
    Detail,
}

/// In the order of [`Omission`]. Named rather than counted: a bare number makes a reader ask for the original.
const WORDS: [&str; 8] = [
    "headings and progress",
    "passing tests",
    "what is said twice",
    "source excerpts",
    "notes",
    "library frames",
    "lines marked …",
    "details",
];

/// Lines that are not told: how many, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
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

    /// Whether marks stand in the place of some.
    pub const fn has_gaps(self) -> bool {
        self.reasons & 1 << Omission::Marked as u8 != 0
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
        for (why, words) in WORDS.iter().enumerate() {
            if self.reasons & 1 << why != 0 {
                write!(f, "{separator}{words}")?;
                separator = ", ";
            }
        }
        Ok(())
    }
}

/// How much of each kind of content is told, in lines; the first row of [`DETAILS`] that fits is taken.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    pub reason: usize,
    /// Of a statement or a source excerpt.
    pub source: usize,
    /// Findings of a group, other than errors, that are told each with its line at fault; also lines of such a
    /// finding's source.
    pub at_fault: usize,
    /// Of a difference.
    pub values: usize,
    /// Of the project.
    pub frames: usize,
    pub captured: usize,
    /// Places (or ids) of a group.
    pub places: usize,
    /// Characters of a line.
    pub width: usize,
    /// Of a run of lines that are no record.
    pub kept: usize,
}

impl Detail {
    /// Whether a test is told in one line.
    pub const fn is_lean(&self) -> bool {
        self.reason == 1
    }
}

const ALL: usize = usize::MAX;
const FULLEST: Detail = Detail {
    reason: 40,
    source: 20,
    at_fault: 12,
    values: 12,
    frames: 6,
    captured: 4,
    places: ALL,
    width: 1200,
    kept: ALL,
};
/// Where there is room: all that a program printed may be the reason.
pub const ROOMY: Detail = Detail { reason: 160, values: 60, captured: 40, ..FULLEST };
/// Reasons and statements alone.
const BRIEF: Detail = Detail { at_fault: 0, values: 0, frames: 0, captured: 0, ..FULLEST };

/// From everything to the first words of each group.
pub const DETAILS: [Detail; 6] = [
    FULLEST,
    Detail { reason: 12, source: 8, values: 4, frames: 2, width: 300, kept: 60, ..BRIEF },
    Detail { reason: 4, source: 2, width: 200, kept: 24, ..BRIEF },
    Detail { reason: 1, source: 0, width: 200, kept: 24, ..BRIEF },
    Detail { reason: 1, source: 1, places: 40, width: 160, kept: 12, ..BRIEF },
    Detail { reason: 1, source: 0, places: 5, width: 120, kept: 6, ..BRIEF },
];

/// The parts that are told whole, by their addresses.
pub type Whole = HashSet<*const Part<'static>>;

/// A part's identity as long as its report lives.
pub fn address(part: &Part<'_>) -> *const Part<'static> {
    std::ptr::from_ref(part).cast()
}

/// Indentation of what belongs to a record.
pub const INDENT: usize = 2;

/// A digest as it grows.
#[derive(Debug, Default)]
pub struct Draft<'t> {
    pub detail: Detail,
    pub text: String,
    pub left_out: LeftOut,
    /// Whether a group was told without some of its ids or places.
    pub lacks_places: bool,
    /// Bytes of the text that tell places.
    pub places: usize,
    /// Bytes beyond which nothing more needs to be written.
    pub most: usize,
    /// The column that all findings of the group share, told once.
    pub column: Option<u32>,
    /// Of long texts that come again.
    pub names: Names<'t>,
    pub whole: Whole,
}

impl Draft<'_> {
    /// Whether the text is longer than its room. Bytes are counted, of which a text never has fewer than characters,
    /// since this is asked for every group.
    pub fn is_full(&self) -> bool {
        self.text.len() > self.most
    }

    /// Writes a line, cut in its middle beyond `width` characters.
    pub fn line(&mut self, indent: usize, text: &str, width: usize) {
        let text = text.trim_end();
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.words(text, width);
        self.text.push('\n');
    }

    /// Writes a line of the tool's, with a mark in front if a reader could take it for one of toto's.
    pub fn own(&mut self, indent: usize, text: &str, width: usize) {
        let quote = if marks::is_ours(text.as_bytes()) { QUOTE } else { "" };
        self.line(indent, &format!("{quote}{text}"), width);
    }

    /// Writes words without an end of line, cut in their middle beyond `width` characters.
    pub fn words(&mut self, text: &str, width: usize) {
        let length = if text.len() > width { text.chars().count() } else { 0 };
        if length <= width {
            self.text.push_str(text);
            return;
        }
        let at = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let (head, tail) = (at(width * 2 / 3), at(length - width / 4));
        // Words are whole, but for one that is longer than what is left beside it.
        let head = text[..head].rfind(' ').filter(|blank| *blank > head / 2).unwrap_or(head);
        let tail = text[tail..].find(' ').map_or(tail, |blank| tail + blank);
        let between = text[head..tail].chars().count();
        self.text.push_str(&text[..head]);
        self.text.push_str(&format!("… {between} characters …"));
        self.text.push_str(&text[tail..]);
    }

    /// Writes the first `most` lines, then a mark with the numbers of the others; no mark if `most` is 0.
    pub fn lines(&mut self, indent: usize, said: &[Said<'_>], most: usize, width: usize) {
        // A mark costs as much as a line.
        let shown = if most > 0 && said.len() <= most.saturating_add(2) { said.len() } else { most };
        for said in &said[..shown] {
            self.own(indent, said.text, width);
        }
        if most == 0 {
            self.left_out.add(Omission::Detail, said.len());
        } else {
            self.mark_left_out(indent, &said[shown..], "");
        }
    }

    /// Writes `… 12 more`, for ids and places of a group that are not told.
    pub fn mark_more(&mut self, indent: usize, count: usize, what: &str) {
        if count > 0 {
            self.lacks_places = true;
            self.line(indent, &format!("… {count} more{what}"), usize::MAX);
        }
    }

    /// Writes `… lines 40-92`, for lines that are not told.
    pub fn mark_left_out(&mut self, indent: usize, said: &[Said<'_>], what: &str) {
        let (Some(first), Some(last)) = (said.first(), said.last()) else { return };
        self.left_out.add(Omission::Marked, said.len());
        let comma = if what.is_empty() { "" } else { ", " };
        let lines = match (first.number, last.number) {
            (first, last) if first == last => format!("line {first}"),
            (first, last) => format!("lines {first}-{last}"),
        };
        self.line(indent, &format!("… {what}{comma}{lines}"), usize::MAX);
    }
}

/// Whether two blocks of lines have the same words, whatever their numbers and indentation.
pub fn same_lines(one: &[Said<'_>], other: &[Said<'_>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.text.trim() == b.text.trim())
}

/// Whether a line that a test printed begins as a digest tells tests, or as what changed.
pub fn is_own(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line[digits..].starts_with("× ") && digits > 0
        || line.contains(" failed → ")
        || ["FAILED ", "ERROR ", "skipped:", "failed as expected:"].iter().any(|word| line.starts_with(word))
}

/// Whether a line has nothing but blanks, dashes, underscores and equals signs.
pub fn is_rule(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || "-=_─━═".contains(c))
}

/// `src/a.rs:12:5`.
pub fn place(place: Place<'_>) -> String {
    match (place.line, place.column) {
        (0, _) => place.file.to_owned(),
        (line, None) => format!("{}:{line}", place.file),
        (line, Some(column)) => format!("{}:{line}:{column}", place.file),
    }
}

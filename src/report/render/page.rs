//! The page that a digest is written on: lines, marks for what is left out, values cut in their middle.

use super::super::record::{Place, Said};
use super::omission::{LeftOut, Omission};

/// How much of each kind of content is told; the first row of [`DETAILS`] that fits is taken.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// Lines of a reason.
    pub reason: usize,
    /// Lines of a statement or a source excerpt.
    pub source: usize,
    /// Findings of a group, other than errors, that are told each with its line at fault; also lines of such a
    /// finding's source.
    pub at_fault: usize,
    /// Lines of a difference.
    pub values: usize,
    /// Frames of the project.
    pub frames: usize,
    /// Lines of captured output.
    pub captured: usize,
    /// Places (or ids) of a group.
    pub places: usize,
    /// Characters of a line.
    pub width: usize,
    /// Lines of a run of lines that are no record.
    pub kept: usize,
}

/// From everything to the first words of each group.
pub const DETAILS: &[Detail] = &[
    Detail {
        reason: 40,
        source: 20,
        at_fault: 12,
        values: 12,
        frames: 6,
        captured: 4,
        places: usize::MAX,
        width: 600,
        kept: usize::MAX,
    },
    Detail {
        reason: 12,
        source: 8,
        at_fault: 0,
        values: 4,
        frames: 2,
        captured: 0,
        places: usize::MAX,
        width: 300,
        kept: 60,
    },
    Detail {
        reason: 4,
        source: 2,
        at_fault: 0,
        values: 0,
        frames: 0,
        captured: 0,
        places: usize::MAX,
        width: 200,
        kept: 24,
    },
    Detail {
        reason: 1,
        source: 1,
        at_fault: 0,
        values: 0,
        frames: 0,
        captured: 0,
        places: 40,
        width: 160,
        kept: 12,
    },
    Detail {
        reason: 1,
        source: 0,
        at_fault: 0,
        values: 0,
        frames: 0,
        captured: 0,
        places: 5,
        width: 120,
        kept: 6,
    },
];

/// A digest as it grows.
#[derive(Debug, Default)]
pub struct Page {
    /// The text so far.
    pub text: String,
    /// Lines of the original that are not told.
    pub left_out: LeftOut,
    /// Whether a group was told without some of its ids or places.
    pub lacks_places: bool,
    /// Bytes of the text that tell places.
    pub places: usize,
    /// Bytes beyond which nothing more needs to be written.
    pub most: usize,
}

impl Page {
    /// Whether the text is longer than its room.
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

    /// Writes words without an end of line, cut in their middle beyond `width` characters.
    pub fn words(&mut self, text: &str, width: usize) {
        let length = if text.len() > width { text.chars().count() } else { 0 };
        if length <= width {
            self.text.push_str(text);
            return;
        }
        let (head, tail) = (width * 2 / 3, width / 4);
        let at = |count: usize| text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let (head, tail) = (at(head), at(length - tail));
        let between = text[head..tail].chars().count();
        self.text.push_str(&text[..head]);
        self.text.push_str(&format!("… {between} characters …"));
        self.text.push_str(&text[tail..]);
    }

    /// Writes the first `most` lines, then a mark with the numbers of the others; no mark if `most` is 0.
    pub fn lines(&mut self, indent: usize, said: &[Said<'_>], most: usize, width: usize) {
        // A mark costs as much as a line.
        let shown = if most > 0 && said.len() <= most.saturating_add(1) { said.len() } else { most };
        for said in &said[..shown] {
            self.line(indent, said.text, width);
        }
        if most == 0 {
            self.left_out.add(Omission::Detail, said.len());
            return;
        }
        self.mark_left_out(indent, &said[shown..], "");
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
        let what = if what.is_empty() { String::new() } else { format!("{what}, ") };
        let mark = if first.number == last.number {
            format!("… {what}line {}", first.number)
        } else {
            format!("… {what}lines {}-{}", first.number, last.number)
        };
        self.line(indent, &mark, usize::MAX);
    }
}

/// Whether two blocks of lines have the same words, whatever their numbers and indentation.
pub fn say_same(one: &[Said<'_>], other: &[Said<'_>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.text.trim() == b.text.trim())
}

/// `src/a.rs:12:5`.
pub fn place(place: Place<'_>) -> String {
    match (place.line, place.column) {
        (0, _) => place.file.to_owned(),
        (line, None) => format!("{}:{line}", place.file),
        (line, Some(column)) => format!("{}:{line}:{column}", place.file),
    }
}

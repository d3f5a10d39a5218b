//! A text as lines, each of which can be removed or replaced by a mark.

use std::borrow::Cow;

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::pattern::ours;

pub use crate::marks::MARK;

/// The result of a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The text for the reader.
    pub text: Vec<u8>,
    /// Number of lines, and of runs of base64, of the input that cannot be read back from the text.
    pub left_out: usize,
    /// How many of these lines a mark counts (`… 14 compiled files`).
    pub counted: usize,
    /// The filter that was used.
    pub filter: Option<FilterName>,
}

/// A filter, as receipts and the ledger name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterName {
    /// The library's filter of this name.
    Library(&'static str),
    /// The user's own filter in this file.
    Own(String),
}

/// The lines of a text. A [`Cut`] removes lines, and may leave a mark with their count.
#[derive(Debug)]
pub struct Lines<'a> {
    pub(crate) all: Vec<Line<'a>>,
    ends_in_newline: bool,
    /// As in [`Filtered`].
    pub(crate) left_out: usize,
    pub(crate) counted: usize,
}

/// A line without its newline.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Line<'a> {
    pub text: Cow<'a, [u8]>,
    /// Whether the text is not the tool's, and has no mark yet.
    pub rewritten: bool,
}

impl<'a, T: Into<Cow<'a, [u8]>>> From<T> for Line<'a> {
    fn from(text: T) -> Self {
        Self { text: text.into(), rewritten: false }
    }
}

impl<'a> Lines<'a> {
    /// Splits a text into lines; `\n` ends a line, and may be missing at the end of the last line.
    pub fn new(text: &'a [u8]) -> Self {
        let all = lines_of(text).map(Line::from).collect();
        Self { all, ends_in_newline: text.ends_with(b"\n"), left_out: 0, counted: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The line at `at`, without its newline.
    pub fn get(&self, at: usize) -> &[u8] {
        &self.all[at].text
    }

    /// Every line, without its newline.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.all.iter().map(|line| line.text.as_ref())
    }

    /// Replaces the line at `at`.
    pub fn set(&mut self, at: usize, text: Vec<u8>) {
        self.all[at] = text.into();
    }

    /// Applies cuts as [`Lines::cut`] does. Their lines count as left out.
    pub fn cut_out(&mut self, cuts: Vec<Cut>) {
        self.left_out += cuts.iter().map(|cut| cut.end - cut.start).sum::<usize>();
        self.cut(cuts);
    }

    /// Applies cuts, which are in ascending order and do not overlap.
    pub fn cut(&mut self, edits: Vec<Cut>) {
        if edits.is_empty() {
            return;
        }
        let mut kept = Vec::with_capacity(self.all.len());
        let mut next = 0;
        for cut in edits {
            kept.extend(self.all[next..cut.start].iter_mut().map(std::mem::take));
            kept.extend(cut.mark.map(|mark| Line::from(mark.into_bytes())));
            next = cut.end;
        }
        kept.extend(self.all[next..].iter_mut().map(std::mem::take));
        self.all = kept;
    }

    /// The text that is left, or `None` where it equals `original`.
    pub fn finish(self, original: &[u8]) -> Option<Filtered> {
        let mut text = Vec::with_capacity(original.len());
        for line in self.iter() {
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        if !self.ends_in_newline {
            text.pop();
        }
        let Self { left_out, counted, .. } = self;
        let counted = counted.min(left_out);
        (text != original).then_some(Filtered { text, left_out, counted, filter: None })
    }
}

/// The lines of a text, without their newlines.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    let last = (!text.is_empty()).then_some(body.len());
    let mut start = 0;
    memchr::memchr_iter(b'\n', body)
        .chain(last)
        .map(move |end| &body[std::mem::replace(&mut start, end + 1)..end])
}

/// Lines to remove, and the mark in their place.
#[derive(Debug)]
pub struct Cut {
    /// Index of the first line to remove.
    pub start: usize,
    /// Index of the first line behind them that stays.
    pub end: usize,
    /// The mark in their place, if any.
    pub mark: Option<String>,
}

impl Cut {
    /// Removes one line, without a mark.
    pub fn line(at: usize) -> Self {
        Self { start: at, end: at + 1, mark: None }
    }

    /// Replaces lines by a mark with a count: `… 212 passing tests`.
    pub fn counted(start: usize, end: usize, count: usize, what: &str) -> Self {
        Self { start, end, mark: Some(mark(count, what)) }
    }
}

/// A mark with a count: `… 212 passing tests`.
pub fn mark(count: usize, what: &str) -> String {
    format!("{MARK}{count} {what}")
}

/// Whether a line is a mark and not the tool's.
pub fn is_mark(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(MARK.as_bytes())
}

/// Whether a filter has written this line: it is a mark, or a line of the tool with a part replaced by its length
/// (`… 96 more chars`, `<base64 320 chars>`). Rules skip such a line.
pub fn is_settled(line: &[u8]) -> bool {
    static SHORTENED: Lazy<Regex> = Lazy::new(|| ours("(?:… |<base64 )[0-9]+ (?:more chars$|chars>)"));
    is_mark(line) || SHORTENED.is_match(line)
}

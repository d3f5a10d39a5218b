//! Pieces of text put in and taken out. All positions are those of the old text.

use std::ops::Range;

/// A byte range of the old text, and the text in its place.
pub type Splice = (Range<usize>, String);

/// The text with all splices applied, which are in order and do not overlap.
pub fn apply(text: &str, splices: &[Splice]) -> String {
    let mut new = text.to_owned();
    splices.iter().rev().for_each(|(range, replacement)| new.replace_range(range.clone(), replacement));
    new
}

/// The line end of the text's first line.
pub fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The start of the blanks in front of `end`; where line breaks are among them, the last one.
pub fn blank_before(text: &str, end: usize) -> usize {
    let run = text[..end].trim_end_matches([' ', '\t', '\r', '\n']).len();
    match text[run..end].rfind('\n') {
        Some(at) if text[run..run + at].ends_with('\r') => run + at - 1,
        Some(at) => run + at,
        None => run,
    }
}

/// The start of the text, behind the byte-order mark.
pub fn top(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

//! A text as lines that may go, one by one, with a mark in the place of what went.

use std::borrow::Cow;

/// What every mark begins with.
const MARK: &str = "… ";

/// The lines of a text. A line goes by being replaced: by nothing, or by a mark that counts what went.
#[derive(Debug)]
pub struct Lines<'a> {
    all: Vec<Cow<'a, [u8]>>,
    ends_in_newline: bool,
    left_out: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text; `\n` ends a line, the last one may be without.
    pub fn new(text: &'a [u8]) -> Self {
        let ends_in_newline = text.ends_with(b"\n");
        let body = text.strip_suffix(b"\n").unwrap_or(text);
        let mut lines = Vec::new();
        if !text.is_empty() {
            let mut start = 0;
            for end in memchr::memchr_iter(b'\n', body) {
                lines.push(Cow::Borrowed(&body[start..end]));
                start = end + 1;
            }
            lines.push(Cow::Borrowed(&body[start..]));
        }
        Self { all: lines, ends_in_newline, left_out: 0 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The line at `at`, without its newline.
    pub fn get(&self, at: usize) -> &[u8] {
        &self.all[at]
    }

    /// Every line, without its newline.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.all.iter().map(AsRef::as_ref)
    }

    /// Sets another text for the line at `at`.
    pub fn set(&mut self, at: usize, text: Vec<u8>) {
        self.all[at] = Cow::Owned(text);
    }

    /// Counts input lines as left out.
    pub fn leave_out(&mut self, count: usize) {
        self.left_out += count;
    }

    /// Keeps the lines that `edits` leave, which come in rising order and do not overlap.
    pub fn cut(&mut self, edits: Vec<Cut>) {
        if edits.is_empty() {
            return;
        }
        let mut kept = Vec::with_capacity(self.all.len());
        let mut next = 0;
        for cut in edits {
            kept.extend(self.all[next..cut.start].iter_mut().map(std::mem::take));
            kept.extend(cut.mark.map(|mark| Cow::Owned(mark.into_bytes())));
            next = cut.end;
        }
        kept.extend(self.all[next..].iter_mut().map(std::mem::take));
        self.all = kept;
    }

    /// The text that is left, or `None` where it is `original`.
    pub fn finish(self, original: &[u8]) -> Option<super::Filtered> {
        let mut text = self.all.join(&b'\n');
        if self.ends_in_newline && !self.all.is_empty() {
            text.push(b'\n');
        }
        (text != original).then_some(super::Filtered { text, left_out: self.left_out })
    }
}

/// Lines that go, and what stands in their place.
#[derive(Debug)]
pub struct Cut {
    /// The first line that goes.
    pub start: usize,
    /// The first that stays.
    pub end: usize,
    /// The mark in their place.
    pub mark: Option<String>,
}

impl Cut {
    /// A mark that counts what went: `… 212 passing tests`.
    pub fn counted(start: usize, end: usize, count: usize, what: &str) -> Self {
        Self { start, end, mark: Some(mark(count, what)) }
    }
}

/// `… 212 passing tests`.
pub fn mark(count: usize, what: &str) -> String {
    format!("{MARK}{count} {what}")
}

/// Whether a line is a mark and not the tool's.
pub fn is_mark(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(MARK.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_as_it_was() {
        for text in ["", "a", "a\n", "\n", "a\n\nb", "\n\n", "a\r\nb\r\n"] {
            assert_eq!(Lines::new(text.as_bytes()).finish(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(Lines::new(b"a\nb\n").len(), 2);
    }

    #[test]
    fn what_goes_is_marked() {
        let mut lines = Lines::new(b"a\nb\nc\nd\n");
        lines.cut(vec![Cut::counted(1, 3, 2, "letters"), Cut { start: 3, end: 4, mark: None }]);
        lines.leave_out(3);
        let filtered = lines.finish(b"a\nb\nc\nd\n").unwrap();
        assert_eq!(filtered.text, "a\n… 2 letters\n".as_bytes());
        assert_eq!(filtered.left_out, 3);
        assert!(is_mark("… 2 letters".as_bytes()) && !is_mark(b"..."));
    }
}

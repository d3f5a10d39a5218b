//! A text as lines that may go, one by one, with a mark in the place of what went.

use std::borrow::Cow;

/// What every mark begins with.
pub const MARK: &str = "… ";

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filtered {
    /// The text for the reader.
    pub text: Vec<u8>,
    /// Input lines that cannot be read back from it.
    pub left_out: usize,
    /// The filter whose rules were used, by its name, or by its path if it is the user's.
    pub filter: Option<String>,
}

impl Filtered {
    /// Whether a filter of the user's own did it, which is named by its path.
    pub fn is_own(&self) -> bool {
        self.filter.as_ref().is_some_and(|name| name.contains('/'))
    }
}

/// The lines of a text. A line goes by being replaced: by nothing, or by a mark that counts what went.
#[derive(Debug)]
pub struct Lines<'a> {
    all: Vec<Cow<'a, [u8]>>,
    /// Which of them were written anew; empty where none was.
    rewritten: Vec<bool>,
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
        Self { all: lines, rewritten: Vec::new(), ends_in_newline, left_out: 0 }
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

    /// Sets a text that is none of the tool's for the line at `at`: see [`Lines::take_rewritten`].
    pub fn set_rewritten(&mut self, at: usize, text: Vec<u8>) {
        self.set(at, text);
        self.rewritten.resize(self.all.len(), false);
        self.rewritten[at] = true;
    }

    /// Where lines that were written anew stand; from now on they are as any other.
    pub fn take_rewritten(&mut self) -> Vec<usize> {
        let rewritten = std::mem::take(&mut self.rewritten);
        rewritten.iter().enumerate().filter(|(_, rewritten)| **rewritten).map(|(at, _)| at).collect()
    }

    /// Puts other lines in place of all, and counts of the input `left_out` as left out.
    pub fn replace_all(&mut self, lines: Vec<Cow<'a, [u8]>>, left_out: usize) {
        self.all = lines;
        self.rewritten = Vec::new();
        self.left_out = left_out;
    }

    /// Puts other lines in place of all; of each whether it was written anew.
    pub fn replace_lines(&mut self, lines: Vec<(Vec<u8>, bool)>) {
        let (lines, rewritten): (Vec<_>, Vec<_>) = lines.into_iter().unzip();
        (self.all, self.rewritten) = (lines.into_iter().map(Cow::Owned).collect(), rewritten);
    }

    /// Whether a line was written anew and is not marked yet.
    pub fn is_rewritten(&self, at: usize) -> bool {
        self.rewritten.get(at).is_some_and(|rewritten| *rewritten)
    }

    /// Puts a line in front of the others.
    pub fn insert_first(&mut self, line: Vec<u8>) {
        self.all.insert(0, Cow::Owned(line));
    }

    /// Puts a line behind the others.
    pub fn push(&mut self, line: Vec<u8>) {
        self.all.push(Cow::Owned(line));
    }

    /// Whether they are those of `text`.
    pub fn is(&self, text: &[u8]) -> bool {
        let original = Lines::new(text);
        self.all == original.all
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
        if !self.rewritten.is_empty() {
            self.rewritten.resize(self.all.len(), false);
            self.rewritten = cut_flags(&self.rewritten, &edits);
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
    pub fn finish(self, original: &[u8]) -> Option<Filtered> {
        let mut text = self.all.join(&b'\n');
        if self.ends_in_newline && !self.all.is_empty() {
            text.push(b'\n');
        }
        (text != original).then_some(Filtered { text, left_out: self.left_out, filter: None })
    }
}

/// The lines of a text, without their newlines.
pub fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    body.split(|byte| *byte == b'\n').take(if text.is_empty() { 0 } else { usize::MAX })
}

fn cut_flags(flags: &[bool], edits: &[Cut]) -> Vec<bool> {
    let (mut kept, mut next) = (Vec::with_capacity(flags.len()), 0);
    for cut in edits {
        kept.extend_from_slice(&flags[next..cut.start]);
        kept.extend(cut.mark.iter().map(|_| false));
        next = cut.end;
    }
    kept.extend_from_slice(&flags[next..]);
    kept
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
    /// One line that goes, without a mark.
    pub fn line(at: usize) -> Self {
        Self { start: at, end: at + 1, mark: None }
    }

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

/// Whether a line is as a filter leaves it: a mark, or one of the tool's with a part named (`… 96 more chars`,
/// `<base64 320 chars>`). No rule looks at it again.
pub fn is_settled(line: &[u8]) -> bool {
    let named = |end: &[u8]| {
        let digits = end.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0
            && [MARK.as_bytes(), b"<base64 "].iter().any(|start| end[..end.len() - digits].ends_with(start))
    };
    is_mark(line)
        || line.strip_suffix(b" more chars").is_some_and(named)
        || memchr::memmem::find_iter(line, b" chars>").any(|at| named(&line[..at]))
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

//! The lines of a text.

#[derive(Clone, Copy)]
pub struct Line<'a> {
    /// The line without its end, and without blanks there.
    pub text: &'a str,
    pub start: usize,
    /// The offset behind its end.
    pub next: usize,
}

impl<'a> Line<'a> {
    /// The line that begins at `start`; `None` behind the last one.
    pub fn at(text: &'a str, start: usize) -> Option<Self> {
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let (line, next) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(newline) => (&rest[..newline], start + newline + 1),
            None => (rest, text.len()),
        };
        Some(Self { text: line.trim_end_matches(' '), start, next })
    }

    pub fn all(text: &'a str, start: usize) -> impl Iterator<Item = Self> {
        std::iter::successors(Self::at(text, start), |line| Self::at(text, line.next))
    }
}

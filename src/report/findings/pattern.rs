//! Patterns of lines that are no findings: totals, headings. `#` stands for a number, `*` for anything; `\\` makes the
//! sign behind it a literal one. Behind `*` stands a literal, or nothing.

use super::super::record::{Dropped, Total};
use super::super::section::Section;

/// Whether a line matches a pattern from its start to its end.
pub fn is_like(line: &str, pattern: &str) -> bool {
    if let Some(literal) = pattern.strip_prefix('\\') {
        let sign = literal.chars().next().map_or(0, char::len_utf8);
        return line.strip_prefix(&literal[..sign]).is_some_and(|rest| is_like(rest, &literal[sign..]));
    }
    let Some(at) = pattern.find(['#', '*']) else { return line == pattern };
    let Some(rest) = line.strip_prefix(&pattern[..at]) else { return false };
    let (sign, behind) = (pattern.as_bytes()[at], &pattern[at + 1..]);
    if sign == b'#' {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len());
        return end > 0 && is_like(&rest[end..], behind);
    }
    let next = behind.find(['#', '*']).unwrap_or(behind.len());
    if next == behind.len() {
        return rest.ends_with(behind);
    }
    // The first match is enough for the patterns here, whose literals are words of the tool's.
    rest.find(&behind[..next]).is_some_and(|at| is_like(&rest[at..], behind))
}

/// Whether a line matches one of the patterns.
pub fn is_like_any(line: &str, patterns: &[&str]) -> bool {
    // Most lines match none, and their last byte says so.
    let may_end =
        |pattern: &str| pattern.ends_with(['*', '#']) || pattern.bytes().last() == line.bytes().last();
    patterns.iter().any(|pattern| may_end(pattern) && is_like(line, pattern))
}

/// Whether a line that begins with this byte may match the pattern.
fn may_begin(pattern: &str, first: u8) -> bool {
    match pattern.as_bytes() {
        [b'#', ..] => first.is_ascii_digit() || first == b',',
        [b'*', ..] | [] => true,
        [b'\\', sign, ..] | [sign, ..] => *sign == first,
    }
}

impl Section<'_> {
    /// The lines that match one of the patterns and belong to no record yet. Most lines match none, and their first
    /// byte says so.
    fn like(&self, patterns: &[&str]) -> Vec<usize> {
        let begins = std::array::from_fn::<_, 256, _>(|first| {
            patterns.iter().any(|pattern| may_begin(pattern, first as u8))
        });
        let is_like = |at: &usize| {
            let line = self.text(*at).trim_start();
            line.bytes().next().is_some_and(|first| begins[usize::from(first)])
                && self.is_free(*at)
                && is_like_any(line.trim_end(), patterns)
        };
        (0..self.lines.len()).filter(is_like).collect()
    }

    /// Adds lines that match the patterns as totals; lines that follow one another become one total.
    pub fn totals(&mut self, patterns: &[&str]) {
        self.add_totals(patterns, false);
    }

    /// Does the same; `is_closing` totals are told behind what they sum up.
    pub fn add_totals(&mut self, patterns: &[&str], is_closing: bool) {
        for run in self.like(patterns).chunk_by(|at, next| at + 1 == *next) {
            let said: Vec<_> = run.iter().map(|at| self.quote(*at, self.text(*at).trim())).collect();
            self.add(run[0]..run[0] + run.len(), Total { is_closing, ..Total::of(said) });
        }
    }

    /// Drops lines that match the patterns as headings.
    pub fn headings(&mut self, patterns: &[&str]) {
        for at in self.like(patterns) {
            self.drop_lines(at..at + 1, Dropped::Heading);
        }
    }
}

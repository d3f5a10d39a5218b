//! Parts of a file by its lines, without holding the file: ranges and matches.

use std::collections::VecDeque;
use std::io::{BufRead, Write};

use regex::bytes::Regex;

use super::refusal::Refusal;
use crate::pipeline::scrub::scrub;
use crate::pipeline::visible::inert;

/// A longer line is read in parts of this many bytes.
const LONGEST_LINE: usize = 1 << 20;

/// Lines from the first to the last, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first.
    pub first: u64,
    /// The last; `u64::MAX`: to the end.
    pub last: u64,
}

impl Range {
    /// From the first line to the end.
    pub const ALL: Self = Self { first: 1, last: u64::MAX };
}

impl std::str::FromStr for Range {
    type Err = String;

    /// `A:B`, `A:`, `:B` or `A`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str, default: u64| match part {
            "" => Ok(default),
            part => part.parse().map_err(|_| format!("`{part}` is no line number")),
        };
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let (first, last) = (number(first, 1)?, number(last, u64::MAX)?);
        match () {
            () if first == 0 => Err("lines are counted from 1".into()),
            () if first > last => Err(format!("line {first} comes after line {last}")),
            () => Ok(Self { first, last }),
        }
    }
}

/// How lines are written.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// As they are, terminal control and all.
    pub raw: bool,
}

impl Style {
    fn write(self, out: &mut impl Write, line: &[u8]) -> std::io::Result<()> {
        if self.raw { out.write_all(line) } else { out.write_all(&inert(&scrub(line))) }
    }
}

/// Calls `each` with every line and its number, until that says no. Memory is bounded, whatever the input.
pub fn for_each(
    mut input: impl BufRead,
    mut each: impl FnMut(u64, &[u8]) -> std::io::Result<bool>,
) -> std::io::Result<()> {
    let (mut number, mut line) = (1, Vec::new());
    loop {
        line.clear();
        let taken = std::io::Read::take(&mut input, LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        if taken == 0 || !each(number, &line)? {
            return Ok(());
        }
        number += u64::from(line.ends_with(b"\n"));
    }
}

/// Writes a range of lines. Returns how many lines there are up to its end.
pub fn write_range(
    input: impl BufRead,
    range: Range,
    style: Style,
    out: &mut impl Write,
) -> std::io::Result<u64> {
    let mut seen = 0;
    for_each(input, |number, line| {
        if number > range.last {
            return Ok(false);
        }
        seen = number;
        if number >= range.first {
            style.write(out, line)?;
        }
        Ok(true)
    })?;
    Ok(seen)
}

/// Writes the lines that match, with their numbers and `context` lines around them. Returns how many match.
pub fn write_matches(
    input: impl BufRead,
    pattern: &Regex,
    context: usize,
    style: Style,
    out: &mut impl Write,
) -> std::io::Result<u64> {
    let mut before: VecDeque<(u64, Vec<u8>)> = VecDeque::new();
    let (mut matches, mut after, mut last_written) = (0, 0, 0);
    for_each(input, |number, line| {
        let is_match = pattern.is_match(line.strip_suffix(b"\n").unwrap_or(line));
        if is_match {
            matches += 1;
            let first = before.front().map_or(number, |(first, _)| *first);
            if last_written > 0 && first > last_written + 1 {
                out.write_all(b"--\n")?;
            }
            for (number, line) in before.drain(..) {
                write_numbered(out, number, '-', &line, style)?;
            }
        }
        if is_match || after > 0 {
            after = if is_match { context } else { after - 1 };
            write_numbered(out, number, if is_match { ':' } else { '-' }, line, style)?;
            last_written = number;
        } else if context > 0 {
            if before.len() == context {
                before.pop_front();
            }
            before.push_back((number, line.to_vec()));
        }
        Ok(true)
    })?;
    Ok(matches)
}

fn write_numbered(
    out: &mut impl Write,
    number: u64,
    mark: char,
    line: &[u8],
    style: Style,
) -> std::io::Result<()> {
    write!(out, "{number}{mark}")?;
    style.write(out, line)?;
    if line.ends_with(b"\n") { Ok(()) } else { out.write_all(b"\n") }
}

/// A pattern, or one line that says what is wrong with it.
pub fn pattern(text: &str) -> anyhow::Result<Regex> {
    Regex::new(text).map_err(|error| {
        // The parser draws where; its last line says what.
        let what = error.to_string();
        let what = what.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        Refusal::bad(format!("`{text}` is no regular expression: {what}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"one\ntwo\n\x1b[1mthree\x1b[0m\nfour\nfive\nsix";

    fn range(text: &str) -> String {
        let mut out = Vec::new();
        write_range(TEXT, text.parse().unwrap(), Style { raw: false }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ranges() {
        assert_eq!(range("2:3"), "two\nthree\n");
        assert_eq!(range("5:"), "five\nsix");
        assert_eq!(range(":1"), "one\n");
        assert_eq!(range("4"), "four\n");
        assert_eq!("9:3".parse::<Range>().unwrap_err(), "line 9 comes after line 3");
        assert!("0:3".parse::<Range>().is_err() && "a:b".parse::<Range>().is_err());
    }

    #[test]
    fn matches_come_with_their_numbers_and_context() {
        let find = |text, context| {
            let mut out = Vec::new();
            let pattern = pattern(text).unwrap();
            let found = write_matches(TEXT, &pattern, context, Style { raw: false }, &mut out).unwrap();
            (found, String::from_utf8(out).unwrap())
        };
        assert_eq!(find("t(wo|hree)", 0), (2, "2:two\n3:three\n".into()));
        assert_eq!(find("one|six$", 1), (2, "1:one\n2-two\n--\n5-five\n6:six\n".into()));
        assert!(
            pattern("(").unwrap_err().to_string().contains("`(` is no regular expression: unclosed group")
        );
    }
}

//! The lines that a recogniser reads: without the prefix that a runner of several tools adds, one section a tool.

use std::ops::Range;

use super::prefix;
use super::record::{Dropped, Kind, Part, Record, Said, What};

/// A line of the text.
#[derive(Clone, Copy, Debug)]
pub struct Line<'t> {
    /// Its number in the whole text, from 1.
    pub number: usize,
    /// The tool's own words, without a prefix and without a carriage return at the end.
    pub text: &'t str,
    /// The line as it came.
    pub raw: &'t str,
}

/// The lines of one tool.
#[derive(Debug, Default)]
pub struct Section<'t> {
    /// The prefix of its lines, if several tools wrote at once: `web:test`.
    pub name: &'t str,
    /// In their order.
    pub lines: Vec<Line<'t>>,
}

impl<'t> Section<'t> {
    /// The text of a line; empty behind the last line.
    pub fn text(&self, at: usize) -> &'t str {
        self.lines.get(at).map_or("", |line| line.text)
    }

    /// A part of a line's text, with the line's number.
    pub fn quote(&self, at: usize, text: &'t str) -> Said<'t> {
        Said { number: self.lines.get(at).map_or(0, |line| line.number), text }
    }

    /// A line's text, with its number.
    pub fn said(&self, at: usize) -> Said<'t> {
        self.quote(at, self.text(at))
    }

    /// Lines with their numbers, less their common indentation and blank lines at both ends.
    pub fn block(&self, lines: Range<usize>) -> Vec<Said<'t>> {
        let mut said: Vec<_> = lines.map(|at| self.said(at)).collect();
        dedent(&mut said);
        said
    }

    /// The first line from `at` on that is not blank, or the end.
    pub fn skip_blank(&self, at: usize) -> usize {
        (at..self.lines.len()).find(|at| !self.text(*at).trim().is_empty()).unwrap_or(self.lines.len())
    }

    /// The first line from `at` on, and before `end`, for which `holds` is true; else `end`.
    pub fn find(&self, at: usize, end: usize, holds: impl Fn(&str) -> bool) -> usize {
        (at..end).find(|at| holds(self.text(*at))).unwrap_or(end)
    }
}

/// Removes the indentation that all lines have, blanks behind them, and blank lines at both ends.
pub fn dedent(said: &mut Vec<Said<'_>>) {
    let filled = |line: &Said<'_>| !line.text.trim().is_empty();
    said.truncate(said.iter().rposition(filled).map_or(0, |last| last + 1));
    said.drain(..said.iter().position(filled).unwrap_or(0));
    let indent = said.iter().filter(|line| filled(line)).map(|line| indent(line.text)).min().unwrap_or(0);
    for line in said {
        line.text = line.text.get(indent..).unwrap_or("").trim_end();
    }
}

/// The parts that have lines, each as [`Section::block`] leaves it.
pub fn parts<'t>(all: impl IntoIterator<Item = (Kind, Vec<Said<'t>>)>) -> impl Iterator<Item = Part<'t>> {
    let part = |(kind, mut said)| {
        dedent(&mut said);
        Part::new(kind, said)
    };
    all.into_iter().map(part).filter(|part| !part.said.is_empty())
}

/// Number of blanks and tabs at the start.
pub fn indent(text: &str) -> usize {
    text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The records of a section, and which of its lines belong to none yet.
#[derive(Debug, Default)]
pub struct Records<'t> {
    /// In the order in which they were found.
    pub found: Vec<Record<'t>>,
    taken: Vec<bool>,
}

impl<'t> Records<'t> {
    /// No records yet, for a section of `lines` lines.
    pub fn new(lines: usize) -> Self {
        Self { found: Vec::new(), taken: vec![false; lines] }
    }

    /// Whether a line belongs to no record yet.
    pub fn is_free(&self, at: usize) -> bool {
        self.taken.get(at).is_some_and(|taken| !taken)
    }

    /// Adds a record of these lines. If one of them belongs to a record already, adds nothing and returns false.
    pub fn add(&mut self, lines: Range<usize>, what: impl Into<What<'t>>) -> bool {
        let Some(taken) = self.taken.get_mut(lines.clone()) else { return false };
        if lines.is_empty() || taken.iter().any(|taken| *taken) {
            return false;
        }
        taken.fill(true);
        self.found.push(Record { lines, what: what.into() });
        true
    }

    /// Drops those of the lines that belong to no record yet: they say nothing of their own. Lines right behind others
    /// of their kind join the record of these.
    pub fn drop_lines(&mut self, lines: Range<usize>, why: Dropped) {
        for at in lines {
            if let Some(Record { lines, what: What::Dropped(last) }) = self.found.last_mut()
                && lines.end == at
                && self.taken.get(at) == Some(&false)
                && let Some(both) = last.joined(why)
            {
                (*last, lines.end, self.taken[at]) = (both, at + 1, true);
            } else {
                self.add(at..at + 1, What::Dropped(why));
            }
        }
    }

    /// Drops the lines for which `holds` is true and that belong to no record yet: they say nothing of their own.
    pub fn drop_headings(&mut self, section: &Section<'t>, holds: impl Fn(&str) -> bool) {
        self.each_free(|records, at| {
            if holds(section.text(at)) {
                records.drop_lines(at..at + 1, Dropped::Heading);
            }
            None
        });
    }

    /// Calls `read` for every line that belongs to no record yet; `read` returns the line behind the record that it
    /// added.
    pub fn each_free(&mut self, mut read: impl FnMut(&mut Self, usize) -> Option<usize>) {
        let mut at = 0;
        while at < self.taken.len() {
            let end = if self.is_free(at) { read(self, at) } else { None };
            at = end.unwrap_or(at + 1);
        }
    }

    /// The lines of no record.
    pub fn kept(&self) -> impl Iterator<Item = usize> {
        self.taken.iter().enumerate().filter(|(_, taken)| !**taken).map(|(at, _)| at)
    }
}

/// The sections of a text, in the order of their first lines.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let lines = || {
        text.lines().enumerate().map(|(at, raw)| Line {
            number: at + 1,
            text: raw.trim_end_matches('\r'),
            raw,
        })
    };
    let Some(prefix) = prefix::find(text) else {
        let mut all = Vec::with_capacity(memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1);
        all.extend(lines());
        return vec![Section { name: "", lines: all }];
    };
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut places: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut at = 0;
    for line in lines() {
        let (name, rest) = prefix.strip(line.text).unwrap_or(("", line.text));
        // Most lines are of the same section as the one above.
        if sections.get(at).is_none_or(|section| section.name != name) {
            at = *places.entry(name).or_insert_with(|| {
                sections.push(Section { name, lines: Vec::new() });
                sections.len() - 1
            });
        }
        sections[at].lines.push(Line { text: rest, ..line });
    }
    sections
}

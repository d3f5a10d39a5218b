//! Tables printed as text (`kubectl get`, `docker ps`, psql, `ls -l`, logs), read as documents: a table is a list of
//! rows, a row an object of its cells.
//!
//! The evidence is in the text alone: in doubt a line stays text, and no value ever stands in another's column.

mod aligned;
mod drawn;
mod line;
mod listing;
mod log;
mod rows;
mod stamps;

pub use aligned::shown;
pub use rows::Heads;
use rows::Rows;

use super::tree::{Document, Id};

/// A text with the tables that are printed in it.
#[derive(Debug)]
pub struct Tables<'a> {
    /// A list of the tables, in order.
    pub document: Document<'a>,
    /// The columns of each table.
    pub heads: Heads,
    /// The lines of each table as they came.
    pub lines: Vec<&'a str>,
    /// The parts of the text, in order.
    pub parts: Vec<Part<'a>>,
}

/// Most bytes of text around a table that is looked at alone.
const AROUND: usize = 1000;

impl<'a> Tables<'a> {
    /// The table that the text is but for a few lines, alone; its lines as they came, and the text around it.
    pub fn only(mut self) -> Option<(Document<'a>, &'a str, String)> {
        let ([(table, _)], [lines]) = (&self.heads[..], &self.lines[..]) else { return None };
        let around =
            self.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(*text) } else { None });
        let around: String = around
            .flat_map(str::lines)
            .filter(|line| !line.is_empty())
            .map(|line| format!("{line}\n"))
            .collect();
        self.document.root = *table;
        (around.len() <= AROUND).then_some((self.document, *lines, around))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Whole lines that are no table, as they came.
    Text(&'a str),
    /// A table, a node of the document.
    Table(Id),
}

/// A reader of one kind of table: looks for a table in the lines that begin at `at`, adds its rows, and returns the
/// offset behind its last line; `None` where none begins there, whatever it added. Over all calls for one text a reader
/// may look at each byte a bounded number of times.
type Reader = for<'a> fn(text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize>;

/// In this order: the more certain kinds come first. Whether there is a log, the whole text tells.
const READERS: [Reader; 3] = [drawn::read, listing::read, aligned::read];

/// Reads the tables of a text; `None` if there is none.
pub fn read(text: &str) -> Option<Tables<'_>> {
    i32::try_from(text.len()).ok()?;
    let log = log::Log::of(text);
    let mut rows = Rows::new(text);
    let (mut lines, mut parts) = (Vec::new(), Vec::new());
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let found = (0..=READERS.len()).find_map(|reader| {
            let table = rows.begin_table();
            let end = match READERS.get(reader) {
                Some(read) => read(text, at, &mut rows),
                None => log.as_ref().and_then(|log| log.read(text, at, &mut rows)),
            };
            if end.is_none() {
                rows.take_back(table);
            }
            Some((table, end?))
        });
        if let Some((table, end)) = found {
            if from < at {
                parts.push(Part::Text(&text[from..at]));
            }
            parts.push(Part::Table(rows.end_table(table)));
            lines.push(&text[at..end]);
            (from, at) = (end, end);
        } else {
            at +=
                memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len() - at, |newline| newline + 1);
        }
    }
    if parts.is_empty() {
        return None;
    }
    if from < text.len() {
        parts.push(Part::Text(&text[from..]));
    }
    let (document, heads) = rows.finish();
    Some(Tables { document, heads, lines, parts })
}

//! Tables that were printed as text, `rows[14]{PID RSS COMMAND…}:`, read back as texts and printed in aligned columns.

use indexmap::IndexSet;

use super::error::{ExpandError, Fault, fault};
use super::shared::Shared;
use super::table::Shape;
use super::value::{Step, Value};
use crate::document::tables::shown;
use crate::marks::ROWS;
use crate::render::pvfn::printed::UNLESS;

/// A table as texts.
#[derive(Debug)]
pub struct ReadTable {
    /// The names of columns: first those of the head, then those that only rows name.
    pub heads: Vec<String>,
    /// The cells of each row, in the order of columns; those behind the last are empty.
    pub rows: Vec<Vec<Option<String>>>,
}

/// Reads the printed tables of a text, from the first to the last.
pub struct TableReader<'t> {
    text: &'t str,
    shared: Shared,
    /// What `{as above}` stands for.
    last: Option<Shape>,
    /// The names that are known of it.
    heads: IndexSet<Step>,
}

/// Whether a line is the head of a printed table.
pub fn is_head(line: &str) -> bool {
    head_of(line.trim_end_matches('\n')).is_some()
}

/// The number of rows and the columns.
fn head_of(line: &str) -> Option<(usize, &str)> {
    let (count, columns) = line.strip_prefix(ROWS)?.split_once("]{")?;
    let columns = columns.strip_suffix(':')?;
    Some((count.parse().ok()?, columns.strip_suffix(UNLESS).unwrap_or(columns).strip_suffix('}')?))
}

impl<'t> TableReader<'t> {
    /// A reader of `text`, whose tables may stand for so many cells, or sixteen bytes each, more than are written in it.
    pub fn new(text: &'t str, most: usize) -> Self {
        let mut shared = Shared::new(most);
        shared.are_texts = true;
        Self { text, shared, last: None, heads: IndexSet::new() }
    }

    /// Reads the table whose head begins at `at`; returns it, and where the text goes on behind it, or the first line that
    /// is none of a table.
    pub fn read(&mut self, at: usize) -> Result<(ReadTable, usize), ExpandError> {
        let mut next = at;
        let table = self.table(&mut next).map_err(|what| {
            fault(self.text[..next].bytes().filter(|byte| *byte == b'\n').count().max(1), what)
        })?;
        Ok((table, next))
    }

    fn table(&mut self, at: &mut usize) -> Result<ReadTable, Fault> {
        let head = next_line(self.text, at);
        let (count, columns) = head.and_then(head_of).ok_or("the head of a table expected")?;
        if columns != "as above" {
            let (shape, heads) = Shape::printed(columns, &mut self.shared)?;
            (self.last, self.heads) = (Some(shape), heads);
        }
        let shape = self.last.as_mut().ok_or("there is no table above")?;
        let mut rows = Vec::new();
        while rows.len() < count {
            let line = next_line(self.text, at).and_then(|line| line.strip_prefix(' '));
            let line = line.ok_or_else(|| format!("{count} rows announced, {} found", rows.len()))?;
            let Some((_, row)) = shape.line(line, &mut self.shared)? else { continue };
            let mut cells = vec![None; self.heads.len()];
            for (mut path, value) in row {
                let (column, _) = self.heads.insert_full(path.swap_remove(0));
                cells.resize(self.heads.len(), None);
                cells[column] = if let Value::Text(text) = value { Some(text) } else { None };
            }
            self.shared.spend(cells.len())?;
            rows.push(cells);
        }
        let name = |step: &Step| if let Step::Key(name) = step { name.clone() } else { String::new() };
        Ok(ReadTable { heads: self.heads.iter().map(name).collect(), rows })
    }
}

/// The line at `at`, without its newline; `at` moves behind it.
fn next_line<'t>(text: &'t str, at: &mut usize) -> Option<&'t str> {
    let rest = text.get(*at..).filter(|rest| !rest.is_empty())?;
    let end = memchr::memchr(b'\n', rest.as_bytes());
    *at += end.map_or(rest.len(), |end| end + 1);
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Blanks between columns.
const GAP: usize = 3;

impl ReadTable {
    /// Appends the table in aligned columns, as `kubectl get` prints them; `false` if that would take more than `most`
    /// bytes.
    pub fn print(&self, most: usize, out: &mut Vec<u8>) -> bool {
        let mut widths: Vec<usize> = self.heads.iter().map(|head| width(head)).collect();
        for row in &self.rows {
            for (most, cell) in widths.iter_mut().zip(row) {
                *most = (*most).max(cell.as_deref().map_or(0, width));
            }
        }
        let line: usize = widths.iter().map(|width| width + GAP).sum();
        if line.saturating_mul(self.rows.len() + 1) > most {
            return false;
        }
        let mut print = |cells: &mut dyn Iterator<Item = &str>| {
            for (column, &wide) in widths.iter().enumerate() {
                let text = cells.next().unwrap_or_default();
                out.extend_from_slice(text.as_bytes());
                if column + 1 < widths.len() {
                    out.resize(out.len() + wide + GAP - width(text), b' ');
                }
            }
            out.push(b'\n');
        };
        print(&mut self.heads.iter().map(String::as_str));
        for row in &self.rows {
            print(&mut row.iter().map(|cell| cell.as_deref().unwrap_or_default()));
        }
        true
    }
}

/// Columns that a text takes on a terminal.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(shown).sum() }
}

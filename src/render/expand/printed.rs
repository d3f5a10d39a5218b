//! Tables that were printed as text, `rows[14]{PID RSS COMMAND…}:`, read back as texts and printed in aligned columns.

use std::borrow::Cow;
use std::collections::HashMap;

use super::error::{ExpandError, Fault, fault};
use super::lex::shorten;
use crate::document::tables::shown;
use crate::marks::ROWS;
use crate::render::pvfn::carried::group_of;
use crate::render::pvfn::rest::is_quoted;
use crate::render::pvfn::scalar::REST;
use crate::render::unquoted;

/// The text of a cell, if it has one.
type Cell<'t> = Option<Cow<'t, str>>;

/// A table as texts.
#[derive(Debug, Default)]
pub struct ReadTable<'t> {
    /// The names of columns: first those of the head, then those that stand in no column.
    pub heads: Vec<Cow<'t, str>>,
    cells: Vec<Cell<'t>>,
    /// Where the cells of each row end.
    ends: Vec<usize>,
}

/// Reads the printed tables of a text, from the first to the last.
pub struct TableReader<'t> {
    text: &'t str,
    /// How many cells, or sixteen bytes each, may stand for more than is written.
    left: usize,
    last: Option<Shape<'t>>,
}

/// What `{as above}` stands for.
struct Shape<'t> {
    heads: Vec<Cow<'t, str>>,
    places: HashMap<Cow<'t, str>, usize>,
    columns: usize,
    rest: bool,
    /// What holds for all rows that do not say otherwise, by column, and the next rows.
    standing: Vec<Cell<'t>>,
    group: Vec<(usize, Cell<'t>)>,
    group_left: usize,
}

/// Whether a line is the head of a printed table.
pub fn is_head(line: &str) -> bool {
    head_of(line.trim_end_matches('\n')).is_some()
}

/// The number of rows and the columns.
fn head_of(line: &str) -> Option<(usize, &str)> {
    let (count, columns) = line.strip_prefix(ROWS)?.split_once("]{")?;
    Some((count.parse().ok()?, columns.strip_suffix("}:")?))
}

impl<'t> TableReader<'t> {
    /// A reader of `text`, whose tables may stand for so much more than is written in them.
    pub fn new(text: &'t str, most: usize) -> Self {
        Self { text, left: most, last: None }
    }

    /// Reads the table whose head begins at `at`; returns it, and where the text goes on behind it.
    ///
    /// # Errors
    /// The first line that is none of a table.
    pub fn read(&mut self, at: usize) -> Result<(ReadTable<'t>, usize), ExpandError> {
        let mut next = at;
        self.table(&mut next).map_err(|what| {
            fault(self.text[..next].bytes().filter(|byte| *byte == b'\n').count().max(1), what)
        })
    }

    fn table(&mut self, at: &mut usize) -> Result<(ReadTable<'t>, usize), Fault> {
        let head = next_line(self.text, at);
        let (count, columns) = head.and_then(head_of).ok_or("the head of a table expected")?;
        let shape = match (columns, self.last.take()) {
            ("as above", last) => last.ok_or("there is no table above")?,
            _ => Shape::new(columns)?,
        };
        let shape = self.last.insert(shape);
        let mut table = ReadTable::default();
        while table.ends.len() < count {
            let line = next_line(self.text, at).and_then(|line| line.strip_prefix(' '));
            let line = line.ok_or_else(|| format!("{count} rows announced, {} found", table.ends.len()))?;
            if shape.said_once(line)? {
                continue;
            }
            let start = table.cells.len();
            let mut said = shape.row(line, &mut table.cells)?;
            let is_last = table.ends.len() + 1 == count;
            let mut behind = *at;
            let below = next_line(self.text, &mut behind).and_then(|line| line.strip_prefix("  "));
            if let Some(pairs) = below.filter(|_| shape.rest && !is_last) {
                for (column, cell) in shape.pairs(pairs)? {
                    set(&mut table.cells, start + column, cell);
                }
                *at = behind;
            }
            table.ends.push(table.cells.len());
            said += table.cells.len() - start - shape.columns;
            self.left = self.left.checked_sub(said).ok_or("the table stands for too much")?;
        }
        table.heads.clone_from(&shape.heads);
        Ok((table, *at))
    }
}

/// The line at `at`, without its newline; `at` moves behind it.
fn next_line<'t>(text: &'t str, at: &mut usize) -> Option<&'t str> {
    let rest = text.get(*at..).filter(|rest| !rest.is_empty())?;
    let end = memchr::memchr(b'\n', rest.as_bytes());
    *at += end.map_or(rest.len(), |end| end + 1);
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Puts a cell at a place that may be the next, or behind it.
fn set<'t>(cells: &mut Vec<Cell<'t>>, at: usize, cell: Cell<'t>) {
    if cells.len() <= at {
        cells.resize(at + 1, None);
    }
    cells[at] = cell;
}

impl<'t> Shape<'t> {
    fn new(columns: &'t str) -> Result<Self, Fault> {
        let (columns, rest) = columns.strip_suffix(REST).map_or((columns, false), |columns| (columns, true));
        let mut heads = Vec::new();
        let mut left = columns;
        loop {
            let (head, behind) = word(left, |byte| byte == b' ')?;
            heads.push(head.ok_or("a column without a name")?);
            match behind.strip_prefix(' ') {
                Some(next) => left = next,
                None if behind.is_empty() => break,
                None => return Err(format!("a blank expected before {:?}", shorten(behind))),
            }
        }
        let places = heads.iter().cloned().zip(0..).collect();
        let columns = heads.len();
        Ok(Self { heads, places, columns, rest, standing: Vec::new(), group: Vec::new(), group_left: 0 })
    }

    /// Reads a line `all:`, `default:` or `next 2 rows:`; `false` if it is none.
    fn said_once(&mut self, line: &'t str) -> Result<bool, Fault> {
        if let Some(pairs) = ["all: ", "default: "].iter().find_map(|name| line.strip_prefix(name)) {
            for (column, cell) in self.pairs(pairs)? {
                set(&mut self.standing, column, cell);
            }
        } else if let Some((rows, pairs)) = group_of(line) {
            self.group_left = rows;
            self.group = if pairs.is_empty() { Vec::new() } else { self.pairs(pairs)? };
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads a row; returns the size of what it has from elsewhere.
    fn row(&mut self, line: &'t str, cells: &mut Vec<Cell<'t>>) -> Result<usize, Fault> {
        let start = cells.len();
        let mut left = line;
        for column in 0..self.columns {
            if column > 0 {
                left = left.strip_prefix(' ').ok_or_else(|| format!("{} cells expected", self.columns))?;
            }
            if self.rest && column + 1 == self.columns && !is_quoted(left) && !matches!(left, "" | "-") {
                cells.push(Some(left.into()));
                left = "";
                break;
            }
            let (cell, behind) = word(left, |byte| byte == b' ')?;
            cells.push(cell);
            left = behind;
        }
        if self.group_left == 0 {
            self.group.clear();
        }
        self.group_left = self.group_left.saturating_sub(1);
        let mut said = 0;
        let standing = self.standing.iter().cloned().enumerate().skip(self.columns);
        for (column, cell) in standing.chain(self.group.iter().cloned()) {
            said += cell.as_ref().map_or(0, |cell| cell.len() / 16);
            set(cells, start + column, cell);
        }
        if let Some(pairs) = left.strip_prefix(' ') {
            for (column, cell) in self.pairs(pairs)? {
                set(cells, start + column, cell);
            }
            left = "";
        }
        if left.is_empty() { Ok(said) } else { Err(format!("a blank expected before {:?}", shorten(left))) }
    }

    /// Reads `KEY=cell KEY=cell`: each cell with the number of its column, which may be a new one.
    fn pairs(&mut self, pairs: &'t str) -> Result<Vec<(usize, Cell<'t>)>, Fault> {
        let (mut left, mut said) = (pairs, Vec::new());
        loop {
            let (head, behind) = word(left, |byte| byte == b'=')?;
            let head = head.ok_or("a name expected")?;
            let behind = behind.strip_prefix('=').ok_or_else(|| format!("'=' expected behind {head:?}"))?;
            let column = *self.places.entry(head).or_insert_with_key(|head| {
                self.heads.push(head.clone());
                self.heads.len() - 1
            });
            let (cell, behind) = word(behind, |byte| byte == b' ')?;
            said.push((column, cell));
            match behind.strip_prefix(' ') {
                Some(next) => left = next,
                None if behind.is_empty() => return Ok(said),
                None => return Err(format!("a blank expected before {:?}", shorten(behind))),
            }
        }
    }
}

/// A word up to the byte that `ends` it, or a string in quotes; `-` is no text. Returns it and what stands behind it.
fn word(text: &str, ends: fn(u8) -> bool) -> Result<(Cell<'_>, &str), Fault> {
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'"') {
        let (word, behind) = text.split_at(bytes.iter().position(|byte| ends(*byte)).unwrap_or(text.len()));
        return match word {
            "" => Err("a cell expected".into()),
            "-" => Ok((None, behind)),
            _ => Ok((Some(word.into()), behind)),
        };
    }
    let (quoted, end) = unquoted(text, 0)?;
    Ok((Some(quoted), &text[end..]))
}

/// Blanks between columns.
const GAP: usize = 3;

impl<'t> ReadTable<'t> {
    /// The cells of each row, in the order of columns; those behind the last are empty.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell<'t>]> {
        let start = |row: usize| row.checked_sub(1).map_or(0, |before| self.ends[before]);
        (0..self.ends.len()).map(move |row| &self.cells[start(row)..self.ends[row]])
    }

    /// Appends the table in aligned columns, as `kubectl get` prints them; `false` if that would take more than `most`
    /// bytes.
    pub fn print(&self, most: usize, out: &mut Vec<u8>) -> bool {
        let mut widths: Vec<usize> = self.heads.iter().map(|head| width(head)).collect();
        for row in self.rows() {
            for (most, cell) in widths.iter_mut().zip(row) {
                *most = (*most).max(cell.as_deref().map_or(0, width));
            }
        }
        let line: usize = widths.iter().map(|width| width + GAP).sum();
        if line.saturating_mul(self.ends.len() + 1) > most {
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
        print(&mut self.heads.iter().map(|head| &**head));
        for row in self.rows() {
            print(&mut row.iter().map(|cell| cell.as_deref().unwrap_or_default()));
        }
        true
    }
}

/// Columns that a text takes on a terminal.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(shown).sum() }
}

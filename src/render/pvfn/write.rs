//! The lines of a document: pairs, blocks, items and tables.

use std::collections::HashSet;

use super::inline::{write_folded_key, write_mark, write_value};
use super::paths::holds_objects;
use super::repeats::{Repeat, Repeats};
use super::scalar::{Place, is_bare, write_string};
use super::share::{ANCHOR, LINE_ANCHOR, REFERENCE};
use super::table::{Cell, Mode, RowCells, Table, is_map_of_objects};
use super::templates::{self, Cells, Part};
use super::tree::{Entry, pairs, write_path};
use crate::document::{Document, Id, Kind, write_json_string};

/// A value that takes more bytes than this is a block of its own lines.
const INLINE: usize = 160;
/// Pairs share a line up to this many bytes.
const WRAP: usize = 240;

/// Writes one document.
pub struct Writer<'d, 'a> {
    document: &'d Document<'a>,
    out: Vec<u8>,
    /// Depth of the pairs on the current line, if it may take more of them.
    open: Option<usize>,
    /// Where the current line's content begins.
    line: usize,
    /// Tables whose columns have been given, by their first row.
    introduced: HashSet<Id>,
    repeats: Repeats,
}

impl<'d, 'a> Writer<'d, 'a> {
    /// A writer for `document`.
    pub fn new(document: &'d Document<'a>) -> Self {
        Self {
            document,
            out: Vec::new(),
            open: None,
            line: 0,
            introduced: HashSet::new(),
            repeats: Repeats::of(document),
        }
    }

    /// The whole document.
    pub fn document(mut self) -> Vec<u8> {
        let root = self.document.root();
        let mark: &[u8] = if self.document.is_stream() { b"ndjson" } else { b"" };
        if self.document.kind(root) == Kind::Object {
            self.members(root, 0);
        } else {
            let mut value = mark.to_vec();
            let from = value.len();
            if self.try_inline(root, &mut value) && value[from] == b'[' {
                self.out = value;
            } else {
                self.block(mark, root, 0);
            }
        }
        self.out.push(b'\n');
        self.out
    }

    fn start_line(&mut self, depth: usize) {
        if self.open == Some(depth) && self.line > 0 && self.out.len() == self.line {
            self.open = None; // the line that a dash began
            return;
        }
        if !self.out.is_empty() {
            self.out.push(b'\n');
        }
        self.out.resize(self.out.len() + depth, b' ');
        self.line = self.out.len();
        self.open = None;
    }

    fn pair(&mut self, pair: &[u8], depth: usize) {
        let length = self.out.len() - self.line;
        if self.open == Some(depth) && (length == 0 || length + pair.len() < WRAP) {
            if length > 0 {
                self.out.push(b' ');
            }
        } else {
            self.start_line(depth);
            self.open = Some(depth);
        }
        self.out.extend_from_slice(pair);
    }

    fn members(&mut self, id: Id, depth: usize) {
        let document = self.document;
        for child in document.children(id) {
            let mut path = Vec::new();
            let value = write_folded_key(document, child, &mut path);
            self.member(&path, value, depth);
        }
    }

    /// Writes `path` and its value: on the open line if it is short, else as a block.
    fn member(&mut self, path: &[u8], value: Id, depth: usize) {
        let mut pair = [path, b"="].concat();
        if self.try_inline(value, &mut pair) {
            self.pair(&pair, depth);
        } else {
            self.block(path, value, depth);
        }
    }

    fn try_inline(&mut self, id: Id, out: &mut Vec<u8>) -> bool {
        let limit = out.len() + INLINE;
        write_value(self.document, &mut self.repeats, id, out, limit)
    }

    /// At the end of a line that begins the block of `id`: an anchor, if there is another like it.
    fn end_head(&mut self, id: Id) {
        if let Repeat::First(anchor) = self.repeats.visit(id) {
            write_mark(&mut self.out, LINE_ANCHOR, anchor);
        }
    }

    /// Writes a list or an object as lines of its own, below a line that names it.
    fn block(&mut self, path: &[u8], id: Id, depth: usize) {
        let document = self.document;
        let lists = holds_objects(document, id);
        let maps = !lists && is_map_of_objects(document, id);
        let rows: Vec<Id> = document.children(id).collect();
        if (lists && rows.len() > 1 || maps && rows.len() > 2)
            && let Some(table) = Table::of(document, rows, maps, false)
        {
            return self.table(path, &table, id, depth);
        }
        self.start_line(depth);
        self.out.extend_from_slice(path);
        if document.kind(id) == Kind::Object {
            self.out.push(b':');
            self.end_head(id);
            return self.members(id, depth + 1);
        }
        self.list_items(id, depth);
    }

    /// `[2]:` and a line for each element; within a list it stands behind the dash.
    fn list_items(&mut self, id: Id, depth: usize) {
        let document = self.document;
        self.out.extend_from_slice(format!("[{}]:", document.children(id).count()).as_bytes());
        self.end_head(id);
        for item in document.children(id) {
            self.start_line(depth + 1);
            self.out.extend_from_slice(b"- ");
            self.line = self.out.len();
            self.item(item, depth + 2);
        }
    }

    fn item(&mut self, id: Id, depth: usize) {
        let document = self.document;
        match document.kind(id) {
            Kind::Object if !document.is_childless(id) => {
                match self.repeats.visit(id) {
                    Repeat::Again(anchor) => return write_mark(&mut self.out, REFERENCE, anchor),
                    Repeat::First(anchor) => write_mark(&mut self.out, ANCHOR, anchor),
                    Repeat::Single => {}
                }
                self.line = self.out.len();
                self.open = Some(depth);
                self.members(id, depth);
            }
            Kind::Plain | Kind::Escaped => write_string(&mut self.out, &document.text(id), Place::Item),
            _ => {
                let mut value = Vec::new();
                if self.try_inline(id, &mut value) {
                    self.out.extend_from_slice(&value);
                } else {
                    self.list_items(id, depth);
                }
            }
        }
    }

    /// Writes the elements of `id` as rows; the columns are given the first time the table is used.
    fn table(&mut self, path: &[u8], table: &Table, id: Id, depth: usize) {
        let count = self.document.children(id).count();
        let first = table.rows.binary_search(&(id + 1)).unwrap_or(0);
        self.start_line(depth);
        self.out.extend_from_slice(path);
        if !table.keyed {
            self.out.extend_from_slice(format!("[{count}]").as_bytes());
        }
        let introduced = !self.introduced.insert(table.rows[0]);
        self.out.extend_from_slice(match (table.keyed, introduced) {
            (false, false) => b"{",
            (true, false) => b"{*",
            (false, true) => b"{..}:",
            (true, true) => b"{* ..}:",
        });
        if !introduced {
            self.header(table);
            self.out.extend_from_slice(b"}:");
        }
        self.end_head(id);
        if !introduced {
            self.defaults(table, depth + 1);
        }
        let mut current = vec![None; table.dense.len()];
        for row in first..first + count {
            let cells = table.row(row);
            self.changes(table, &cells, &mut current, depth + 1);
            self.row(table, row, &cells, depth + 1);
        }
    }

    fn header(&mut self, table: &Table) {
        let mut separate = table.keyed;
        for path in table.columns() {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            write_path(self.document, &table.paths, path, &mut self.out);
            if let Some(affixes) = table.affixes.get(&path) {
                affixes.write_head(&mut self.out);
            }
        }
    }

    /// `all:` lines, for what is the same in all rows that do not say otherwise.
    fn defaults(&mut self, table: &Table, depth: usize) {
        let mut entries = Vec::new();
        for &path in &table.dense {
            let value = match &table.modes[path as usize] {
                Mode::Default(Some(cell)) => self.value(cell.id),
                Mode::Template(parts) => self.template(table, parts),
                _ => continue,
            };
            entries.push(Entry::new(&table.paths, path, value));
        }
        self.named_line("all:", &entries, depth);
    }

    fn template(&self, table: &Table, parts: &[Part]) -> Vec<u8> {
        let mut out = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Part::Text(text) if is_bare(text, Place::Token) && !text.contains('"') => {
                    out.extend_from_slice(text.as_bytes());
                }
                Part::Text(text) => write_json_string(&mut out, text),
                Part::Path(path) => {
                    let mut name = Vec::new();
                    write_path(self.document, &table.paths, *path, &mut name);
                    let simple = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                        && !name[0].is_ascii_digit();
                    let joined = matches!(parts.get(at + 1), Some(Part::Text(text))
                        if text.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'));
                    out.extend_from_slice(if simple && !joined { b"$" } else { b"${" });
                    out.extend_from_slice(&name);
                    out.extend_from_slice(if simple && !joined { b"" } else { b"}" });
                }
            }
        }
        out
    }

    fn named_line(&mut self, name: &str, entries: &[Entry], depth: usize) {
        let mut fresh = true;
        for pair in pairs(self.document, entries) {
            if fresh || self.out.len() - self.line + pair.len() > WRAP * 2 {
                self.start_line(depth);
                self.out.extend_from_slice(name.as_bytes());
                fresh = false;
            }
            self.out.push(b' ');
            self.out.extend_from_slice(&pair);
        }
    }

    /// A `below:` line if a value that holds for several rows is another one from this row on.
    fn changes(&mut self, table: &Table, cells: &RowCells, current: &mut [Option<u64>], depth: usize) {
        let mut entries = Vec::new();
        for (&path, current) in table.dense.iter().zip(current) {
            if table.modes[path as usize] != Mode::Sticky {
                continue;
            }
            let cell = cells.at(path, 0);
            let hash = cell.map(|cell| cell.hash);
            if hash != *current {
                *current = hash;
                let value = cell.map_or_else(|| b"-".to_vec(), |cell| self.value(cell.id));
                entries.push(Entry::new(&table.paths, path, value));
            }
        }
        self.named_line("below:", &entries, depth);
    }

    fn row(&mut self, table: &Table, row: usize, cells: &RowCells, depth: usize) {
        self.start_line(depth);
        if table.keyed {
            let key = self.document.key_id(table.rows[row]).map_or("", |key| self.document.key(key));
            if is_bare(key, Place::Token) {
                self.out.extend_from_slice(key.as_bytes());
            } else {
                write_json_string(&mut self.out, key);
            }
        }
        let mut separate = table.keyed;
        for path in table.columns() {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            match (cells.at(path, 0), table.affixes.get(&path)) {
                (None, _) => self.out.push(b'-'),
                (Some(cell), Some(affixes)) => {
                    affixes.write_cell(&self.document.text(cell.id), &mut self.out);
                }
                (Some(cell), None) => {
                    let value = self.value(cell.id);
                    self.out.extend_from_slice(&value);
                }
            }
        }
        let (exceptions, blocks) = self.exceptions(table, cells);
        for pair in pairs(self.document, &exceptions) {
            self.out.push(b' ');
            self.out.extend_from_slice(&pair);
        }
        for cell in blocks {
            let mut path = Vec::new();
            write_path(self.document, &table.paths, cell.path, &mut path);
            match table.inner.get(&cell.path) {
                Some(inner) => self.table(&path, inner, cell.id, depth + 1),
                None => self.block(&path, cell.id, depth + 1),
            }
        }
    }

    /// What a row has other than the table says: on its line, and as blocks below it.
    fn exceptions(&mut self, table: &Table, cells: &RowCells) -> (Vec<Entry>, Vec<Cell>) {
        let absent = table.dense.iter().filter(|&&path| {
            matches!(table.modes[path as usize], Mode::Default(_) | Mode::Template(_))
                && cells.at(path, 0).is_none()
        });
        let mut exceptions: Vec<(u32, Vec<u8>)> = absent.map(|&path| (path, b"-".to_vec())).collect();
        let mut blocks = Vec::new();
        for cell in &cells.0 {
            let as_said = match &table.modes[cell.path as usize] {
                Mode::Default(default) => default.is_some_and(|default| default.hash == cell.hash),
                Mode::Template(parts) => templates::fits(self.document, cells, parts, cell),
                Mode::Column | Mode::Sticky => true,
            };
            if as_said {
                continue;
            }
            let mut value = Vec::new();
            if self.try_inline(cell.id, &mut value) {
                exceptions.push((cell.path, value));
            } else {
                blocks.push(*cell);
            }
        }
        exceptions.sort_by_key(|(path, _)| *path);
        let entry = |(path, value)| Entry::new(&table.paths, path, value);
        (exceptions.into_iter().map(entry).collect(), blocks)
    }

    fn value(&mut self, id: Id) -> Vec<u8> {
        let mut value = Vec::new();
        write_value(self.document, &mut self.repeats, id, &mut value, usize::MAX);
        value
    }
}

//! The lines of a document: pairs, blocks, items and tables.

use std::collections::HashMap;

use super::inline::{write_folded_key, write_value};
use super::paths::holds_objects;
use super::scalar::{Place, is_bare, write_string};
use super::table::{Cell, Mode, Table, is_map_of_objects};
use super::tree::{Entry, pairs, write_step};
use crate::document::{Document, Id, Kind, write_json_string};

/// A value that takes more bytes than this is a block of its own lines.
const INLINE: usize = 120;
/// Pairs share a line up to this many bytes.
const WRAP: usize = 160;

/// Writes one document.
pub struct Writer<'d, 'a> {
    document: &'d Document<'a>,
    out: Vec<u8>,
    /// Depth of the pairs on the current line, if it may take more of them.
    open: Option<usize>,
    /// Where the current line's content begins.
    line: usize,
    /// Rows written of each table that is continued in several places, by its first row.
    written: HashMap<Id, usize>,
}

impl<'d, 'a> Writer<'d, 'a> {
    /// A writer for `document`.
    pub fn new(document: &'d Document<'a>) -> Self {
        Self { document, out: Vec::new(), open: None, line: 0, written: HashMap::new() }
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
            if write_value(self.document, root, &mut value, INLINE) && value[from] == b'[' {
                self.out = value;
            } else {
                self.block(mark, root, 0);
            }
        }
        self.out.push(b'\n');
        self.out
    }

    fn start_line(&mut self, depth: usize) {
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
            self.member(path, value, depth);
        }
    }

    /// Writes `path` and its value: on the open line if it is short, else as a block.
    fn member(&mut self, path: Vec<u8>, value: Id, depth: usize) {
        let mut pair = path.clone();
        pair.push(b'=');
        let limit = pair.len() + INLINE;
        if write_value(self.document, value, &mut pair, limit) {
            self.pair(&pair, depth);
        } else {
            self.block(&path, value, depth);
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
            let count = table.rows.len();
            return self.table(path, &table, count, depth);
        }
        self.start_line(depth);
        self.out.extend_from_slice(path);
        if document.kind(id) == Kind::Object {
            self.out.push(b':');
            return self.members(id, depth + 1);
        }
        self.list_items(id, depth);
    }

    /// `[2]:` and a line for each element; within a list it stands behind the dash.
    fn list_items(&mut self, id: Id, depth: usize) {
        let document = self.document;
        self.out.extend_from_slice(format!("[{}]:", document.children(id).count()).as_bytes());
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
                self.open = Some(depth);
                self.members(id, depth);
            }
            Kind::Plain | Kind::Escaped => write_string(&mut self.out, &document.text(id), Place::Item),
            _ => {
                let mut value = Vec::new();
                if write_value(document, id, &mut value, INLINE) {
                    self.out.extend_from_slice(&value);
                } else {
                    self.list_items(id, depth);
                }
            }
        }
    }

    /// Writes the next `count` rows of a table.
    fn table(&mut self, path: &[u8], table: &Table, count: usize, depth: usize) {
        let first = self.written.get(&table.rows[0]).copied().unwrap_or(0);
        self.start_line(depth);
        self.out.extend_from_slice(path);
        if !table.keyed {
            self.out.extend_from_slice(format!("[{count}]").as_bytes());
        }
        self.out.push(b'{');
        if table.keyed {
            self.out.push(b'*');
        }
        if first == 0 {
            self.header(table);
            self.out.extend_from_slice(b"}:");
            self.defaults(table, depth + 1);
        } else {
            let same: &[u8] = if table.keyed { b" ..}:" } else { b"..}:" };
            self.out.extend_from_slice(same);
        }
        self.written.insert(table.rows[0], first + count);
        let mut current = vec![None; table.modes.len()];
        for row in first..first + count {
            self.changes(table, row, row == first, &mut current, depth + 1);
            self.row(table, row, depth + 1);
        }
    }

    fn header(&mut self, table: &Table) {
        let mut separate = table.keyed;
        for path in table.columns() {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            for (at, &step) in table.paths.steps(path).iter().enumerate() {
                if at > 0 {
                    self.out.push(b'.');
                }
                write_step(self.document, step, &mut self.out);
            }
        }
    }

    /// `all:` lines, for what is the same in all rows that do not say otherwise.
    fn defaults(&mut self, table: &Table, depth: usize) {
        let mut entries = Vec::new();
        for (path, mode) in table.modes.iter().enumerate() {
            if let Mode::Default(Some(id)) = mode {
                entries.push(Entry::new(&table.paths, path as u32, self.value(*id)));
            }
        }
        self.named_line("all:", &entries, depth);
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
    fn changes(&mut self, table: &Table, row: usize, first: bool, current: &mut [Option<u64>], depth: usize) {
        let mut entries = Vec::new();
        let mut cells = table.row(row).iter().peekable();
        let mut by_path: Vec<&Cell> = cells.by_ref().collect();
        by_path.sort_unstable_by_key(|cell| cell.path);
        for (path, mode) in table.modes.iter().enumerate() {
            if *mode != Mode::Sticky {
                continue;
            }
            let cell =
                by_path.binary_search_by_key(&(path as u32), |cell| cell.path).ok().map(|at| by_path[at]);
            let hash = cell.map(|cell| cell.hash);
            if hash == current[path] && !(first && cell.is_some()) {
                continue;
            }
            current[path] = hash;
            let value = cell.map_or_else(|| b"-".to_vec(), |cell| self.value(cell.id));
            entries.push(Entry::new(&table.paths, path as u32, value));
        }
        self.named_line("below:", &entries, depth);
    }

    fn row(&mut self, table: &Table, row: usize, depth: usize) {
        self.start_line(depth);
        if table.keyed {
            let key = self.document.key_id(table.rows[row]).map_or("", |key| self.document.key(key));
            if is_bare(key, Place::Token) {
                self.out.extend_from_slice(key.as_bytes());
            } else {
                write_json_string(&mut self.out, key);
            }
        }
        let mut cells: Vec<&Cell> = table.row(row).iter().collect();
        cells.sort_by_key(|cell| cell.path);
        let find = |path: u32| cells.binary_search_by_key(&path, |cell| cell.path).ok().map(|at| cells[at]);
        let mut separate = table.keyed;
        let mut exceptions = Vec::new();
        for path in 0..table.modes.len() as u32 {
            match table.modes[path as usize] {
                Mode::Column => {
                    if std::mem::replace(&mut separate, true) {
                        self.out.push(b' ');
                    }
                    match find(path) {
                        None => self.out.push(b'-'),
                        Some(cell) => {
                            let value = self.value(cell.id);
                            self.out.extend_from_slice(&value);
                        }
                    }
                }
                Mode::Default(Some(_)) if find(path).is_none() => {
                    exceptions.push(Entry::new(&table.paths, path, b"-".to_vec()));
                }
                _ => {}
            }
        }
        let mut blocks = Vec::new();
        for cell in cells {
            let Mode::Default(default) = table.modes[cell.path as usize] else { continue };
            if default.is_some_and(|id| self.same(id, cell)) {
                continue;
            }
            let mut value = Vec::new();
            if write_value(self.document, cell.id, &mut value, INLINE) {
                exceptions.push(Entry::new(&table.paths, cell.path, value));
            } else {
                blocks.push(cell);
            }
        }
        for pair in pairs(self.document, &exceptions) {
            self.out.push(b' ');
            self.out.extend_from_slice(&pair);
        }
        for cell in blocks {
            let mut path = Vec::new();
            for (at, &step) in table.paths.steps(cell.path).iter().enumerate() {
                if at > 0 {
                    path.push(b'.');
                }
                write_step(self.document, step, &mut path);
            }
            match table.inner.get(&cell.path) {
                Some(inner) => {
                    let count = self.document.children(cell.id).count();
                    self.table(&path, inner, count, depth + 1);
                }
                None => self.block(&path, cell.id, depth + 1),
            }
        }
    }

    fn same(&self, id: Id, cell: &Cell) -> bool {
        super::table::weigh(self.document, id).0 == cell.hash
    }

    fn value(&self, id: Id) -> Vec<u8> {
        let mut value = Vec::new();
        write_value(self.document, id, &mut value, usize::MAX);
        value
    }
}

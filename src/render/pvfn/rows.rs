//! Tables as lines: the header, what holds for all rows, and the rows.

use super::inline::write_value;
use super::scalar::{Place, is_bare};
use super::table::{Cell, Mode, RowCells, Table};
use super::templates::{self, Cells, Part};
use super::tree::{Entries, write_path};
use super::write::{INLINE, WRAP, Writer};
use crate::document::{Id, write_json_string};

impl Writer<'_, '_> {
    /// Writes the elements of `id` as rows; the columns are given the first time the table is used.
    pub(super) fn table(&mut self, path: &[u8], table: &Table, id: Id, depth: usize) {
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
        let mut current = vec![None; table.sticky.len()];
        let mut cells = RowCells::default();
        for row in first..first + count {
            table.row(row, &mut cells);
            if !current.is_empty() {
                self.changes(table, &cells, &mut current, depth + 1);
            }
            self.row(table, row, &cells, depth + 1);
        }
    }

    fn header(&mut self, table: &Table) {
        let mut separate = table.keyed;
        for (path, affixes) in &table.columns {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            write_path(self.document, &table.paths, *path, &mut self.out);
            if let Some(affixes) = affixes {
                affixes.write_head(&mut self.out);
            }
        }
    }

    /// `all:` lines, for what is the same in all rows that do not say otherwise.
    fn defaults(&mut self, table: &Table, depth: usize) {
        let mut entries = Entries::default();
        for &path in &table.dense {
            match &table.modes[path as usize] {
                Mode::Default(Some(cell)) => self.add_value(&mut entries, table, path, cell.id),
                Mode::Template(parts) => {
                    entries.add(&table.paths, path, |out| {
                        out.extend_from_slice(&self.template(table, parts));
                        true
                    });
                }
                _ => {}
            }
        }
        self.named_line("all:", &entries, depth);
    }

    fn add_value(&mut self, entries: &mut Entries, table: &Table, path: u32, id: Id) {
        entries.add(&table.paths, path, |out| {
            write_value(self.document, &mut self.repeats, id, out, usize::MAX)
        });
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

    fn named_line(&mut self, name: &str, entries: &Entries, depth: usize) {
        let document = self.document;
        let mut fresh = true;
        let mut pairs = Vec::new();
        entries.write_pairs(document, &mut pairs, |pair, _| {
            if fresh || self.out.len() - self.line + pair.len() > WRAP * 2 {
                self.start_line(depth);
                self.out.extend_from_slice(name.as_bytes());
                fresh = false;
            }
            self.out.push(b' ');
            self.out.append(pair);
        });
    }

    /// A `below:` line if a value that holds for several rows is another one from this row on.
    fn changes(&mut self, table: &Table, cells: &RowCells, current: &mut [Option<u64>], depth: usize) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        for (&path, current) in table.sticky.iter().zip(current) {
            let cell = cells.at(path, 0);
            let hash = cell.map(|cell| cell.hash);
            if hash != *current {
                *current = hash;
                match cell {
                    Some(cell) => self.add_value(&mut entries, table, path, cell.id),
                    None => add_absence(&mut entries, table, path),
                }
            }
        }
        self.named_line("below:", &entries, depth);
        self.entries = entries;
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
        for (path, affixes) in &table.columns {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            match (cells.at(*path, 0), affixes) {
                (None, _) => self.out.push(b'-'),
                (Some(cell), Some(affixes)) => {
                    affixes.write_cell(&self.document.text(cell.id), &mut self.out);
                }
                (Some(cell), None) => {
                    write_value(self.document, &mut self.repeats, cell.id, &mut self.out, usize::MAX);
                }
            }
        }
        for cell in self.exceptions(table, cells) {
            let mut path = Vec::new();
            write_path(self.document, &table.paths, cell.path, &mut path);
            match table.inner.get(&cell.path) {
                Some(inner) => self.table(&path, inner, cell.id, depth + 1),
                None => self.block(&path, cell.id, depth + 1),
            }
        }
    }

    /// Appends what a row has other than the table says; answers what is too large for its line.
    fn exceptions(&mut self, table: &Table, cells: &RowCells) -> Vec<Cell> {
        let document = self.document;
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        let mut blocks = Vec::new();
        let mut said = table.dense.iter().copied().peekable();
        for cell in &cells.0 {
            while let Some(path) = said.next_if(|&path| path < cell.path) {
                add_absence_of_said(&mut entries, table, path);
            }
            said.next_if_eq(&cell.path);
            let as_said = match &table.modes[cell.path as usize] {
                Mode::Default(default) => default.is_some_and(|default| default.hash == cell.hash),
                Mode::Template(parts) => templates::fits(document, cells, parts, cell),
                Mode::Column | Mode::Sticky => true,
            };
            let repeats = &mut self.repeats;
            let write = |out: &mut Vec<u8>| {
                let limit = out.len() + INLINE;
                write_value(document, repeats, cell.id, out, limit)
            };
            if !as_said && !entries.add(&table.paths, cell.path, write) {
                blocks.push(*cell);
            }
        }
        said.for_each(|path| add_absence_of_said(&mut entries, table, path));
        entries.write_pairs(document, &mut self.out, |out, from| out.insert(from, b' '));
        self.entries = entries;
        blocks
    }
}

/// The row has nothing where `all:` says something.
fn add_absence_of_said(entries: &mut Entries, table: &Table, path: u32) {
    if matches!(table.modes[path as usize], Mode::Default(_) | Mode::Template(_)) {
        add_absence(entries, table, path);
    }
}

fn add_absence(entries: &mut Entries, table: &Table, path: u32) {
    entries.add(&table.paths, path, |out| {
        out.push(b'-');
        true
    });
}

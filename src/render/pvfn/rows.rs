//! Tables as lines: the header, what holds for all rows, and the rows.

use super::inline::write_value;
use super::scalar::{Place, is_bare};
use super::table::{Cell, Mode, RowCells, Table};
use super::templates::{self, Cells, Part};
use super::tree::{Entry, pairs, write_path};
use super::write::{WRAP, Writer};
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
                    write_value(self.document, &mut self.repeats, cell.id, &mut self.out, usize::MAX);
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

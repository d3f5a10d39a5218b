//! Tables as lines: the header, the values that hold for all rows, and the rows.

use std::collections::HashSet;
use std::ops::Range;

use super::cells::{Cell, cell_at};
use super::inline::write_value;
use super::paths::Paths;
use super::scalar::{REST, begins_with_pair, is_bare, stands, write_bare, write_cell};
use super::table::{Mode, Table};
use super::templates;
use super::tree::{Entries, write_path};
use super::write::{INLINE, WRAP, Writer, ends_line};
use crate::document::{Id, write_json_string};
use crate::marks::is_first_word;
use crate::plural::counted;

impl Writer<'_, '_> {
    /// Writes the elements of `id` as rows.
    pub(super) fn table(&mut self, path: &[u8], table: &Table, id: Id, depth: usize) {
        self.start_line(depth);
        // `rows[2]{` at the start of a line is a table printed as text.
        let is_printed = depth == 0 && path == b"rows" && !table.keyed;
        self.out.extend_from_slice(if is_printed { b"\"rows\"" } else { path });
        if !table.keyed {
            self.out.extend_from_slice(format!("[{}]", table.rows.len()).as_bytes());
        }
        self.out.extend_from_slice(if table.keyed { b"{*" } else { b"{" });
        self.header(table);
        self.out.extend_from_slice(b"}:");
        self.end_head(id);
        self.defaults(table, depth + 1);
        self.rows(table, 0..table.rows.len(), depth + 1);
    }

    pub(super) fn rows(&mut self, table: &Table, rows: Range<usize>, depth: usize) {
        let mut cells = Vec::new();
        let before = table.groups.partition_point(|&row| (row as usize) < rows.start);
        let mut groups = table.groups[before..].iter().map(|&row| row as usize).peekable();
        for row in rows.clone() {
            table.cells.of_row(row, &mut cells);
            if groups.next_if_eq(&row).is_some() {
                let end = groups.peek().map_or(rows.end, |&next| next.min(rows.end));
                self.group(table, &cells, end - row, depth);
            }
            self.row(table, row, &cells, depth);
        }
    }

    pub(super) fn header(&mut self, table: &Table) {
        for (at, (path, affixes)) in table.columns.iter().enumerate() {
            if at > 0 || table.keyed {
                self.out.push(b' ');
            }
            write_path(self.document, &table.paths, *path, &mut self.out);
            if let Some(affixes) = affixes {
                affixes.write_head(&mut self.out);
            }
        }
        if table.rest {
            self.out.extend_from_slice(REST.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// Writes `all:` lines for values that hold in every row, and `default:` lines for values that hold where a row
    /// does not say otherwise.
    pub(super) fn defaults(&mut self, table: &Table, depth: usize) {
        let document = self.document;
        let (all, most): (Vec<u32>, Vec<u32>) =
            table.dense.iter().partition(|&&path| table.holds_for_all(document, path));
        for (name, paths) in [("all:", all), ("default:", most)] {
            let mut entries = Entries::default();
            for path in paths {
                entries.add(path, |out| match &table.modes[path as usize] {
                    Mode::Default(cell) => self.value(table, cell.id, out, usize::MAX),
                    Mode::Sparse => nothing(out),
                    Mode::Template(parts) => {
                        write_json_string(out, &templates::text(document, &table.paths, path, parts));
                        true
                    }
                    _ => false,
                });
            }
            self.named_line(name, &table.paths, &mut entries, depth);
        }
    }

    fn named_line(&mut self, name: &str, paths: &Paths, entries: &mut Entries, depth: usize) {
        let document = self.document;
        let mut fresh = true;
        let mut pairs = Vec::new();
        entries.write_pairs(document, paths, &mut pairs, |pair, _| {
            let wraps = !paths.are_texts && self.out.len() - self.line + pair.len() > WRAP * 2;
            if fresh || wraps {
                self.start_line(depth);
                self.out.extend_from_slice(name.as_bytes());
            }
            fresh = !paths.are_texts && ends_line(pair);
            self.out.push(b' ');
            self.out.append(pair);
        });
    }

    /// `next 12 rows: …`, with all values that the next rows have in common.
    fn group(&mut self, table: &Table, cells: &[Cell], rows: usize, depth: usize) {
        let mut entries = Entries::default();
        for cell in cells {
            if table.modes[cell.path as usize] == Mode::Group {
                entries.add(cell.path, |out| self.value(table, cell.id, out, usize::MAX));
            }
        }
        let name = format!("next {}:", counted(rows as u64, "row"));
        if entries.is_empty() {
            self.start_line(depth);
            self.out.extend_from_slice(name.as_bytes());
        }
        self.named_line(&name, &table.paths, &mut entries, depth);
    }

    fn row(&mut self, table: &Table, row: usize, cells: &[Cell], depth: usize) {
        self.start_line(depth);
        if table.keyed {
            let key = self.document.key_id(table.rows[row]).map_or("", |key| self.document.key(key));
            write_bare(&mut self.out, key, is_bare(key) && !is_first_word(key));
            self.out.extend((!table.columns.is_empty()).then_some(b' '));
        }
        // In front of text that takes the rest of its line: what differs is seen first.
        let mut blocks = if table.rest { self.exceptions(table, cells, depth) } else { Vec::new() };
        for (at, (path, affixes)) in table.columns.iter().enumerate() {
            if at > 0 {
                self.out.push(b' ');
            }
            let Some(cell) = cell_at(cells, *path) else {
                self.out.push(b'-');
                continue;
            };
            let is_rest = table.rest && at + 1 == table.columns.len();
            let (document, is_string) = (self.document, self.document.is_string(cell.id));
            let text = || document.text(cell.id);
            let can_stand = |text: &str| stands(text) && !(at == 0 && begins_with_pair(text));
            let is_odd = |text: &str| is_first_word(text) || table.rest && begins_with_pair(text);
            if table.paths.are_texts {
                write_cell(&text(), at == 0, is_rest, &mut self.out);
            } else if let Some(rest) = (is_rest && is_string).then(text).filter(|text| can_stand(text)) {
                self.out.extend_from_slice(rest.as_bytes());
            } else if let Some(affixes) = affixes {
                affixes.write_cell(&text(), &mut self.out);
            } else if at == 0 && is_string && is_odd(&text()) {
                write_json_string(&mut self.out, &text());
            } else {
                write_value(document, self.repeats, cell.id, &mut self.out, usize::MAX);
            }
        }
        if !table.rest {
            blocks = self.exceptions(table, cells, depth);
        }
        for cell in blocks {
            self.repeats.paused = table.has_default(cell.path);
            let mut path = Vec::new();
            write_path(self.document, &table.paths, cell.path, &mut path);
            self.block(&path, cell.id, depth + 1);
        }
        self.repeats.paused = false;
    }

    /// Appends the values of a row that differ from those that the table gives: in front of a row that takes all of its line,
    /// on a line below behind a long object. Returns the cells that are too large for a line.
    fn exceptions(&mut self, table: &Table, cells: &[Cell], depth: usize) -> Vec<Cell> {
        let document = self.document;
        let mut entries = std::mem::take(&mut self.entries);
        let mut blocks = Vec::new();
        for cell in cells {
            self.repeats.paused = table.has_default(cell.path);
            let write = |out: &mut Vec<u8>| self.value(table, cell.id, out, out.len() + INLINE);
            let is_given = table.gives(document, cell, |path| cell_at(cells, path));
            if !is_given && !entries.add(cell.path, write) {
                blocks.push(*cell);
            }
        }
        let is_absent = |path: &u32| table.has_default(*path) && cell_at(cells, *path).is_none();
        let absent: Vec<u32> = table.dense.iter().copied().filter(is_absent).collect();
        let (mut above, mut said) = (HashSet::new(), HashSet::new());
        if absent.iter().any(|&path| table.paths.get(path).open || table.paths.get(path).depth > 1) {
            above.extend(cells.iter().flat_map(|cell| table.paths.above(cell.path)));
        }
        for path in absent {
            // A value at a path above or below says by itself that nothing stands here.
            if above.contains(&path) || table.paths.above(path).any(|path| cell_at(cells, path).is_some()) {
                continue;
            }
            // Of a container that is not there no member has to be named.
            let is_empty = |path: &u32| !above.contains(path) && table.modes[*path as usize] == Mode::Sparse;
            let topmost = table.paths.above(path).take_while(is_empty).last().unwrap_or(path);
            if said.insert(topmost) {
                entries.add(topmost, nothing);
            }
        }
        let are_texts = table.paths.are_texts;
        let mut ended = false;
        entries.write_pairs(document, &table.paths, &mut self.out, |out, from| {
            if table.rest {
                return out.push(b' ');
            }
            let separator = if ended { format!("\n{:1$}", "", depth + 1) } else { " ".into() };
            ended = !are_texts && ends_line(&out[from..]);
            out.splice(from..from, separator.bytes());
        });
        self.entries = entries;
        self.repeats.paused = false;
        blocks
    }

    /// Appends a value as that of a name, unless it takes `out` beyond the limit.
    fn value(&mut self, table: &Table, id: Id, out: &mut Vec<u8>, limit: usize) -> bool {
        if table.paths.are_texts {
            write_cell(&self.document.text(id), false, false, out);
            return true;
        }
        write_value(self.document, self.repeats, id, out, limit)
    }
}

/// Appends the sign of a value that is not there.
fn nothing(out: &mut Vec<u8>) -> bool {
    out.push(b'-');
    true
}

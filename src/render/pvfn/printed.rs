//! Tables printed as text, in the form of tables of documents, `rows[14]{PID RSS STAT COMMAND…}:`. Everything in them is
//! text, so that a cell stands as it was printed unless it holds a blank.

use std::collections::HashMap;

use super::cells::{Cell, cell_at};
use super::choice::Mode;
use super::paths::Step;
use super::rest;
use super::scalar::REST;
use super::table::Table;
use crate::document::{Document, Id, write_json_string};
use crate::hidden;
use crate::marks::{self, ROWS};
use crate::plural::counted;

/// Estimated tokens of a head that has no columns of its own.
const AS_ABOVE: i64 = 6;

/// Writes the tables of a text, which share what they have in common.
pub struct TableWriter<'d, 'a> {
    document: &'d Document<'a>,
    layouts: Vec<Table>,
    /// The layout of each table, and its first row there.
    places: HashMap<Id, (usize, usize)>,
    /// The layout of the table that was written last, and of the one before it.
    last: Option<usize>,
    before: Option<usize>,
}

impl<'d, 'a> TableWriter<'d, 'a> {
    /// Lays out the tables of `document`, each with the keys of its columns. `plain`: nothing is said once.
    pub fn of(document: &'d Document<'a>, heads: &[(Id, Vec<u32>)], plain: bool) -> Self {
        let mut alike: HashMap<&[u32], Vec<Id>> = HashMap::new();
        for (table, heads) in heads {
            alike.entry(heads).or_default().push(*table);
        }
        let mut printed =
            Self { document, layouts: Vec::new(), places: HashMap::new(), last: None, before: None };
        for (heads, tables) in alike {
            let lay_out = |tables: &[Id]| {
                let (mut rows, mut starts) = (Vec::new(), Vec::new());
                for table in tables {
                    starts.push(rows.len() as u32);
                    rows.extend(document.children(*table));
                }
                (Table::printed(document, rows, heads, &starts, plain), starts)
            };
            let mut add = |tables: &[Id], (layout, starts): (Table, Vec<u32>)| {
                let places = starts.iter().map(|&first| (printed.layouts.len(), first as usize));
                printed.places.extend(tables.iter().copied().zip(places));
                printed.layouts.push(layout);
            };
            let shared = lay_out(&tables);
            let apart = |table: &Id| lay_out(std::slice::from_ref(table)).0.gain;
            let gain = shared.0.gain - AS_ABOVE * (tables.len() as i64 - 1);
            if tables.len() == 1 || gain >= tables.iter().map(apart).sum() {
                add(&tables, shared);
            } else {
                drop(shared);
                for table in tables {
                    add(&[table], lay_out(&[table]));
                }
            }
        }
        printed
    }

    /// The table that was written last is not shown: the next may be as the one above that.
    pub fn forget(&mut self) {
        self.last = self.before;
    }

    /// Appends a table as lines.
    pub fn write(&mut self, id: Id, out: &mut Vec<u8>) {
        let (layout, first) = self.places[&id];
        let table = &self.layouts[layout];
        let count = self.document.children(id).count();
        out.extend_from_slice(format!("{ROWS}{count}]{{").as_bytes());
        self.before = self.last.replace(layout);
        if self.before == Some(layout) {
            out.extend_from_slice(b"as above}:\n");
        } else {
            self.heads(table, out);
            out.extend_from_slice(b"}:\n");
            self.said_once(table, out);
        }
        let mut cells = Vec::new();
        let end = first + count;
        let from = table.groups.partition_point(|start| (*start as usize) < first);
        let mut groups = table.groups[from..].iter().map(|&row| row as usize).peekable();
        for row in first..end {
            table.cells.of_row(row, &mut cells);
            if groups.next_if_eq(&row).is_some() {
                let next = groups.peek().map_or(end, |next| end.min(*next));
                out.extend_from_slice(format!(" next {}:", counted((next - row) as u64, "row")).as_bytes());
                let is_said = |cell: &&Cell| table.modes[cell.path as usize] == Mode::Group;
                for cell in cells.iter().filter(is_said) {
                    self.pair(table, cell.path, Some(*cell), out);
                }
                out.push(b'\n');
            }
            self.row(table, &cells, out);
        }
    }

    fn heads(&self, table: &Table, out: &mut Vec<u8>) {
        let start = out.len();
        for (at, (path, _)) in table.columns.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            self.head(table, *path, out);
        }
        if out[start..] == *b"as above" {
            out.splice(start..start + 2, *b"\"as\"");
        }
        if table.rest {
            out.extend_from_slice(REST.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    /// The lines `all:` and `default:`.
    fn said_once(&self, table: &Table, out: &mut Vec<u8>) {
        for (name, for_all) in [(" all:", true), (" default:", false)] {
            let start = out.len();
            out.extend_from_slice(name.as_bytes());
            let empty = out.len();
            for path in 1..table.modes.len() as u32 {
                let Mode::Default(common) = table.modes[path as usize] else { continue };
                let no_cells = table.cells.of_path(path).is_empty();
                let holds = no_cells || table.holds_for_all(self.document, path);
                if holds == for_all && (no_cells || common.is_some()) {
                    self.pair(table, path, common, out);
                }
            }
            if out.len() == empty {
                out.truncate(start);
            } else {
                out.push(b'\n');
            }
        }
    }

    /// A row: its cells, and behind them or on a line below what it says against its table.
    fn row(&self, table: &Table, cells: &[Cell], out: &mut Vec<u8>) {
        out.push(b' ');
        for (at, (path, _)) in table.columns.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            let cell = cell_at(cells, *path);
            let is_rest = table.rest && at + 1 == table.columns.len();
            write_cell(cell.map(|cell| self.document.text(cell.id)).as_deref(), at == 0, is_rest, out);
        }
        let is_absent = |path: &u32| table.has_default(*path) && cell_at(cells, *path).is_none();
        let absent = (0..table.modes.len() as u32).filter(is_absent).map(|path| (path, None));
        let is_other = |cell: &&Cell| !table.gives(self.document, cell, |path| cell_at(cells, path));
        let others = cells.iter().filter(is_other).map(|cell| (cell.path, Some(*cell)));
        let mut against: Vec<(u32, Option<Cell>)> = absent.chain(others).collect();
        against.sort_unstable_by_key(|(path, _)| *path);
        if table.rest && !against.is_empty() {
            out.extend_from_slice(b"\n ");
        }
        for (path, cell) in against {
            self.pair(table, path, cell, out);
        }
        out.push(b'\n');
    }

    /// Appends ` KEY=cell`.
    fn pair(&self, table: &Table, path: u32, cell: Option<Cell>, out: &mut Vec<u8>) {
        out.push(b' ');
        self.head(table, path, out);
        out.push(b'=');
        write_cell(cell.map(|cell| self.document.text(cell.id)).as_deref(), false, false, out);
    }

    fn head(&self, table: &Table, path: u32, out: &mut Vec<u8>) {
        let Step::Key(key) = table.paths.get(path).step else { return };
        let name = self.document.key(key);
        if is_word(name) && !name.contains('=') && !name.ends_with(REST) {
            out.extend_from_slice(name.as_bytes());
        } else {
            write_json_string(out, name);
        }
    }
}

fn write_cell(text: Option<&str>, is_first: bool, is_rest: bool, out: &mut Vec<u8>) {
    let Some(text) = text else { return out.push(b'-') };
    let is_head = is_first && (matches!(text, "all:" | "default:" | "next") || marks::is_first_word(text));
    if is_rest && rest::is_clear(text) && text != "-" && !rest::is_quoted(text) || is_word(text) && !is_head {
        out.extend_from_slice(text.as_bytes());
    } else {
        write_json_string(out, text);
    }
}

/// Whether a text is a word that can be told from a quoted one and from an empty cell.
fn is_word(text: &str) -> bool {
    let is_blank = |byte: &u8| *byte <= b' ' || *byte == 0x7f;
    let bytes = text.as_bytes();
    !matches!(text, "" | "-")
        && bytes[0] != b'"'
        && !bytes.iter().any(is_blank)
        && (text.is_ascii() || !hidden::is_in(bytes) && !text.contains(char::is_whitespace))
}

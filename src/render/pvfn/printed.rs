//! Tables printed as text, in the form of tables of documents, `rows[14]{PID RSS STAT COMMAND…}:`. Everything in them is
//! text, so that a cell stands as it was printed unless it holds a blank.

use std::collections::HashMap;

use super::repeats::Repeats;
use super::scalar::{REST, write_cell};
use super::table::{Mode, Table};
use super::tree::write_path;
use super::write::Writer;
use crate::document::{Document, Id, write_json_string};
use crate::marks::ROWS;

/// In place of the columns, where they are those of the table before, and estimated tokens of such a head.
const AS_ABOVE: &str = "as above";
const TOKENS_OF_HEAD: i64 = 6;
/// Behind the columns, where a row says something else than they do.
pub const UNLESS: &str = ", unless a row says otherwise";
/// The value of a column that groups of rows give.
pub const GROUPED: &str = "…";

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
            let gain = shared.0.gain - TOKENS_OF_HEAD * (tables.len() as i64 - 1);
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
        let mut repeats = Repeats::default();
        let mut writer = Writer::new(self.document, &mut repeats);
        self.before = self.last.replace(layout);
        let is_as_above = self.before == Some(layout);
        if is_as_above {
            writer.out.extend_from_slice(AS_ABOVE.as_bytes());
        } else {
            writer.printed_header(table);
            if writer.out == AS_ABOVE.as_bytes() {
                writer.out.splice(..2, *b"\"as\"");
            }
        }
        writer.out.splice(..0, format!("{ROWS}{count}]{{").bytes());
        let differs = !is_as_above && table.differs;
        writer.out.extend_from_slice(format!("}}{}:", if differs { UNLESS } else { "" }).as_bytes());
        writer.rows(table, first..first + count, 1);
        out.append(&mut writer.out);
        out.push(b'\n');
    }
}

impl Writer<'_, '_> {
    /// Names all columns in the tool's order, `NAMESPACE=core NAME STATUS=… AGE`: with the value that is said once, or with
    /// [`GROUPED`].
    fn printed_header(&mut self, table: &Table) {
        let rest = table.columns.last().filter(|_| table.rest).map(|(path, _)| *path);
        for &path in &table.dense {
            if !self.out.is_empty() {
                self.out.push(b' ');
            }
            write_path(self.document, &table.paths, path, &mut self.out);
            match &table.modes[path as usize] {
                Mode::Sparse => self.out.extend_from_slice(b"=-"),
                Mode::Group => self.out.extend_from_slice(format!("={GROUPED}").as_bytes()),
                Mode::Default(cell) => {
                    self.out.push(b'=');
                    match &*self.document.text(cell.id) {
                        GROUPED => write_json_string(&mut self.out, GROUPED),
                        text => write_cell(text, false, false, &mut self.out),
                    }
                }
                Mode::Column | Mode::Template(_) if rest == Some(path) => {
                    self.out.extend_from_slice(REST.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Mode::Column | Mode::Template(_) => {}
            }
        }
    }
}

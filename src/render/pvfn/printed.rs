//! Tables printed as text, in the form of tables of documents, `rows[14]{PID RSS STAT COMMAND…}:`. Everything in them is
//! text, so that a cell stands as it was printed unless it holds a blank.

use std::collections::HashMap;

use super::repeats::Repeats;
use super::rest;
use super::scalar::{REST, write_bare};
use super::table::Table;
use super::write::Writer;
use crate::document::{Document, Id};
use crate::hidden;
use crate::marks::{self, ROWS};

/// In place of the columns, where they are those of the table before, and estimated tokens of such a head.
const AS_ABOVE: &str = "as above";
const TOKENS_OF_HEAD: i64 = 6;

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
            writer.header(table);
            if writer.out == AS_ABOVE.as_bytes() {
                writer.out.splice(..2, *b"\"as\"");
            }
        }
        writer.out.splice(..0, format!("{ROWS}{count}]{{").bytes());
        writer.out.extend_from_slice(b"}:");
        if !is_as_above {
            writer.defaults(table, 1);
        }
        writer.rows(table, first..first + count, 1);
        out.append(&mut writer.out);
        out.push(b'\n');
    }
}

/// Appends the name of a column.
pub fn write_name(out: &mut Vec<u8>, name: &str) {
    write_bare(out, name, is_word(name) && !name.contains('=') && !name.ends_with(REST));
}

/// Appends a cell; `None` is an empty one.
pub fn write_cell(text: Option<&str>, is_first: bool, is_rest: bool, out: &mut Vec<u8>) {
    let Some(text) = text else { return out.push(b'-') };
    let is_head = is_first && (matches!(text, "all:" | "default:" | "next") || marks::is_first_word(text));
    let is_rest = is_rest && rest::is_clear(text) && text != "-" && !rest::is_quoted(text);
    write_bare(out, text, is_rest || is_word(text) && !is_head);
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

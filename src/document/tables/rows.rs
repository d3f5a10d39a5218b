//! Builds the document of tables: readers name columns and add cells, row by row.

use std::ops::Range;

use super::super::keys::Interner;
use super::super::number::is_number;
use super::super::string::write_json_string;
use super::super::tree::{Document, Id, KEY_BITS, Kind, NO_KEY, Node};
use super::aligned::Past;

/// Most columns of a table.
const MOST_COLUMNS: usize = 1000;

/// The tables so far, under construction.
pub struct Rows<'a> {
    source: &'a str,
    nodes: Vec<Node>,
    keys: Interner<'a>,
    /// The keys of the table's columns.
    columns: Vec<u32>,
    row: Option<usize>,
    /// Where the rows of the open table begin.
    first: usize,
    pub(super) past: Past,
    heads: Heads,
}

/// Each table with the keys of its columns, in the tool's order; a column may be empty in all rows.
pub type Heads = Vec<(Id, Vec<u32>)>;

/// The state before a table.
#[derive(Clone, Copy)]
pub struct Mark(usize);

const fn tag(kind: Kind, key: u32) -> u32 {
    (kind as u32) << KEY_BITS | key
}

impl<'a> Rows<'a> {
    pub fn new(source: &'a str) -> Self {
        let tables = Node { start: 0, stop: 0, end: 0, tag: tag(Kind::Array, NO_KEY) };
        // The first node stands for a stream of documents; this document is no stream.
        Self {
            source,
            nodes: vec![tables, tables],
            keys: Interner::new(source),
            columns: Vec::new(),
            row: None,
            first: 0,
            past: Past::default(),
            heads: Vec::new(),
        }
    }

    /// Opens a table.
    pub(super) fn begin_table(&mut self) -> Mark {
        let mark = Mark(self.nodes.len());
        self.push(Kind::Array, NO_KEY, 0..0);
        self.first = self.nodes.len();
        mark
    }

    /// Forgets all rows of the open table.
    pub(super) fn take_back(&mut self, mark: Mark) {
        self.nodes.truncate(mark.0 + 1);
        self.columns.clear();
        self.row = None;
    }

    /// Forgets the open table.
    pub(super) fn drop_table(&mut self, mark: Mark) {
        self.take_back(mark);
        self.nodes.truncate(mark.0);
    }

    /// Closes the open table.
    pub(super) fn end_table(&mut self, mark: Mark) -> Id {
        self.end_row();
        self.nodes[mark.0].end = self.nodes.len() as u32;
        self.heads.push((mark.0 as Id, std::mem::take(&mut self.columns)));
        mark.0 as Id
    }

    /// Names the columns of the table, and forgets what rows it has; `false` where two have the same name, one has none,
    /// or there are too many.
    pub fn columns<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> bool {
        self.nodes.truncate(self.first);
        self.row = None;
        self.columns.clear();
        for name in names {
            let key = self.keys.decoded(name);
            if name.is_empty() || self.columns.len() == MOST_COLUMNS {
                return false;
            }
            self.columns.push(key);
        }
        let mut sorted = self.columns.clone();
        sorted.sort_unstable();
        !sorted.is_empty() && sorted.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Begins the next row.
    pub fn row(&mut self) {
        self.end_row();
        self.row = Some(self.nodes.len());
        self.push(Kind::Object, NO_KEY, 0..0);
    }

    /// Closes the open row.
    fn end_row(&mut self) {
        if let Some(row) = self.row.take() {
            self.nodes[row].end = self.nodes.len() as u32;
        }
    }

    /// Adds the cell of a column to the row, by its place in the source; an empty one is no cell. The columns of a row come
    /// in order, each at most once.
    pub fn cell(&mut self, column: usize, cell: Range<usize>) {
        let text = &self.source[cell.clone()];
        let key = self.columns[column];
        match text {
            "" => {}
            "true" | "false" => self.push(Kind::Bool, key, cell),
            _ if is_number(text) => self.push(Kind::Number, key, cell),
            _ if text.bytes().any(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) => {
                let mut quoted = Vec::new();
                write_json_string(&mut quoted, text);
                let escaped = std::str::from_utf8(&quoted[1..quoted.len() - 1]).unwrap_or_default();
                let (start, stop) = self.keys.keys.texts.add(escaped);
                self.push(Kind::Escaped, key, start as usize..stop as usize);
            }
            _ => self.push(Kind::Plain, key, cell),
        }
    }

    fn push(&mut self, kind: Kind, key: u32, span: Range<usize>) {
        let end = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: span.start as u32, stop: span.end as u32, end, tag: tag(kind, key) });
    }

    /// The document of all tables, and their columns.
    pub(super) fn finish(mut self) -> (Document<'a>, Heads) {
        let end = self.nodes.len() as u32;
        self.nodes[0].end = end;
        self.nodes[1].end = end;
        self.nodes.shrink_to_fit();
        (Document { nodes: self.nodes, keys: self.keys.keys, root: 1, depth: 3 }, self.heads)
    }
}

//! Builds the document of tables: readers name columns and add cells, row by row.

use std::ops::Range;

use super::super::keys::Interner;
use super::super::scalars::{is_number, write_json_string};
use super::super::tree::{Document, Id, Kind, NO_KEY, Node};
use super::aligned::Past;

const MOST_COLUMNS: usize = 1000;

/// The tables so far, under construction.
#[derive(Default)]
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

impl<'a> Rows<'a> {
    pub fn new(source: &'a str) -> Self {
        let tables = Node::new(Kind::Array, NO_KEY, 0..0, 0);
        // The first node stands for a stream of documents; this document is no stream.
        Self { source, nodes: vec![tables, tables], keys: Interner::new(source), ..Self::default() }
    }

    pub(super) fn begin_table(&mut self) -> usize {
        let table = self.nodes.len();
        self.push(Kind::Array, NO_KEY, 0..0);
        self.first = self.nodes.len();
        table
    }

    /// Forgets the open table.
    pub(super) fn take_back(&mut self, table: usize) {
        self.nodes.truncate(table);
        self.columns.clear();
        self.row = None;
    }

    pub(super) fn end_table(&mut self, table: usize) -> Id {
        self.end_row();
        self.nodes[table].end = self.nodes.len() as u32;
        self.heads.push((table as Id, std::mem::take(&mut self.columns)));
        table as Id
    }

    /// Names the columns of the table, and forgets what rows it has; `false` where two have the same name, one has
    /// none, or there are too many.
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

    pub fn row(&mut self) {
        self.end_row();
        self.row = Some(self.nodes.len());
        self.push(Kind::Object, NO_KEY, 0..0);
    }

    fn end_row(&mut self) {
        if let Some(row) = self.row.take() {
            self.nodes[row].end = self.nodes.len() as u32;
        }
    }

    /// Adds the cell of a column to the row, by its place in the source; an empty one is no cell. The columns of a row
    /// come in order, each at most once.
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
                let (start, stop) = self.keys.texts.add(escaped);
                self.push(Kind::Escaped, key, start as usize..stop as usize);
            }
            _ => self.push(Kind::Plain, key, cell),
        }
    }

    fn push(&mut self, kind: Kind, key: u32, span: Range<usize>) {
        self.nodes.push(Node::new(kind, key, span, self.nodes.len() + 1));
    }

    /// The document of all tables, and their columns.
    pub(super) fn finish(mut self) -> (Document<'a>, Heads) {
        let end = self.nodes.len() as u32;
        self.nodes[0].end = end;
        self.nodes[1].end = end;
        self.nodes.shrink_to_fit();
        (Document { nodes: self.nodes, texts: self.keys.texts, root: 1, depth: 3 }, self.heads)
    }
}

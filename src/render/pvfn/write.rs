//! The lines of a document: pairs, blocks and items; [`super::rows`] writes tables.

use super::inline::{write_folded_key, write_value};
use super::marks::{LINE_ANCHOR, write_mark};
use super::paths::holds_objects;
use super::repeats::Repeats;
use super::scalar::write_string;
use super::table::Table;
use super::tree::Entries;
use crate::document::{Document, Id, Kind};

/// A value that takes more bytes than this is a block of its own lines.
pub const INLINE: usize = 160;
/// Pairs share a line up to this many bytes.
pub const WRAP: usize = 320;

/// An object of more bytes than this ends its line: a pair behind it would read as one of its members.
const LONG_OBJECT: usize = 60;

/// Whether nothing may stand behind a pair on its line.
pub fn ends_line(pair: &[u8]) -> bool {
    pair.len() > LONG_OBJECT && pair.ends_with(b"}")
}

pub struct Writer<'d, 'a> {
    pub(super) document: &'d Document<'a>,
    pub(super) out: Vec<u8>,
    /// Depth of the pairs on the current line, if it may take more of them.
    open: Option<usize>,
    /// Where the current line's content begins.
    pub(super) line: usize,
    pub(super) repeats: &'d mut Repeats,
    /// The values in which the current row differs from its table.
    pub(super) entries: Entries,
}

impl<'d, 'a> Writer<'d, 'a> {
    /// A writer for `document`, whose `repeats` get anchors.
    pub fn new(document: &'d Document<'a>, repeats: &'d mut Repeats) -> Self {
        Self { document, out: Vec::new(), open: None, line: 0, repeats, entries: Entries::default() }
    }

    pub fn document(mut self) -> Vec<u8> {
        let root = self.document.root();
        let mark: &[u8] = if self.document.is_stream() { b"ndjson" } else { b"" };
        if self.document.kind(root) == Kind::Object {
            self.members(root, 0);
        } else {
            self.out.extend_from_slice(mark);
            if is_list_of_containers(self.document, root)
                || !(self.inline(root) && self.out[mark.len()] == b'[')
            {
                self.out.clear();
                self.block(mark, root, 0);
            }
        }
        self.out.push(b'\n');
        self.out
    }

    pub(super) fn start_line(&mut self, depth: usize) {
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

    /// Appends a pair to the current line, or to a new one.
    fn pair(&mut self, pair: &[u8], depth: usize) {
        let length = self.out.len() - self.line;
        if self.open != Some(depth) || length > 0 && length + pair.len() >= WRAP {
            self.start_line(depth);
        } else if length > 0 {
            self.out.push(b' ');
        }
        self.out.extend_from_slice(pair);
        self.open = Some(depth).filter(|_| !ends_line(pair));
    }

    /// Writes each member on the open line if it is short, else as a block.
    fn members(&mut self, id: Id, depth: usize) {
        let document = self.document;
        let mut pair = Vec::new();
        for child in document.children(id) {
            pair.clear();
            let value = write_folded_key(document, child, &mut pair);
            let end = pair.len();
            pair.push(b'=');
            let limit = pair.len() + INLINE;
            if write_value(document, self.repeats, value, &mut pair, limit) {
                self.pair(&pair, depth);
            } else {
                self.block(&pair[..end], value, depth);
            }
        }
    }

    /// Appends the value if it is short enough for a line, else nothing.
    fn inline(&mut self, id: Id) -> bool {
        let limit = self.out.len() + INLINE;
        write_value(self.document, self.repeats, id, &mut self.out, limit)
    }

    /// Ends the line that begins the block of `id`: with an anchor, if this is the first of several equal containers.
    pub(super) fn end_head(&mut self, id: Id) {
        if let Some((anchor, true)) = self.repeats.visit(id) {
            write_mark(&mut self.out, LINE_ANCHOR, anchor);
        }
    }

    /// Writes a list or an object as lines of its own, below a line that names it.
    pub(super) fn block(&mut self, path: &[u8], id: Id, depth: usize) {
        let document = self.document;
        let is_object = document.kind(id) == Kind::Object;
        let fewest = if is_object { 3 } else { 2 };
        if holds_objects(document, id)
            && document.children(id).nth(fewest - 1).is_some()
            && let Some(table) = Table::of(document, document.children(id).collect(), is_object)
        {
            return self.table(path, &table, id, depth);
        }
        self.start_line(depth);
        self.out.extend_from_slice(path);
        if is_object {
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
                if self.repeats.write_mark(id, &mut self.out) {
                    return;
                }
                self.line = self.out.len();
                self.open = Some(depth);
                self.members(id, depth);
            }
            Kind::Plain | Kind::Escaped => {
                // `key=value` would be an object.
                let text = document.text(id);
                write_string(&mut self.out, &text, !text.contains(['=', '{']));
            }
            _ => {
                if !self.inline(id) {
                    self.list_items(id, depth);
                }
            }
        }
    }
}

/// Whether a list holds at least two lists or objects, and nothing else: rows, which are read line by line.
fn is_list_of_containers(document: &Document<'_>, id: Id) -> bool {
    document.kind(id) == Kind::Array
        && document.children(id).nth(1).is_some()
        && document.children(id).all(|child| !document.is_scalar(child))
}

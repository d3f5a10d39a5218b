//! Values on one line: scalars, `[a b c]`, `{key=value}`. Strings that hold JSON (policies, last-applied-configuration)
//! are opened in place: `policy=json{Version=1}`.

use super::marks::STRING;
use super::repeats::Repeats;
use super::scalar::{write_key, write_string};
use crate::document::{Document, Id, Kind, Layout, scan};
use crate::render::STYLES;
use crate::render::expand::inline::value_of;

/// Deepest document that is written in this notation; deeper ones are left to minified JSON.
pub const MAX_DEPTH: usize = 128;

/// Appends the value at `id` unless `out` would grow beyond `limit` bytes: then `out` stays as it was, and the result
/// is `false`. Scalars and lists of scalars may be of any length.
pub fn write_value(
    document: &Document<'_>,
    repeats: &mut Repeats,
    id: Id,
    out: &mut Vec<u8>,
    limit: usize,
) -> bool {
    let (length, mark) = (out.len(), repeats.seen.len());
    let mut writer = Inline { document, repeats, out };
    if writer.value(id, limit) {
        return true;
    }
    repeats.seen.truncate(mark);
    out.truncate(length);
    false
}

/// A scalar with more bytes than this is too long for a line, however it is written.
const LONG: usize = 4096;
/// Shortest text that is opened, if it holds JSON.
const SHORTEST_EMBEDDED: usize = 16;

struct Inline<'w, 'd, 'a> {
    document: &'d Document<'a>,
    repeats: &'w mut Repeats,
    out: &'w mut Vec<u8>,
}

impl Inline<'_, '_, '_> {
    /// Recursion is bounded by the depth that [`super::render`] accepts.
    fn value(&mut self, id: Id, limit: usize) -> bool {
        let document = self.document;
        match document.kind(id) {
            Kind::Plain => write_string(self.out, document.span(id), true),
            Kind::Escaped => {
                let text = document.text(id);
                if !write_embedded(&text, self.out) {
                    write_string(self.out, &text, true);
                }
            }
            kind @ (Kind::Array | Kind::Object) if !document.is_childless(id) => {
                return self.repeats.write_mark(id, self.out)
                    || if kind == Kind::Array { self.list(id, limit) } else { self.object(id, limit) };
            }
            Kind::Array => self.out.extend_from_slice(b"[]"),
            Kind::Object => self.out.extend_from_slice(b"{}"),
            _ => self.out.extend_from_slice(document.span(id).as_bytes()),
        }
        true
    }

    /// A value within another. A scalar that is too long is not even tried: the containers around it would each try it
    /// again.
    fn fitting(&mut self, id: Id, limit: usize) -> bool {
        let long = limit != usize::MAX && self.document.span_len(id) > LONG && self.document.is_scalar(id);
        !long && self.value(id, limit) && self.out.len() <= limit
    }

    fn object(&mut self, id: Id, limit: usize) -> bool {
        let mut separator = b'{';
        for child in self.document.children(id) {
            self.out.push(separator);
            separator = b' ';
            let value = write_folded_key(self.document, child, self.out);
            self.out.push(b'=');
            if !self.fitting(value, limit) {
                return false;
            }
        }
        self.out.push(b'}');
        self.out.len() <= limit
    }

    fn list(&mut self, id: Id, limit: usize) -> bool {
        let document = self.document;
        // A list of nothing but scalars, or of lists of numbers (places, ranges), stays on one line, however long.
        let is_number = |id: Id| document.kind(id) == Kind::Number;
        let of_numbers = |id: Id| document.kind(id) == Kind::Array && document.children(id).all(is_number);
        let is_flat = document.children(id).all(|child| document.is_scalar(child))
            || document.children(id).all(of_numbers);
        let limit = if is_flat { usize::MAX } else { limit };
        self.out.push(b'[');
        let mut elements = document.children(id).peekable();
        let mut separate = false;
        while let Some(element) = elements.next() {
            if std::mem::replace(&mut separate, true) {
                self.out.push(b' ');
            }
            if let Some(last) = end_of_range(document, element, document.end(id)) {
                self.out.extend_from_slice(document.span(element).as_bytes());
                self.out.extend_from_slice(b"..");
                self.out.extend_from_slice(document.span(last).as_bytes());
                while elements.next_if(|&next| next <= last).is_some() {}
            } else if !self.fitting(element, limit) {
                return false;
            }
        }
        self.out.push(b']');
        self.out.len() <= limit
    }
}

/// Appends the value that `text` spells in JSON, with the word for its style; `false` if it is no JSON document
/// or could not be written again byte for byte.
fn write_embedded(text: &str, out: &mut Vec<u8>) -> bool {
    if text.len() < SHORTEST_EMBEDDED || !text.starts_with(['{', '[']) {
        return false;
    }
    let Layout::Document(document) = scan(text) else { return false };
    if document.is_stream() || document.is_childless(document.root()) || document.is_deeper(MAX_DEPTH / 4) {
        return false;
    }
    let mut inner = Vec::new();
    write_value(&document, &mut Repeats::default(), document.root(), &mut inner, usize::MAX);
    let plain: Vec<u8> = inner.iter().copied().filter(|byte| *byte != STRING).collect();
    let Some(value) = std::str::from_utf8(&plain).ok().and_then(value_of) else { return false };
    let same = STYLES.into_iter().find(|style| {
        let mut again = Vec::with_capacity(text.len());
        value.write_styled(&mut again, *style);
        again == text.as_bytes()
    });
    if let Some(style) = same {
        out.extend_from_slice(style.word.as_bytes());
        out.extend_from_slice(&inner);
    }
    same.is_some()
}

/// Appends the node's key and, as long as an object has a single member, the key of that member as one dotted path
/// (`a.b`); returns the node that the path leads to.
pub fn write_folded_key(document: &Document<'_>, mut id: Id, out: &mut Vec<u8>) -> Id {
    loop {
        write_key(out, document.key_id(id).map_or("", |key| document.key(key)));
        let is_object = document.kind(id) == Kind::Object && !document.is_childless(id);
        if !is_object || document.end(id + 1) != document.end(id) {
            return id;
        }
        id += 1;
        out.push(b'.');
    }
}

/// The last of three or more integers that count up by one from `first` on, in a list that ends at `end`.
fn end_of_range(document: &Document<'_>, first: Id, end: Id) -> Option<Id> {
    let start = canonical_integer(document, first)?;
    let mut last = first;
    while last + 1 < end && canonical_integer(document, last + 1) == Some(start + i64::from(last + 1 - first))
    {
        last += 1;
    }
    (last - first >= 2).then_some(last)
}

fn canonical_integer(document: &Document<'_>, id: Id) -> Option<i64> {
    let text = document.span(id);
    if document.kind(id) != Kind::Number || text.len() > 15 || text == "-0" {
        return None;
    }
    text.parse().ok()
}

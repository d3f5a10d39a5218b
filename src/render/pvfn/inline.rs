//! Values on one line: scalars, `[a b c]`, `{key=value}`, and `[columns: row, row]` for objects alike.

use super::paths::holds_objects;
use super::scalar::{Place, write_key, write_string};
use crate::document::{Document, Id, Kind};

/// Appends the value at `id` unless `out` would grow beyond `limit` bytes; then the rest of `out` is undefined
/// and the answer is `false`. A list of scalars may be of any length at the top.
///
/// Recursion is bounded by the depth that [`super::render`] accepts.
pub fn write_value(document: &Document<'_>, id: Id, out: &mut Vec<u8>, limit: usize) -> bool {
    match document.kind(id) {
        Kind::Plain | Kind::Escaped => {
            write_string(out, &document.text(id), Place::Token);
            return true;
        }
        Kind::Array => return write_list(document, id, out, limit),
        Kind::Object => {
            out.push(b'{');
            let mut separate = false;
            for child in document.children(id) {
                if std::mem::replace(&mut separate, true) {
                    out.push(b' ');
                }
                let value = write_folded_key(document, child, out);
                out.push(b'=');
                if !write_value(document, value, out, limit) || out.len() > limit {
                    return false;
                }
            }
            out.push(b'}');
        }
        _ => {
            out.extend_from_slice(document.span(id).as_bytes());
            return true;
        }
    }
    out.len() <= limit
}

/// Appends the node's key and those of the single members below it as one dotted path; returns the node that
/// the path leads to.
pub fn write_folded_key(document: &Document<'_>, mut id: Id, out: &mut Vec<u8>) -> Id {
    write_key(out, document.key_id(id).map_or("", |key| document.key(key)));
    while document.kind(id) == Kind::Object
        && !document.is_childless(id)
        && document.end(id + 1) == document.end(id)
    {
        id += 1;
        out.push(b'.');
        write_key(out, document.key_id(id).map_or("", |key| document.key(key)));
    }
    id
}

fn write_list(document: &Document<'_>, id: Id, out: &mut Vec<u8>, limit: usize) -> bool {
    let limit = if is_flat(document, id) { usize::MAX } else { limit };
    out.push(b'[');
    if has_same_keys(document, id) {
        if !write_rows(document, id, out, limit) {
            return false;
        }
    } else {
        let mut elements = document.children(id).peekable();
        let mut separate = false;
        while let Some(element) = elements.next() {
            if std::mem::replace(&mut separate, true) {
                out.push(b' ');
            }
            if let Some(last) = end_of_range(document, element) {
                out.extend_from_slice(document.span(element).as_bytes());
                out.extend_from_slice(b"..");
                out.extend_from_slice(document.span(last).as_bytes());
                while elements.next_if(|&next| next <= last).is_some() {}
            } else if !write_value(document, element, out, limit) || out.len() > limit {
                return false;
            }
        }
    }
    out.push(b']');
    out.len() <= limit
}

/// Whether a list holds nothing but scalars, or lists of scalars: it stays on one line, however long.
fn is_flat(document: &Document<'_>, id: Id) -> bool {
    let scalars = |id| document.children(id).all(|child| document.is_scalar(child));
    document
        .children(id)
        .all(|child| document.is_scalar(child) || document.kind(child) == Kind::Array && scalars(child))
}

/// `key key: value value, value value`
fn write_rows(document: &Document<'_>, id: Id, out: &mut Vec<u8>, limit: usize) -> bool {
    let mut separator: &[u8] = b"";
    for member in document.children(id + 1) {
        out.extend_from_slice(separator);
        separator = b" ";
        write_key(out, document.key_id(member).map_or("", |key| document.key(key)));
    }
    separator = b": ";
    for row in document.children(id) {
        for member in document.children(row) {
            out.extend_from_slice(separator);
            separator = b" ";
            if !write_value(document, member, out, limit) || out.len() > limit {
                return false;
            }
        }
        separator = b", ";
    }
    true
}

/// Whether a list holds at least two objects, all with the same keys in the same order.
fn has_same_keys(document: &Document<'_>, id: Id) -> bool {
    if !holds_objects(document, id) || document.end(id + 1) == document.end(id) {
        return false;
    }
    document.children(id).skip(1).all(|row| {
        let keys = |row| document.children(row).map(|member| document.key_id(member));
        keys(row).eq(keys(id + 1))
    })
}

/// The last of three or more integers that count up by one from `first` on.
fn end_of_range(document: &Document<'_>, first: Id) -> Option<Id> {
    let start = canonical_integer(document, first)?;
    let mut last = first;
    // The elements of a list of scalars are neighbours; anything else has no integer text.
    while (last as usize) + 1 < document.len()
        && document.key_id(last + 1).is_none()
        && canonical_integer(document, last + 1) == Some(start + i64::from(last + 1 - first))
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

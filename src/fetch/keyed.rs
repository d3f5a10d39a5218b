//! The answer for a program: one object, each call's output under the call's name.

use crate::document::{Document, Id, write_json_string};
use crate::render::minified;

#[derive(Clone, Copy, Debug)]
pub enum Printed<'a> {
    /// A document; a stream of several is a list of them.
    Document(&'a Document<'a>),
    Text(&'a str),
    Nothing,
}

/// `{"name":document,…}`, minified, with a final newline: text as a string, no output as null. Names are distinct.
pub fn keyed<'a>(calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>) -> Vec<u8> {
    write(calls, ",", minified::write)
}

/// Like [`keyed`], but with each document as it stands in its source, on lines of its own.
pub fn verbatim<'a>(calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>) -> Vec<u8> {
    write(calls, "\n,", |document, id, out| {
        out.push(b'\n');
        out.extend_from_slice(document.span(id).as_bytes());
    })
}

fn write<'a>(
    calls: impl IntoIterator<Item = (&'a str, Printed<'a>)>,
    comma: &str,
    write_value: impl Fn(&Document<'a>, Id, &mut Vec<u8>),
) -> Vec<u8> {
    let mut out = Vec::new();
    write_all("{", comma, "}\n", calls, &mut out, |(name, content), out| {
        write_key(name, out);
        match content {
            Printed::Nothing => out.extend_from_slice(b"null"),
            Printed::Text(text) => write_json_string(out, text),
            Printed::Document(document) => write_document(document, out, &write_value),
        }
    });
    out
}

pub(super) fn write_key(key: &str, out: &mut Vec<u8>) {
    write_json_string(out, key);
    out.push(b':');
}

/// Writes all items between `open` and `close`, separated by `comma`.
pub(super) fn write_all<T>(
    open: &str,
    comma: &str,
    close: &str,
    items: impl IntoIterator<Item = T>,
    out: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    out.extend_from_slice(open.as_bytes());
    for (at, item) in items.into_iter().enumerate() {
        out.extend_from_slice(if at > 0 { comma.as_bytes() } else { b"" });
        write(item, out);
    }
    out.extend_from_slice(close.as_bytes());
}

/// Writes the document by `write_value`, a stream as a list.
pub(super) fn write_document<'a>(
    document: &Document<'a>,
    out: &mut Vec<u8>,
    write_value: impl Fn(&Document<'a>, Id, &mut Vec<u8>),
) {
    if !document.is_stream() {
        return write_value(document, document.root(), out);
    }
    let ids = document.children(document.root());
    write_all("[", ",", "]", ids, out, |id, out| write_value(document, id, out));
}

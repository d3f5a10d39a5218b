//! The answer for a program: one object, each call's output under the call's name.

use crate::document::{Document, Id, write_json_string};
use crate::render::minified;

/// What one call printed.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// A document; a stream of several is a list of them.
    Document(&'a Document<'a>),
    /// Text that is no document.
    Text(&'a str),
    /// No output.
    Nothing,
}

/// `{"name":document,…}`, minified, with a final newline. Text becomes a string, no output becomes null. The names
/// must be distinct.
pub fn keyed<'a>(calls: impl IntoIterator<Item = (&'a str, Content<'a>)>) -> Vec<u8> {
    write(calls, ",", minified::write)
}

/// Like [`keyed`], but with each document as it stands in its source, on lines of its own.
pub fn verbatim<'a>(calls: impl IntoIterator<Item = (&'a str, Content<'a>)>) -> Vec<u8> {
    write(calls, "\n,", |document, id, out| {
        out.push(b'\n');
        out.extend_from_slice(document.span(id).as_bytes());
    })
}

fn write<'a>(
    calls: impl IntoIterator<Item = (&'a str, Content<'a>)>,
    comma: &str,
    write_value: impl Fn(&Document<'a>, Id, &mut Vec<u8>),
) -> Vec<u8> {
    let mut out = b"{".to_vec();
    for (name, content) in calls {
        if out.len() > 1 {
            out.extend_from_slice(comma.as_bytes());
        }
        write_json_string(&mut out, name);
        out.push(b':');
        match content {
            Content::Nothing => out.extend_from_slice(b"null"),
            Content::Text(text) => write_json_string(&mut out, text),
            Content::Document(document) => write_document(document, &mut out, &write_value),
        }
    }
    out.extend_from_slice(b"}\n");
    out
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
    out.push(b'[');
    for (at, id) in document.children(document.root()).enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write_value(document, id, out);
    }
    out.push(b']');
}

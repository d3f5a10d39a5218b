//! Minified JSON: no blanks, keys in order, scalars as they stood in the source. A stream is one document a line.

use std::ops::ControlFlow;

use super::PART;
use crate::document::{Document, Id, Kind, write_json_string, write_seen};

/// The document as minified JSON, with a final newline.
pub fn render(document: &Document<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let _ = render_in_parts(document, &mut out, |_| ControlFlow::Continue(()));
    out
}

/// The same in parts: `full` is called whenever `out` holds a part; it may empty `out`, and may end the rendering.
pub fn render_in_parts(
    document: &Document<'_>,
    out: &mut Vec<u8>,
    mut full: impl FnMut(&mut Vec<u8>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for id in document.documents() {
        write_in_parts(document, id, out, &mut full)?;
        out.push(b'\n');
    }
    ControlFlow::Continue(())
}

/// Whether `input` is the document as [`render`] writes it, byte for byte. Reads no further than the two agree.
pub fn is_same(document: &Document<'_>, input: &[u8]) -> bool {
    let (mut rest, mut out) = (input, Vec::new());
    let end = render_in_parts(document, &mut out, |part| match rest.strip_prefix(&part[..]) {
        Some(behind) => {
            rest = behind;
            part.clear();
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    });
    end.is_continue() && rest == out
}

/// Appends the subtree at `top`.
pub fn write(document: &Document<'_>, top: Id, out: &mut Vec<u8>) {
    let _ = write_in_parts(document, top, out, &mut |_| ControlFlow::Continue(()));
}

/// Appends the subtree at `top`, or its beginning until `out` holds 64 KiB.
pub fn write_beginning(document: &Document<'_>, top: Id, out: &mut Vec<u8>) {
    let _ = write_in_parts(document, top, out, &mut |_| ControlFlow::Break(()));
}

/// Works without recursion: the open containers stand in a list.
fn write_in_parts(
    document: &Document<'_>,
    top: Id,
    out: &mut Vec<u8>,
    full: &mut impl FnMut(&mut Vec<u8>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut open: Vec<(Id, u8)> = Vec::new();
    for id in top..document.end(top) {
        while let Some((_, close)) = open.pop_if(|(end, _)| *end <= id) {
            out.push(close);
        }
        if out.len() >= PART {
            full(out)?;
        }
        if id != top {
            // The node before is the parent, or a child or what is within one.
            let is_first = !document.is_scalar(id - 1) && document.end(id - 1) > id;
            if !is_first {
                out.push(b',');
            }
            if let Some(key) = document.key_id(id) {
                write_json_string(out, document.key(key));
                out.push(b':');
            }
        }
        match document.kind(id) {
            Kind::Array => {
                out.push(b'[');
                open.push((document.end(id), b']'));
            }
            Kind::Object => {
                out.push(b'{');
                open.push((document.end(id), b'}'));
            }
            Kind::Plain | Kind::Escaped => {
                out.push(b'"');
                let text = document.span(id);
                write_seen(out, text, 0..text.len());
                out.push(b'"');
            }
            _ => out.extend_from_slice(document.span(id).as_bytes()),
        }
    }
    while let Some((_, close)) = open.pop() {
        out.push(close);
    }
    ControlFlow::Continue(())
}

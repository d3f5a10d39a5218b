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

/// The same, with each object and list of a top-level list on a line of its own, as one reads them.
pub fn render_by_element(document: &Document<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    for id in document.documents() {
        let has_lines = document.children(id).any(|child| !document.is_scalar(child));
        if document.kind(id) != Kind::Array || !has_lines {
            write(document, id, &mut out);
        } else {
            out.extend_from_slice(b"[\n");
            for (nth, child) in document.children(id).enumerate() {
                out.extend_from_slice(if nth == 0 { b"" } else { b",\n" });
                write(document, child, &mut out);
            }
            out.extend_from_slice(b"\n]");
        }
        out.push(b'\n');
    }
    out
}

/// [`render`] in parts: `full` is called whenever `out` holds a part; it may empty `out`, and may end the rendering.
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

/// Fewest tokens that a document can take as minified JSON, without writing it: each scalar and key has the runs that it consists of, and behind it a run of signs that
/// separates it from the next. Counting stops beyond `enough`.
///
/// Sound for any encoding that first cuts a text into runs of letters (with at most one sign before them), up to
/// three digits, and runs of other signs, as `cl100k_base` does: no token reaches over such a cut.
pub fn fewest_tokens(document: &Document<'_>, enough: usize) -> usize {
    let with_sign = |text: &str| match runs(text) {
        0 => 0,
        runs => runs + 1,
    };
    let keys = 0..document.key_count() as u32;
    let key_tokens: Vec<u32> = keys.map(|key| with_sign(document.key(key)) as u32).collect();
    let mut tokens = 0;
    for id in document.root()..document.node_count() as Id {
        let key = document.key_id(id).and_then(|key| key_tokens.get(key as usize));
        tokens += key.map_or(0, |tokens| *tokens as usize);
        if document.is_scalar(id) {
            // Between two words without quotes in a list there is only one sign, and that may belong to the next word.
            let quoted = document.is_string(id) || document.key_id(id).is_some();
            let text = document.span(id);
            tokens += if quoted { with_sign(text) } else { runs(text) };
        }
        if tokens > enough {
            break;
        }
    }
    tokens
}

/// Fewest pieces of a text by its letters and digits alone. A character that is not ASCII may belong to a run of
/// either.
fn runs(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut runs, mut at) = (0, 0);
    while at < bytes.len() {
        let from = at;
        if bytes[at].is_ascii_digit() {
            while at < bytes.len() && bytes[at].is_ascii_digit() {
                at += 1;
            }
            let open =
                bytes.get(at).is_some_and(|byte| !byte.is_ascii()) || from > 0 && !bytes[from - 1].is_ascii();
            runs += if open { 0 } else { (at - from).div_ceil(3) };
        } else if bytes[at].is_ascii_alphabetic() || !bytes[at].is_ascii() {
            let mut letters = false;
            while at < bytes.len() && (bytes[at].is_ascii_alphabetic() || !bytes[at].is_ascii()) {
                letters |= bytes[at].is_ascii();
                at += 1;
            }
            runs += usize::from(letters);
        } else {
            at += 1;
        }
    }
    runs
}

//! Trials of large documents: a shape is counted while it is written, and given up where it can no longer win.

use std::ops::ControlFlow;

use super::model::{Count, Shape};
use crate::document::Document;
use crate::render::{minified, schema_yaml};
use crate::tokens::Counter;

/// Fewest nodes of a large document. A smaller one is rendered whole, so that `toto why` can tell its count.
const LARGE: usize = 1 << 16;

/// The tokens of a large document in a shape, with the note behind it: exact if they are at most `fewest`. `None` for
/// any other document or shape.
pub fn count(document: &Document<'_>, shape: Shape, note: &str, fewest: usize) -> Option<Count> {
    if document.node_count() < LARGE {
        return None;
    }
    let mut counter = Counter::default();
    let mut out = Vec::new();
    let take = |out: &mut Vec<u8>| {
        counter.push(out);
        out.clear();
        if counter.so_far() > fewest { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let end = match shape {
        Shape::Json => minified::render_in_parts(document, &mut out, take),
        Shape::SchemaYaml => schema_yaml::render_in_parts(document, &mut out, take),
        _ => return None,
    };
    if end.is_break() {
        return Some(Count::MoreThan(fewest));
    }
    counter.push(&out);
    counter.push(note.as_bytes());
    let tokens = counter.finish();
    Some(if tokens > fewest { Count::MoreThan(fewest) } else { Count::Exact(tokens) })
}

/// Whether a large document was minified JSON as it came.
pub fn is_minified(document: &Document<'_>, input: &[u8]) -> bool {
    document.node_count() >= LARGE && minified::is_same(document, input)
}

//! Trials of large documents: minified JSON is counted while it is written, and given up where it can no longer win.

use std::ops::ControlFlow;

use super::model::Count;
use crate::document::Document;
use crate::render::minified;
use crate::tokens::Counter;

/// Fewest nodes of a large document. A smaller one is rendered whole, so that `toto why` can tell its count.
const LARGE: usize = 1 << 16;

/// Whether a document is not rendered to be compared alone.
pub fn is_large(document: &Document<'_>) -> bool {
    document.node_count() >= LARGE
}

/// The tokens of a large document as minified JSON, with the note behind it: exact if they are at most `fewest`. `None`
/// for any other document.
pub fn count(document: &Document<'_>, note: &str, fewest: usize) -> Option<Count> {
    if !is_large(document) {
        return None;
    }
    let mut counter = Counter::default();
    let mut out = Vec::new();
    let take = |out: &mut Vec<u8>| {
        counter.push(out);
        out.clear();
        if counter.so_far() > fewest { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if minified::render_in_parts(document, &mut out, take).is_break() {
        return Some(Count::MoreThan(fewest));
    }
    counter.push(&out);
    counter.push(note.as_bytes());
    let tokens = counter.finish();
    Some(if tokens > fewest { Count::MoreThan(fewest) } else { Count::Exact(tokens) })
}

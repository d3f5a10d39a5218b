//! PVFN, the path-value notation: docs/notation.md specifies it, [`super::expand`] reads it back.

mod affixes;
mod aliases;
mod cells;
mod choice;
mod groups;
mod hash;
mod inline;
mod marks;
mod paths;
mod repeats;
mod rows;
pub(super) mod scalar;
mod share;
mod table;
mod templates;
mod tree;
mod write;

use crate::document::Document;
use repeats::Repeats;

/// The document in PVFN with a final newline; nothing if it is a scalar, empty, or nested too deeply.
pub fn render(document: &Document<'_>) -> Option<Vec<u8>> {
    if document.is_scalar(document.root())
        || document.is_childless(document.root())
        || document.is_deeper(inline::MAX_DEPTH)
    {
        return None;
    }
    let mut repeats = Repeats::of(document);
    let text = write::Writer::new(document, &mut repeats).document();
    let text = if repeats.keep_worthy(&share::references(&text), text.len()) {
        text
    } else {
        write::Writer::new(document, &mut repeats).document()
    };
    Some(share::share(document, text))
}

//! PVFN, the path-value notation: docs/notation.md specifies it, [`super::expand`] reads it back.

mod affixes;
mod aliases;
pub mod carried;
mod cells;
mod groups;
mod hash;
mod inline;
mod layout;
mod marks;
mod paths;
pub mod printed;
mod repeats;
mod rows;
pub(super) mod scalar;
pub(super) mod table;
pub(super) mod templates;
mod tree;
mod write;

use crate::document::Document;
use aliases::Aliases;
use hash::Map;
use marks::{ANCHOR, LINE_ANCHOR, REFERENCE, STRING, next_mark, number_at, string_at};
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
    let mut text = write::Writer::new(document, &mut repeats).document();
    if !repeats.are_worthy(&references(&text), text.len()) {
        text = write::Writer::new(document, &mut repeats).document();
    }
    Some(share(document, &text))
}

/// The last pass: a text that many strings begin with becomes an alias, and anchors that are referred to get their
/// numbers, in place of the marks in `text`.
fn share(document: &Document<'_>, text: &[u8]) -> Vec<u8> {
    let aliases = Aliases::of(document, text);
    // The numbers of the anchors, 0 until the first mark of each.
    let mut numbers: Map<u32, u32> = references(text).into_keys().map(|id| (id, 0)).collect();
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(aliases.definitions().as_bytes());
    let (mut from, mut next) = (0, 1);
    while let Some(at) = next_mark(text, from) {
        out.extend_from_slice(&text[from..at]);
        from = at + 1;
        if text[at] == STRING {
            if !aliases.is_empty() {
                let (content, quoted, end) = string_at(text, from);
                from = if aliases.write(content, quoted, &mut out) { end } else { from };
            }
            continue;
        }
        let (id, end) = number_at(text, from);
        from = end;
        let Some(number) = numbers.get_mut(&id) else { continue };
        if *number == 0 {
            (*number, next) = (next, next + 1);
        }
        let (before, behind) = match text[at] {
            ANCHOR => ("&", " "),
            LINE_ANCHOR => (" &", ""),
            _ => ("(as &", ")"),
        };
        out.extend_from_slice(format!("{before}{number}{behind}").as_bytes());
    }
    out.extend_from_slice(&text[from..]);
    out
}

/// How often each anchor is referred to.
fn references(text: &[u8]) -> Map<u32, i64> {
    let mut referred = Map::default();
    let mut from = 0;
    while let Some(at) = memchr::memchr(REFERENCE, &text[from..]) {
        let (id, end) = number_at(text, from + at + 1);
        *referred.entry(id).or_insert(0) += 1;
        from = end;
    }
    referred
}

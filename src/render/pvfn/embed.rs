//! Strings that hold JSON (policies, last-applied-configuration) are opened in place: `policy=json{Version=1}`.

use super::MAX_DEPTH;
use super::inline::write_value;
use super::repeats::Repeats;
use super::share::STRING;
use crate::document::{Document, Layout, scan};
use crate::render::expand::value_of;
use crate::render::json_text::STYLES;

/// Shortest text worth opening.
const SHORTEST: usize = 16;

/// Appends the value that `text` spells in JSON, with the word for its style; `false` if it is no JSON document
/// or could not be written again byte for byte.
pub fn write_embedded(text: &str, out: &mut Vec<u8>) -> bool {
    if text.len() < SHORTEST || !text.starts_with(['{', '[']) {
        return false;
    }
    let Layout::Document(document) = scan(text) else { return false };
    if document.is_stream() || document.is_childless(document.root()) || is_deeper(&document, MAX_DEPTH / 4) {
        return false;
    }
    let mut inner = Vec::new();
    write_value(&document, &mut Repeats::none(), document.root(), &mut inner, usize::MAX);
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

/// Whether there are more than `most` lists and objects around a value.
pub fn is_deeper(document: &Document<'_>, most: usize) -> bool {
    if document.depth() <= most {
        return false;
    }
    let mut open = Vec::new();
    (document.root()..document.end(document.root())).any(|id| {
        while open.pop_if(|end| *end <= id).is_some() {}
        if !document.is_scalar(id) {
            open.push(document.end(id));
        }
        open.len() > most
    })
}

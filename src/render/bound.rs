//! Fewest tokens that a document can take as minified JSON, without writing it: what cannot win is not rendered.
//!
//! Sound for any encoding that first cuts a text into runs of letters (with at most one sign before them), up to
//! three digits, and runs of other signs, as `cl100k_base` does: no token reaches over such a cut.

use crate::document::{Document, Id};

/// Fewest tokens of a document: each scalar and key has the runs that it consists of, and behind it a run of signs that
/// separates it from the next. Counting stops beyond `enough`.
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

//! The shapes a document can be written in, one file each, and the way back.

pub mod expand;
pub mod forms;
pub mod minified;
pub mod pvfn;
pub mod schema_yaml;

use std::borrow::Cow;

/// Bytes of a part, where a shape is written in parts.
const PART: usize = 64 * 1024;

/// How a JSON text within a string is spaced, as programs write it, so that it can be written again. The word stands before
/// the value in PVFN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    /// `json`, `jsonl`, …
    word: &'static str,
    comma: &'static str,
    colon: &'static str,
    /// The text behind the document.
    end: &'static str,
}

/// All styles, the most frequent first.
const STYLES: [Style; 3] = [
    Style { word: "json", comma: ",", colon: ":", end: "" },
    Style { word: "jsonl", comma: ",", colon: ":", end: "\n" },
    Style { word: "json1", comma: ", ", colon: ": ", end: "" },
];

/// The style whose word a text begins with, if an object or a list follows.
fn style_of(text: &str) -> Option<Style> {
    STYLES
        .into_iter()
        .find(|style| text.strip_prefix(style.word).is_some_and(|rest| rest.starts_with(['{', '['])))
}

/// The text of the JSON string whose opening quote stands at `start`, and the offset behind its closing one.
fn unquoted(text: &str, start: usize) -> Result<(Cow<'_, str>, usize), &'static str> {
    let end = closing_quote(text.as_bytes(), start + 1).ok_or("a string without its closing quote")?;
    let raw = text.get(start + 1..end).ok_or("a broken escape")?;
    let text = if raw.contains('\\') {
        Cow::Owned(serde_json::from_str(&text[start..=end]).map_err(|_| "not a JSON string")?)
    } else {
        Cow::Borrowed(raw)
    };
    Ok((text, end + 1))
}

/// Offset of the quote that ends the string whose text begins at `at`.
fn closing_quote(bytes: &[u8], mut at: usize) -> Option<usize> {
    while *bytes.get(at)? != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    Some(at)
}

/// Length of the text before the first byte that `ends` it (given its place), or a closing bracket that was not opened
/// in it.
fn bare_end(bytes: &[u8], ends: impl Fn(usize, u8) -> bool) -> usize {
    let mut open = 0u32;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if ends(at, byte) => return at,
            b'[' | b'{' | b'(' => open += 1,
            b']' | b'}' | b')' if open == 0 => return at,
            b']' | b'}' | b')' => open -= 1,
            _ => {}
        }
    }
    bytes.len()
}

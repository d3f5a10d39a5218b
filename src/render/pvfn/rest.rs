//! The rest of a line: text with blanks stands there as it is. Cells and names of tables that were printed as text.

use super::scalar::{REST, looks_typed, write_bare};
use crate::render::closing_quote;
use crate::render::json_text::style_of;
use crate::{hidden, marks};

/// Whether the rest of a line is read as a value of the notation; else it is text as it stands.
pub fn is_value(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |last: u8| bytes.last() == Some(&last);
    let opens = |what: fn(u8) -> bool| bytes.get(1).is_some_and(|&byte| what(byte));
    match bytes.first() {
        Some(b'"') => is_quoted(text),
        Some(b'[') => ends(b']'),
        Some(b'{') => ends(b'}'),
        Some(b'(') => text.starts_with("(as &"),
        Some(b'&') => opens(|byte| byte.is_ascii_digit()),
        Some(b'$') => opens(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'{')),
        Some(b'j') => style_of(text).is_some() && (ends(b']') || ends(b'}')),
        _ => text.is_empty() || text == "-" || looks_typed(text),
    }
}

/// Whether a text is one string in quotes, from its first byte to its last.
pub fn is_quoted(text: &str) -> bool {
    text.starts_with('"') && closing_quote(text.as_bytes(), 1) == Some(text.len() - 1)
}

/// Whether a text keeps its edges and shows all that is in it where it is the rest of a line, and no line of a table
/// that is no row begins like it.
pub fn is_clear(text: &str) -> bool {
    let head = |name: &str| text.starts_with(name);
    !text.is_empty()
        && text.trim().len() == text.len()
        && !text.contains(['\n', '\t'])
        && !hidden::is_in(text.as_bytes())
        && !marks::is_ours(text.as_bytes())
        && !(head("all: ") || head("default: ") || head("next ") && text.as_bytes()[5].is_ascii_digit())
}

/// Whether a string can be the rest of a line as it stands.
pub fn stands(text: &str) -> bool {
    is_clear(text) && !is_value(text)
}

/// Appends the name of a column.
pub fn write_name(out: &mut Vec<u8>, name: &str) {
    write_bare(out, name, is_word(name) && !name.contains('=') && !name.ends_with(REST));
}

/// Appends a cell; `None` is an empty one.
pub fn write_cell(text: Option<&str>, is_first: bool, is_rest: bool, out: &mut Vec<u8>) {
    let Some(text) = text else { return out.push(b'-') };
    let is_head = is_first && (matches!(text, "all:" | "default:" | "next") || marks::is_first_word(text));
    let is_rest = is_rest && is_clear(text) && text != "-" && !is_quoted(text);
    write_bare(out, text, is_rest || is_word(text) && !is_head);
}

/// Whether a text is a word that can be told from a quoted one and from an empty cell.
fn is_word(text: &str) -> bool {
    let is_blank = |byte: &u8| *byte <= b' ' || *byte == 0x7f;
    let bytes = text.as_bytes();
    !matches!(text, "" | "-")
        && bytes[0] != b'"'
        && !bytes.iter().any(is_blank)
        && (text.is_ascii() || !hidden::is_in(bytes) && !text.contains(char::is_whitespace))
}

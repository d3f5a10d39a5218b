//! Values of a row: bare where that can be read back, else in quotes.

use std::borrow::Cow;

/// Stands in front of a line that is written whole among rows.
pub(super) const WHOLE: &str = "> ";

/// Stands for a value that is known from a row above.
pub(super) const KNOWN: &str = "…";

/// Whether a row that begins like this would be read as something else.
fn misleads(text: &str) -> bool {
    text.starts_with(['…', '>', ' ', '\t'])
}

/// Whether a line among rows stands there as it is: it is indented or empty, and no row is.
pub(super) fn is_indented(line: &str) -> bool {
    line.is_empty() || line.starts_with([' ', '\t'])
}

/// Appends a line among rows whole, behind [`WHOLE`] unless it is indented or empty.
pub(super) fn write_whole(out: &mut String, line: &str) {
    if !is_indented(line) {
        out.push_str(WHOLE);
    }
    out.push_str(line);
    out.push('\n');
}

/// Appends a value that others may follow.
pub(super) fn write(out: &mut String, value: &str, is_first: bool) {
    let is_cut = value.starts_with('"') || value.contains([' ', '\n']);
    put(out, value, is_first, is_cut);
}

/// Appends the last value of a row, which reaches to the end of the line.
pub(super) fn write_last(out: &mut String, value: &str, is_first: bool) {
    let is_cut = value.starts_with(' ') || value.len() > 1 && value.starts_with('"') && value.ends_with('"');
    put(out, value, is_first, is_cut);
}

/// Appends a value, in quotes where another one would be read: `is_cut` says that a part of it would be.
fn put(out: &mut String, value: &str, is_first: bool, is_cut: bool) {
    if is_cut || value.is_empty() || value == KNOWN || is_first && misleads(value) {
        quote(out, value);
    } else {
        out.push_str(value);
    }
}

fn quote(out: &mut String, value: &str) {
    out.push('"');
    for char in value.chars() {
        if matches!(char, '"' | '\\') {
            out.push('\\');
        }
        out.push(char);
    }
    out.push('"');
}

/// The value between quotes at the beginning of `text`, and the number of bytes read.
fn unquote(text: &str) -> Option<(Cow<'_, str>, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    let mut is_escaped = false;
    while let Some((at, char)) = chars.next() {
        match char {
            '"' if is_escaped => return Some((value.into(), at + 1)),
            '"' => return Some((text[1..at].into(), at + 1)),
            '\\' => {
                if !is_escaped {
                    value.push_str(&text[1..at]);
                    is_escaped = true;
                }
                value.push(chars.next()?.1);
            }
            _ if is_escaped => value.push(char),
            _ => {}
        }
    }
    None
}

/// Reads one value and the blank behind it; returns the value and the rest of the text.
pub(super) fn read(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let (value, rest) = if text.starts_with('"') {
        let (value, length) = unquote(text)?;
        (value, &text[length..])
    } else {
        let end = text.find(' ').unwrap_or(text.len());
        (text[..end].into(), &text[end..])
    };
    if rest.is_empty() { Some((value, rest)) } else { Some((value, rest.strip_prefix(' ')?)) }
}

/// Reads the last value of a row.
pub(super) fn read_last(text: &str) -> Option<Cow<'_, str>> {
    if text.len() > 1 && text.starts_with('"') && text.ends_with('"') {
        return unquote(text).filter(|(_, length)| *length == text.len()).map(|(value, _)| value);
    }
    Some(text.into())
}

//! Values of a row: bare where that can be read back, else in quotes.

use std::borrow::Cow;

/// Stands in front of a line that is written whole among rows.
pub(super) const WHOLE: &str = "> ";

/// Stands for a value that is known from a row above.
pub(super) const KNOWN: &str = "…";

/// Whether a line among rows stands there as it is: it is indented or empty, and no row is.
pub(super) fn is_indented(line: &str) -> bool {
    line.is_empty() || line.starts_with([' ', '\t'])
}

/// Appends a value, in quotes where another one would be read. The last value of a row reaches to the end of the line.
pub(super) fn write(out: &mut String, value: &str, is_first: bool, is_last: bool) {
    let is_cut = if is_last {
        value.starts_with(' ') || value.len() > 1 && value.starts_with('"') && value.ends_with('"')
    } else {
        value.starts_with('"') || value.contains([' ', '\n'])
    };
    // The row would be read as something else.
    let misleads = is_first && value.starts_with(['…', '>', ' ', '\t']);
    if !(is_cut || value.is_empty() || value == KNOWN || misleads) {
        return out.push_str(value);
    }
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
    let plain = text[1..].find(['"', '\\'])? + 1;
    if text[plain..].starts_with('"') {
        return Some((text[1..plain].into(), plain + 1));
    }
    let mut value = text[1..plain].to_owned();
    let mut chars = text[plain..].char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value.into(), plain + at + 1)),
            '\\' => value.push(chars.next()?.1),
            _ => value.push(char),
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

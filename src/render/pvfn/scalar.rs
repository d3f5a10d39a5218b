//! How keys and scalars are written: bare where that can be read back, else as JSON strings. Text with blanks stands as it
//! is where it is the rest of a line; so do words of tables that were printed as text.

use super::marks::STRING;
use crate::document::{is_number, write_json_string};
use crate::render::{closing_quote, style_of};
use crate::{hidden, marks};

/// Stands behind the name of a column that takes the rest of the line.
pub const REST: char = '…';

/// Whether `text` is a JSON scalar other than a string: a string like that would change its type if written bare.
pub fn looks_typed(text: &str) -> bool {
    matches!(text, "null" | "true" | "false") || is_number(text)
}

/// Whether a string can stand without quotes as the value of `key=`, a cell of a row, or an element of a list.
pub fn is_bare(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    // By far the most frequent case: a word without any byte that has a meaning.
    if first.is_ascii_alphabetic() && last != b':' && bytes.iter().all(|byte| PLAIN[*byte as usize]) {
        return true;
    }
    if matches!(first, b'"' | b'[' | b'{' | b'(')
        || matches!(last, b',' | b':')
        || first == b'&' && bytes.get(1).is_some_and(u8::is_ascii_digit)
        || hidden::is_in(bytes)
        // Other white space at an edge, or as the whole text, would not be seen.
        || text.trim().len() != text.len()
        || text == "-"
        || style_of(text).is_some()
        || is_range(text)
    {
        return false;
    }
    let mut open: u32 = 0;
    let mut dollar = false;
    for &byte in bytes {
        if dollar && (byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'"' | b'$')) {
            return false;
        }
        dollar = byte == b'$';
        match byte {
            0..=b' ' | 0x7f => return false,
            b'[' | b'{' | b'(' => open += 1,
            b']' | b'}' | b')' if open == 0 => return false,
            b']' | b'}' | b')' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

/// Bytes without a meaning, wherever they stand behind a letter.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = matches!(byte as u8,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' | b':' | b'@' | b'+');
        byte += 1;
    }
    plain
};

/// `1..9`, which in a list stands for the integers from 1 to 9.
pub fn is_range(text: &str) -> bool {
    text.split_once("..").is_some_and(|(from, to)| is_integer(from) && is_integer(to))
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Appends a string with its mark: bare if it `may` be and can be and would not be taken for a number, `true`, `false`
/// or `null`.
pub fn write_string(out: &mut Vec<u8>, text: &str, may: bool) {
    write_marked(out, text, may && is_bare(text) && !looks_typed(text));
}

/// Appends a text with the mark of a string, bare if it can be.
pub fn write_marked(out: &mut Vec<u8>, text: &str, can_be: bool) {
    if text.len() >= 6 {
        out.push(STRING);
    }
    write_bare(out, text, can_be);
}

/// Appends a key, quoted if it holds anything that a path gives a meaning to.
pub fn write_key(out: &mut Vec<u8>, key: &str) {
    write_bare(out, key, is_bare_key(key));
}

/// Appends a text bare if it can be, else as a JSON string.
pub fn write_bare(out: &mut Vec<u8>, text: &str, can_be: bool) {
    if can_be {
        out.extend_from_slice(text.as_bytes());
    } else {
        write_json_string(out, text);
    }
}

/// Whether a key can stand without quotes.
pub fn is_bare_key(key: &str) -> bool {
    let bytes = key.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    let plain = |byte: &u8| {
        !matches!(byte, 0..=b' ' | 0x7f | b'"' | b'.' | b'=' | b'[' | b']' | b'{' | b'}' | b'(' | b')' | b',')
    };
    !matches!(first, b'-' | b'*' | b'&' | b'$' | b'@')
        && last != b':'
        && !key.ends_with(REST)
        && bytes.iter().all(plain)
        && !bytes.iter().all(u8::is_ascii_digit)
        && key != "ndjson"
        && !hidden::is_in(bytes)
}

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
    write_bare(out, name, is_word(name) && !name.contains(['=', REST]));
}

/// Whether the first cell of a row might be read as `name=value`, which differs from what its table says.
pub fn begins_with_pair(text: &str) -> bool {
    text.starts_with('"') || text.split(' ').next().is_some_and(|word| word.contains('='))
}

/// Appends a cell that is not empty.
pub fn write_cell(text: &str, is_first: bool, is_rest: bool, out: &mut Vec<u8>) {
    let is_pair = is_first && begins_with_pair(text);
    let is_head = is_pair || is_first && (text == "next" || marks::is_first_word(text));
    // A drawn tree (`ps --forest`) is seen by its indentation: behind another cell it is what follows one blank.
    let seen = if is_first { text } else { text.trim_start_matches(' ') };
    let is_rest = is_rest && !is_pair && is_clear(seen) && seen != "-" && !is_quoted(seen);
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

/// Estimated tokens of a text: runs of letters, digits and punctuation as `cl100k_base` splits them. Devices are chosen
/// by it; reported tokens are counted exactly.
pub fn estimate(text: impl AsRef<[u8]>) -> u32 {
    let bytes = text.as_ref();
    let (mut quarters, mut at) = (0, 0);
    while at < bytes.len() {
        let (class, from) = (CLASS[bytes[at] as usize], at);
        while at < bytes.len() && CLASS[bytes[at] as usize] == class {
            at += 1;
        }
        let length = at - from;
        quarters += match class {
            Class::Letter => 4 + length.saturating_sub(5),
            Class::Digit => 4 * length.div_ceil(3),
            Class::Foreign => 2 * length,
            // A word takes one blank with it.
            Class::Blank => 4 * usize::from(length > 1),
            Class::Sign => 4 * length.div_ceil(2),
        };
    }
    quarters.div_ceil(4) as u32
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Foreign,
    Blank,
    Sign,
}

const CLASS: [Class; 256] = {
    let mut classes = [Class::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            0x80.. => Class::Foreign,
            b' ' => Class::Blank,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

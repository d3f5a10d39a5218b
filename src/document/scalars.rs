//! Numbers and strings of JSON, and what may be wrong with a text of JSON.

use std::ops::Range;

use crate::hidden;

/// Why a text was not read as a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not JSON from the byte offset on.
    Syntax(usize),
    /// The text ends within the document.
    Truncated,
    /// What cannot be said again faithfully: a key twice in an object, half of a surrogate pair, more levels or more
    /// nodes than are read.
    Refused,
}

impl Fault {
    /// The fault of a text that does not go on at `at` as JSON does.
    pub fn unexpected(bytes: &[u8], at: usize) -> Self {
        if at < bytes.len() { Self::Syntax(at) } else { Self::Truncated }
    }
}

/// Whether `text` is a number (RFC 8259, section 6).
pub fn is_number(text: &str) -> bool {
    number_end(text.as_bytes(), 0) == Ok(text.len())
}

/// Offset behind the number that begins at `start`; a fault where none begins, or one ends too early.
pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let digits = |mut at: usize| {
        let from = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        if at > from { Ok(at) } else { Err(Fault::unexpected(bytes, at)) }
    };
    let mut at = start + usize::from(bytes.get(start) == Some(&b'-'));
    at = if bytes.get(at) == Some(&b'0') { at + 1 } else { digits(at)? };
    if bytes.get(at) == Some(&b'.') {
        at = digits(at + 1)?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at = digits(at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-'))))?;
    }
    Ok(at)
}

/// The value of an escaped JSON string.
///
/// # Panics
/// Never: the parser has read `raw`.
pub fn decode(raw: &str) -> String {
    serde_json::from_str(&format!("\"{raw}\"")).expect("a JSON string")
}

/// The number that the first four bytes spell in hexadecimal.
pub(super) fn hex4(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.get(..4)?;
    digits.iter().try_fold(0, |sum, &digit| Some(sum << 4 | char::from(digit).to_digit(16)?))
}

/// Appends `text` as a JSON string with its quotes, escaping what must be and what nobody would see.
pub fn write_json_string(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\t' => b't',
            b'\r' => b'r',
            0x8 => b'b',
            0xC => b'f',
            _ => continue,
        };
        write_seen(out, text, from..at);
        out.extend_from_slice(&[b'\\', short]);
        from = at + 1;
    }
    write_seen(out, text, from..bytes.len());
    out.push(b'"');
}

/// Appends a part of a JSON string, with escapes for the characters that nobody would see.
pub fn write_seen(out: &mut Vec<u8>, text: &str, part: Range<usize>) {
    let mut from = part.start;
    for at in part.clone() {
        let Some(c) = hidden::at(text.as_bytes(), at) else { continue };
        out.extend_from_slice(&text.as_bytes()[from..at]);
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.extend_from_slice(format!("\\u{unit:04x}").as_bytes());
        }
        from = at + c.len_utf8();
    }
    out.extend_from_slice(&text.as_bytes()[from..part.end]);
}

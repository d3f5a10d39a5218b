//! JSON strings: reading their escapes and writing them.

use std::ops::Range;

use crate::hidden;

/// The value of an escaped JSON string (RFC 8259, section 7). `raw` has been validated by the parser.
pub fn decode(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes()[at + 1];
        rest = &rest[at + 2..];
        match escape {
            b'n' => out.push('\n'),
            b't' => out.push('\t'),
            b'r' => out.push('\r'),
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'u' => {
                let mut code = hex4(rest.as_bytes()).unwrap_or(0xFFFD);
                rest = &rest[4..];
                if (0xD800..0xDC00).contains(&code) {
                    let low = hex4(&rest.as_bytes()[2..]).unwrap_or(0xDC00);
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                    rest = &rest[6..];
                }
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    out
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

#[cfg(test)]
#[path = "../../tests/unit/document/string.rs"]
mod tests;

//! Numbers of JSON (RFC 8259, section 6).

use super::fault::Fault;

/// Whether `text` is a number.
pub fn is_number(text: &str) -> bool {
    end(text.as_bytes(), 0) == Ok(text.len())
}

/// Offset behind the number that begins at `start`; a fault where none begins, or one ends too early.
pub fn end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
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

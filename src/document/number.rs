//! The shape of JSON numbers.

/// Whether `text` is a JSON number (RFC 8259, section 6).
pub fn is_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        let from = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        (at > from).then_some(at)
    };
    let start = usize::from(bytes.first() == Some(&b'-'));
    let whole = if bytes.get(start) == Some(&b'0') { Some(start + 1) } else { digits(start) };
    let Some(mut at) = whole else { return false };
    if bytes.get(at) == Some(&b'.') {
        let Some(end) = digits(at + 1) else { return false };
        at = end;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let Some(end) = digits(at + 1 + sign) else { return false };
        at = end;
    }
    at == bytes.len()
}

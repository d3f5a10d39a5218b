//! The control bytes by which the writer marks strings and anchors: no bare or quoted text holds them.

use crate::render::{bare_end, closing_quote};

/// Stands before a string value.
pub const STRING: u8 = 0x01;
/// Around the number of an anchor that stands before its value.
pub const ANCHOR: u8 = 0x02;
/// Around the number of an anchor at the end of a line.
pub const LINE_ANCHOR: u8 = 0x03;
/// Around the number of an anchor that is referred to.
pub const REFERENCE: u8 = 0x04;
/// Behind a reference, which becomes `(as &12)`: about as long as that, so that lines end where they should.
const ROOM: [u8; 4] = [REFERENCE; 4];

/// Appends a mark: an anchor or a reference to one.
pub fn write_mark(out: &mut Vec<u8>, kind: u8, anchor: u32) {
    out.push(kind);
    out.extend_from_slice(anchor.to_string().as_bytes());
    out.push(kind);
    if kind == REFERENCE {
        out.extend_from_slice(&ROOM);
    }
}

pub fn next_mark(text: &[u8], from: usize) -> Option<usize> {
    text[from..].iter().position(|byte| (STRING..=REFERENCE).contains(byte)).map(|at| from + at)
}

/// The number that begins at `from`, and where the mark behind it ends.
pub fn number_at(text: &[u8], from: usize) -> (u32, usize) {
    let mut id = 0;
    let mut at = from;
    while text[at].is_ascii_digit() {
        id = id * 10 + u32::from(text[at] - b'0');
        at += 1;
    }
    let room = if text[at] == REFERENCE { ROOM.len() } else { 0 };
    (id, at + 1 + room)
}

/// The string that begins at `from`: its text without quotes, whether it has quotes, and where it ends. A bare one ends
/// before a blank, a control byte, or a closing bracket that was not opened in it.
pub fn string_at(text: &[u8], from: usize) -> (&str, bool, usize) {
    let quoted = text[from] == b'"';
    let (start, end) = if quoted {
        (from + 1, closing_quote(text, from + 1).unwrap_or(text.len()))
    } else {
        (from, from + bare_end(&text[from..], |_, byte| byte <= b' '))
    };
    (std::str::from_utf8(&text[start..end]).unwrap_or_default(), quoted, end + usize::from(quoted))
}

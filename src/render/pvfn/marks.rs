//! The control bytes by which the writer marks strings and anchors: no bare or quoted text holds them.

use crate::render::bare_end;

/// Stands before a string value.
pub const STRING: u8 = 0x01;
/// Around the number of an anchor that stands before its value.
pub const ANCHOR: u8 = 0x02;
/// Around the number of an anchor at the end of a line.
pub const LINE_ANCHOR: u8 = 0x03;
/// Around the number of an anchor that is referred to.
pub const REFERENCE: u8 = 0x04;
/// Behind a reference, which becomes `(as &12)`: no mark may be shorter than the text that it becomes.
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

/// Where the next mark stands.
pub fn next_mark(text: &[u8], from: usize) -> Option<usize> {
    let words = text[from..].chunks_exact(8).take_while(|word| !may_hold_mark(word)).count();
    let from = from + words * 8;
    text[from..].iter().position(|byte| (STRING..=REFERENCE).contains(byte)).map(|at| from + at)
}

/// Whether one of eight bytes is no greater than the last mark: subtracting more than the last mark from it borrows.
fn may_hold_mark(word: &[u8]) -> bool {
    const ONES: u64 = u64::MAX / 0xFF;
    let word = word.try_into().map_or(0, u64::from_le_bytes);
    word.wrapping_sub(ONES * (u64::from(REFERENCE) + 1)) & !word & ONES << 7 != 0
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
        let mut at = from + 1;
        while text[at] != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        (from + 1, at)
    } else {
        (from, from + bare_end(&text[from..], |_, byte| byte <= b' '))
    };
    (std::str::from_utf8(&text[start..end]).unwrap_or_default(), quoted, end + usize::from(quoted))
}

//! The last pass: a text that many strings begin with becomes an alias, and anchors that are referred to get their
//! numbers.
//!
//! The writer marks strings and anchors with control bytes, which no bare or quoted text holds.

use super::aliases::Aliases;
use super::hash::Map;
use super::scalar::bare_end;
use crate::document::Document;

/// Stands before a string value.
pub const STRING: u8 = 0x01;
/// Around the number of an anchor that stands before its value.
pub const ANCHOR: u8 = 0x02;
/// Around the number of an anchor at the end of a line.
pub const LINE_ANCHOR: u8 = 0x03;
/// Around the number of an anchor that is referred to.
pub const REFERENCE: u8 = 0x04;

/// Resolves the marks in `text`. The text that replaces a mark is never longer than the bytes that it replaces, so the
/// text is rewritten in place.
pub fn share(document: &Document<'_>, mut text: Vec<u8>) -> Vec<u8> {
    let aliases = Aliases::of(document, &text);
    let anchors = number_anchors(&text);
    let mut written = 0;
    let mut from = 0;
    let mut piece = Vec::new();
    while let Some(at) = mark(&text, from) {
        text.copy_within(from..at, written);
        written += at - from;
        piece.clear();
        if text[at] == STRING {
            from = at + 1;
            if !aliases.is_empty() {
                let (content, quoted, end) = string_at(&text, at + 1);
                if aliases.write(content, quoted, &mut piece) {
                    from = end;
                }
            }
        } else {
            let (id, end) = number_at(&text, at + 1);
            from = end;
            if let Some(number) = anchors.get(&id) {
                let (before, behind) = match text[at] {
                    ANCHOR => ("&", " "),
                    LINE_ANCHOR => (" &", ""),
                    _ => ("*", ""),
                };
                piece.extend_from_slice(format!("{before}{number}{behind}").as_bytes());
            }
        }
        debug_assert!(written + piece.len() <= from, "a mark became longer");
        text[written..written + piece.len()].copy_from_slice(&piece);
        written += piece.len();
    }
    let end = text.len();
    text.copy_within(from..end, written);
    text.truncate(written + end - from);
    if !aliases.is_empty() {
        text.splice(0..0, aliases.definitions());
    }
    text
}

fn mark(text: &[u8], from: usize) -> Option<usize> {
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

fn number_at(text: &[u8], from: usize) -> (u32, usize) {
    let mut id = 0;
    let mut at = from;
    while text[at].is_ascii_digit() {
        id = id * 10 + u32::from(text[at] - b'0');
        at += 1;
    }
    (id, at + 1)
}

/// How often each anchor is referred to.
pub fn references(text: &[u8]) -> Map<u32, i64> {
    let mut referred = Map::default();
    let mut from = 0;
    while let Some(at) = memchr::memchr(REFERENCE, &text[from..]) {
        let (id, end) = number_at(text, from + at + 1);
        *referred.entry(id).or_insert(0) += 1;
        from = end;
    }
    referred
}

/// The anchors that are referred to, numbered as they come.
fn number_anchors(text: &[u8]) -> Map<u32, u32> {
    let mut numbers: Map<u32, u32> = references(text).into_keys().map(|id| (id, 0)).collect();
    let (mut from, mut next) = (0, 1);
    while !numbers.is_empty()
        && let Some(at) = mark(text, from)
    {
        from = at + 1;
        if matches!(text[at], ANCHOR | LINE_ANCHOR | REFERENCE) {
            let (id, end) = number_at(text, at + 1);
            from = end;
            if let Some(number) = numbers.get_mut(&id).filter(|number| **number == 0) {
                *number = next;
                next += 1;
            }
        }
    }
    numbers
}

/// The string that begins at `from`: its text without quotes, whether it has quotes, and where it ends.
pub fn string_at(text: &[u8], from: usize) -> (&str, bool, usize) {
    let quoted = text[from] == b'"';
    let end = if quoted {
        let mut at = from + 1;
        while text[at] != b'"' {
            at += if text[at] == b'\\' { 2 } else { 1 };
        }
        at + 1
    } else {
        let length = bare_end(&text[from..]);
        from + length
    };
    let content = if quoted { &text[from + 1..end - 1] } else { &text[from..end] };
    (std::str::from_utf8(content).unwrap_or_default(), quoted, end)
}

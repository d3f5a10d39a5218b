//! The words of a line and the columns in which a terminal shows them.

use std::ops::Range;

use super::super::line::Line;

/// A run of characters that are no blanks: its place in the text, and its columns in the line.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub start: usize,
    pub end: usize,
    pub from: usize,
    pub to: usize,
}

/// The columns that a character takes. Tools pad by columns of a terminal, by characters (Go's tabwriter), or by bytes
/// (C's printf).
pub type Measure = fn(char) -> usize;

pub const MEASURES: [Measure; 3] = [shown, |_| 1, char::len_utf8];

/// Characters on which others are put, or that are not shown (Unicode's `Mn`, `Me` and `Cf` in common scripts): where
/// they begin and end, in turn.
const NO_COLUMN: &[u32] = &[
    0x300, 0x370, 0x483, 0x48A, 0x591, 0x5BE, 0x610, 0x61B, 0x64B, 0x660, 0x1AB0, 0x1B00, 0x1DC0, 0x1E00,
    0x200B, 0x2010, 0x202A, 0x202F, 0x2060, 0x2065, 0x20D0, 0x2100, 0xFE00, 0xFE10, 0xFE20, 0xFE30, 0xFEFF,
    0xFF00, 0xE0100, 0xE01F0,
];

/// The same of characters of two columns (Unicode's East Asian Width `W` and `F`, in blocks).
const TWO_COLUMNS: &[u32] = &[
    0x1100, 0x1160, 0x231A, 0x231C, 0x23E9, 0x23ED, 0x2614, 0x2616, 0x26A1, 0x26A2, 0x2705, 0x2706, 0x2728,
    0x2729, 0x274C, 0x274D, 0x2753, 0x2756, 0x2B50, 0x2B51, 0x2E80, 0x303F, 0x3041, 0xA4D0, 0xA960, 0xA97D,
    0xAC00, 0xD7A4, 0xF900, 0xFB00, 0xFE30, 0xFE70, 0xFF00, 0xFF61, 0xFFE0, 0xFFE7, 0x1F300, 0x1F650,
    0x1F680, 0x1F700, 0x1F7E0, 0x1F7EC, 0x1F900, 0x1FA00, 0x1FA70, 0x1FB00, 0x20000, 0x3FFFE,
];

/// The columns that a terminal shows a character in.
pub fn shown(character: char) -> usize {
    let scalar = character as u32;
    let is_in = |bounds: &[u32]| bounds.partition_point(|bound| *bound <= scalar) % 2 == 1;
    if scalar < 0x300 || !is_in(NO_COLUMN) { 1 + usize::from(is_in(TWO_COLUMNS)) } else { 0 }
}

/// The line that begins at `at`, without its end and the blanks before that, and where the next line begins.
pub fn line_at(text: &str, at: usize) -> (Range<usize>, usize) {
    Line::at(text, at).map_or((at..at, at), |line| {
        let length = line.text.trim_end_matches([' ', '\r']).len();
        (at..at + length, line.next)
    })
}

/// Finds the words of a line, at least so many, and up to the second that begins at column `limit` or behind. Returns
/// whether all is ASCII up to there; `None` where there is a control character.
pub fn find(
    text: &str,
    line: &Range<usize>,
    (limit, least): (usize, usize),
    measure: Measure,
    words: &mut Vec<Word>,
) -> Option<bool> {
    words.clear();
    let bytes = text.as_bytes();
    let (mut at, mut column, mut is_ascii, mut behind) = (line.start, 0, true, 0);
    while behind < 2 || words.len() < least {
        let blanks = bytes[at..line.end].iter().take_while(|byte| **byte == b' ').count();
        (at, column) = (at + blanks, column + blanks);
        if at == line.end {
            break;
        }
        let (start, from) = (at, column);
        while at < line.end && bytes[at] != b' ' {
            match bytes[at] {
                0..0x20 | 0x7F => return None,
                0x80.. => {
                    is_ascii = false;
                    let character = text[at..].chars().next()?;
                    (at, column) = (at + character.len_utf8(), column + measure(character));
                }
                _ => (at, column) = (at + 1, column + 1),
            }
        }
        words.push(Word { start, end: at, from, to: column });
        behind += usize::from(from >= limit);
    }
    Some(is_ascii)
}

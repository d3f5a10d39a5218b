//! Estimated tokens of texts, and the places where texts may be cut.

/// Estimated tokens of a text, by its letters, digits and signs. Candidates are compared by it, because exact counts of
/// all of them would take ten times as long. The router counts the result exactly.
///
/// The weights were fitted to the texts and notations of the corpus; for a line they are right within a tenth.
pub(super) fn about(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut last, mut quarters, mut at) = (BEGINS.len() - 1, 0, 0);
    while at < bytes.len() {
        let (class, from) = (CLASSES[bytes[at] as usize], at);
        while at < bytes.len() && CLASSES[bytes[at] as usize] == class {
            at += 1;
        }
        quarters += usize::from(BEGINS[last][class as usize]);
        let beyond = (at - from).saturating_sub(COVERED[class as usize]);
        if beyond > 0 {
            // A long word is several tokens, a long number one for each three digits.
            quarters += match class {
                Class::Small | Class::Other => 2 * beyond.div_ceil(3),
                Class::Capital => beyond,
                Class::Digit => 4 * beyond.div_ceil(3),
                Class::Sign => beyond.div_ceil(4),
                Class::Blank => 4 * from.min(1),
            };
        }
        last = class as usize;
    }
    (quarters + 2) / 4
}

/// Quarters of a token with which a run of bytes of each class (column, in the order of [`Class`]) begins behind a run
/// of each class (row; the last row: at the beginning of a text). `Name` is one word. One blank belongs to the word
/// behind it, as half of the signs do, but in front of a digit it is a token of its own.
const BEGINS: [[u8; 6]; 7] = [
    [4, 4, 4, 2, 4, 0],
    [0, 4, 4, 2, 4, 0],
    [4, 4, 4, 2, 4, 0],
    [4, 4, 4, 2, 4, 0],
    [2, 2, 4, 2, 4, 0],
    [4, 4, 8, 2, 4, 0],
    [4, 4, 4, 2, 4, 4],
];

/// Length of a run of each class, in bytes, beyond which it costs more.
const COVERED: [usize; 6] = [6, 4, 3, 3, 4, 1];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Small,
    Capital,
    Digit,
    Other,
    Sign,
    Blank,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' => Class::Blank,
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

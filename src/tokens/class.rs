//! Character classes as the patterns of the encodings use them: `\p{L}`, `\p{N}`, `\s`, and the case of letters.

/// What a scalar is to a pattern. Every scalar is exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// `[^\s\p{L}\p{N}]`: punctuation, marks, symbols, emoji, controls, unassigned.
    Symbol,
    /// `\p{L}`.
    Letter,
    /// `\p{N}`.
    Number,
    /// `\s` but for line breaks.
    Space,
    /// `[\r\n]`.
    Break,
    /// No scalar: the text ends here.
    End,
}

/// Two-level table over all scalars: `unicode.index` has the block of every 256, `unicode.blocks` four bits each.
static INDEX: &[u8; 0x1100] = include_bytes!(concat!(env!("OUT_DIR"), "/unicode.index"));
static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/unicode.blocks"));

/// Class of each ASCII byte.
static ASCII: [Class; 128] = {
    let mut classes = [Class::Symbol; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Number,
            b'\r' | b'\n' => Class::Break,
            b' ' | b'\t' | 0x0B | 0x0C => Class::Space,
            _ => Class::Symbol,
        };
        byte += 1;
    }
    classes
};

/// The class of the scalar that starts at `at`, and its length in bytes (0 at the end of the text).
///
/// `text` is UTF-8 and `at` one of its character boundaries.
#[inline]
pub(super) fn class_at(text: &[u8], at: usize) -> (Class, usize) {
    match text.get(at) {
        None => (Class::End, 0),
        Some(&byte) => match ASCII.get(usize::from(byte)) {
            Some(&class) => (class, 1),
            None => wide_class_at(text, at),
        },
    }
}

/// [`class_at`] for a scalar beyond ASCII. Kept out of the loops over ASCII.
#[inline(never)]
fn wide_class_at(text: &[u8], at: usize) -> (Class, usize) {
    let (scalar, len) = decode(text, at);
    let class = match properties(scalar) & 3 {
        0 => Class::Symbol,
        1 => Class::Letter,
        2 => Class::Number,
        _ => Class::Space,
    };
    (class, len)
}

/// The entry of a scalar in the generated table: see `codegen/unicode.rs`.
#[inline]
fn properties(scalar: u32) -> u8 {
    let block = usize::from(INDEX[(scalar >> 8) as usize]);
    let pair = BLOCKS[block * 128 + (scalar & 0xFF) as usize / 2];
    pair >> (4 * (scalar & 1)) & 0xF
}

/// The scalar beyond ASCII that starts at `at` and its length in bytes.
#[inline]
fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let first = u32::from(text[at]);
    let low = |offset: usize| u32::from(text[at + offset]) & 0x3F;
    match first {
        0..0xE0 => ((first & 0x1F) << 6 | low(1), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | low(1) << 6 | low(2), 3),
        _ => ((first & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3), 4),
    }
}

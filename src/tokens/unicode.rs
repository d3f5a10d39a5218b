//! The class of a scalar, looked up in tables that `codegen.rs` writes.

use super::layout::Class;

/// The number of the block of each 256 scalars.
static INDEX: &[u8; 0x1100] = include_bytes!(concat!(env!("OUT_DIR"), "/unicode.index"));
/// The classes of 256 scalars per block, two in a byte, the first in the low half.
static BLOCKS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/unicode.blocks"));
const BLOCK_BYTES: usize = 128;

/// The classes of ASCII again, one in a byte.
static ASCII: [Class; 128] = {
    let mut classes = [Class::End; 128];
    let mut scalar = 0;
    while scalar < 128 {
        classes[scalar as usize] = class_of(scalar);
        scalar += 1;
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
            None => class_beyond_ascii(text, at),
        },
    }
}

/// [`class_at`] for a scalar beyond ASCII, kept out of the loops over ASCII.
#[inline(never)]
fn class_beyond_ascii(text: &[u8], at: usize) -> (Class, usize) {
    let (scalar, len) = decode(text, at);
    (class_of(scalar), len)
}

#[inline]
const fn class_of(scalar: u32) -> Class {
    let block = INDEX[(scalar >> 8) as usize] as usize;
    let pair = BLOCKS[block * BLOCK_BYTES + (scalar & 0xFF) as usize / 2];
    match (pair >> (4 * (scalar & 1))) & 0xF {
        0 => Class::Symbol,
        1 => Class::Letter,
        2 => Class::Number,
        3 => Class::Space,
        _ => Class::Break,
    }
}

/// The scalar beyond ASCII that starts at `at`, and its length in bytes.
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

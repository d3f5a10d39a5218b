//! The classes of characters, and how a key is packed and where it lives in the generated tables.
//!
//! Compiled twice: into the build script, which lays the tables out (`codegen.rs`), and into the library, which probes
//! them (`vocabulary.rs`, `unicode.rs`). So the two cannot drift apart.
//!
//! A perfect hash has no collisions among its keys, but an unknown key lands in some slot as well. Every slot
//! therefore holds its whole key, and membership is exact.

/// Shortest and longest piece whose bytes are one `u64` key.
pub const SHORT: std::ops::RangeInclusive<usize> = 2..=8;
/// Shortest and longest piece whose bytes are two `u64` keys.
pub const MEDIUM: std::ops::RangeInclusive<usize> = 9..=16;
/// No vocabulary has a longer token: the long tokens' index holds a length in 8 bits.
pub const LONGEST_TOKEN: usize = 255;
/// Token ids are below 2^18.
pub const ID_BITS: u32 = 18;
/// Bytes of an id in the tables.
pub const ID_BYTES: usize = ID_BITS.div_ceil(8) as usize;

const SEED_A: u64 = 0x9E37_79B9_7F4A_7C15;
const SEED_B: u64 = 0xD1B5_4A32_D192_ED03;
const SEED_C: u64 = 0x2545_F491_4F6C_DD1D;

/// The folded multiplication of wyhash: both halves of the 128-bit product, xored.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hash of a one-word key.
#[inline]
pub fn hash_one(key: u64) -> u64 {
    mix(key ^ SEED_A, SEED_B)
}

/// Hash of a two-word key.
#[inline]
pub fn hash_two([low, high]: [u64; 2]) -> u64 {
    mix(low ^ SEED_A, high ^ SEED_C)
}

/// The bucket, of `buckets`, whose pilot places the key with this hash.
#[inline]
pub fn bucket(hash: u64, buckets: usize) -> usize {
    ((u64::from(hash as u32) * buckets as u64) >> 32) as usize
}

/// The slot, of `slots`, in which `pilot` places the key with this hash.
#[inline]
pub fn slot(hash: u64, pilot: u16, slots: usize) -> usize {
    let spread = ((hash >> 32) as u32 ^ u32::from(pilot).wrapping_mul(0x85EB_CA6B)).wrapping_mul(0x9E37_79B1);
    ((u64::from(spread) * slots as u64) >> 32) as usize
}

/// Packs a word of up to eight bytes, the others zero, with its length in the free top byte.
///
/// A full word has no free byte. A top byte of 8 or more tells it from a shorter word; a piece of eight bytes that ends
/// in a control character below 8 has no key, and is looked up among the long tokens.
#[inline]
pub fn pack(word: u64, len: usize) -> Option<u64> {
    if len < 8 {
        Some(word | (len as u64) << 56)
    } else if word >> 56 < 8 {
        None
    } else {
        Some(word)
    }
}

/// Key of a piece of a [`SHORT`] length. Never 0, which marks an empty slot.
#[inline]
pub fn short_key(piece: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word[..piece.len()].copy_from_slice(piece);
    pack(u64::from_le_bytes(word), piece.len())
}

/// Key of a piece of a [`MEDIUM`] length: its first eight bytes, and the others packed. The second word is never 0.
#[inline]
pub fn medium_key(piece: &[u8]) -> Option<[u64; 2]> {
    let others = last_word(piece) >> (8 * (16 - piece.len()));
    Some([first_word(piece), pack(others, piece.len() - 8)?])
}

/// Where the search for a long token, of eight bytes or more, starts in an index of `mask + 1` entries.
#[inline]
pub fn long_home(piece: &[u8], mask: usize) -> usize {
    let length = piece.len() as u64;
    hash_two([first_word(piece).wrapping_add(length), last_word(piece)]) as usize & mask
}

/// The first eight bytes of a piece of at least eight.
#[inline]
pub fn first_word(piece: &[u8]) -> u64 {
    u64::from_le_bytes(*piece.first_chunk().expect("eight bytes"))
}

/// The last eight bytes of a piece of at least eight.
#[inline]
pub fn last_word(piece: &[u8]) -> u64 {
    u64::from_le_bytes(*piece.last_chunk().expect("eight bytes"))
}

/// Class of a Unicode scalar in the patterns. Every scalar has exactly one; [`Class::End`] is no scalar's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
pub enum Class {
    /// `[^\s\p{L}\p{N}]`: punctuation, symbols, marks, emoji, controls, unassigned.
    Symbol,
    /// `\p{L}`.
    Letter,
    /// `\p{N}`.
    Number,
    /// `\s` without line breaks.
    Space,
    /// `[\r\n]`.
    Break,
    /// No scalar: the text ends here.
    End,
}

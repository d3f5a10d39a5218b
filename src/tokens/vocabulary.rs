//! One vocabulary as tables in the binary's read-only data, and the questions asked of them.
//!
//! Nothing is built at start: a page of a table is read when it is first touched. `codegen/tables.rs` writes
//! the tables; `layout.rs` says where a key lives.

use super::layout::{self, ID_BITS, LONGEST_TOKEN};

/// A token's number, which is also the rank of the merge that makes it: lower ranks merge first.
pub(super) type Id = u32;
/// The id of no token.
pub(super) const NO_TOKEN: Id = Id::MAX;

/// A table that the build script wrote.
macro_rules! table {
    ($vocabulary:literal, $table:literal) => {{
        static TABLE: &Aligned<[u8]> =
            &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/", $vocabulary, ".", $table)));
        &TABLE.0
    }};
}

/// All tables of a vocabulary.
macro_rules! vocabulary {
    ($name:literal) => {
        Vocabulary {
            reach: include!(concat!(env!("OUT_DIR"), "/", $name, ".reach")),
            byte_ids: table!($name, "byte_ids"),
            byte_pairs: table!($name, "byte_pairs"),
            short: PerfectHash { pilots: table!($name, "short.pilots"), slots: table!($name, "short.slots") },
            medium: PerfectHash {
                pilots: table!($name, "medium.pilots"),
                slots: table!($name, "medium.slots"),
            },
            pairs: PerfectHash { pilots: table!($name, "pairs.pilots"), slots: table!($name, "pairs.slots") },
            long_index: table!($name, "long.index"),
            long_bytes: table!($name, "long.bytes"),
        }
    };
}

/// The tables of `cl100k_base`.
pub(super) static CL100K: Vocabulary = vocabulary!("cl100k");
/// The tables of `o200k_base`.
#[cfg(feature = "o200k")]
pub(super) static O200K: Vocabulary = vocabulary!("o200k");

/// The tables of one vocabulary. All numbers in them are little-endian.
pub(super) struct Vocabulary {
    /// How far from the end of a text its tokens may still change when the text goes on, in bytes.
    pub reach: usize,
    /// `u32` id of each single byte.
    byte_ids: &'static [u8],
    /// `u32` id of each pair of bytes that is a token, at `first * 256 + second`, else [`NO_TOKEN`].
    byte_pairs: &'static [u8],
    /// Tokens of 2 to 8 bytes.
    short: PerfectHash,
    /// Tokens of 9 to 16 bytes.
    medium: PerfectHash,
    /// `left, right, merged`: the two tokens that each token of two bytes or more is merged from.
    pairs: PerfectHash,
    /// `(offset + 1) << 8 | length` into `long_bytes`, in open addressing; 0 is empty.
    long_index: &'static [u8],
    /// The bytes of all other tokens.
    long_bytes: &'static [u8],
}

/// A perfect hash table: `u16` pilots by bucket, `u64` keys by slot.
struct PerfectHash {
    pilots: &'static [u8],
    slots: &'static [u8],
}

impl Vocabulary {
    /// The token of a single byte; every byte is one.
    #[inline]
    pub fn byte(&self, byte: u8) -> Id {
        u32_at(self.byte_ids, usize::from(byte))
    }

    /// The token of two bytes, or [`NO_TOKEN`].
    #[inline]
    pub fn byte_pair(&self, first: u8, second: u8) -> Id {
        u32_at(self.byte_pairs, usize::from(first) << 8 | usize::from(second))
    }

    /// The token that two adjacent tokens merge to, or [`NO_TOKEN`].
    #[inline]
    pub fn merged(&self, left: Id, right: Id) -> Id {
        let key = layout::pair_key(left, right);
        let slot = self.pairs.slot_of(layout::hash_one(key), 1);
        let entry = u64_at(self.pairs.slots, slot);
        if entry >> ID_BITS == key { entry as Id & ((1 << ID_BITS) - 1) } else { NO_TOKEN }
    }

    /// Is the piece with this short key, of this hash, one token?
    #[inline]
    pub fn has_short(&self, key: u64, hash: u64) -> bool {
        u64_at(self.short.slots, self.short.slot_of(hash, 1)) == key
    }

    /// Is the piece with this medium key, of this hash, one token?
    #[inline]
    pub fn has_medium(&self, key: (u64, u64), hash: u64) -> bool {
        let slot = self.medium.slot_of(hash, 2);
        (u64_at(self.medium.slots, 2 * slot), u64_at(self.medium.slots, 2 * slot + 1)) == key
    }

    /// Is this piece, of eight bytes or more and without a short or medium key, one token?
    pub fn has_long(&self, piece: &[u8]) -> bool {
        if piece.len() > LONGEST_TOKEN {
            return false;
        }
        let mask = self.long_index.len() / size_of::<u32>() - 1;
        let mut at = layout::long_home(piece, mask);
        loop {
            let entry = u32_at(self.long_index, at) as usize;
            if entry == 0 {
                return false;
            }
            let (start, len) = ((entry >> 8) - 1, entry & 0xFF);
            if self.long_bytes[start..start + len] == *piece {
                return true;
            }
            at = (at + 1) & mask;
        }
    }
}

impl PerfectHash {
    /// The only slot where a key of this hash, of `words` words, can be.
    #[inline]
    fn slot_of(&self, hash: u64, words: usize) -> usize {
        let bucket = layout::bucket(hash, self.pilots.len() / size_of::<u16>());
        let pilot = u16::from_le_bytes([self.pilots[2 * bucket], self.pilots[2 * bucket + 1]]);
        layout::slot(hash, pilot, self.slots.len() / (words * size_of::<u64>()))
    }
}

/// The number at an index of a table of `u32`.
#[inline]
fn u32_at(table: &[u8], index: usize) -> u32 {
    u32::from_le_bytes(table[4 * index..4 * index + 4].try_into().expect("four bytes"))
}

/// The number at an index of a table of `u64`.
#[inline]
fn u64_at(table: &[u8], index: usize) -> u64 {
    u64::from_le_bytes(table[8 * index..8 * index + 8].try_into().expect("eight bytes"))
}

/// Keeps a table on whole cache lines, so that no entry lies across two.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

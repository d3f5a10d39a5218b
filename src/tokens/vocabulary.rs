//! A vocabulary as tables in the binary's read-only data, and look-ups in them.
//!
//! Nothing is built at start: a page of a table is read when it is first touched. `codegen.rs` writes
//! the tables; `layout.rs` says where a key lives.

use super::layout::{self, ID_BYTES, LONGEST_TOKEN};

/// Aligns a table with cache lines, so that no pilot, key or index entry lies across two. (An id, of three bytes, may.)
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

/// A table that the build script wrote.
macro_rules! table {
    ($table:literal) => {{
        static TABLE: &Aligned<[u8]> =
            &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.", $table)));
        &TABLE.0
    }};
}

/// How far from the end of a text its tokens may still change when the text goes on, in bytes.
pub(super) const REACH: usize = 566;

pub(super) static CL100K: Vocabulary = Vocabulary {
    short: PerfectHash {
        pilots: table!("short.pilots"),
        keys: table!("short.keys"),
        ids: table!("short.ids"),
    },
    medium: PerfectHash {
        pilots: table!("medium.pilots"),
        keys: table!("medium.keys"),
        ids: table!("medium.ids"),
    },
    long: LongTokens { index: table!("long.index"), bytes: table!("long.bytes"), ids: table!("long.ids") },
};

/// The tokens of two bytes or more; every single byte is one, too. Numbers in the tables are little-endian.
pub(super) struct Vocabulary {
    /// Tokens of 2 to 8 bytes.
    pub short: PerfectHash,
    /// Tokens of 9 to 16 bytes.
    pub medium: PerfectHash,
    /// All others.
    pub long: LongTokens,
}

/// A perfect hash table: `u16` pilots by bucket; keys and ids by slot.
pub(super) struct PerfectHash {
    pilots: &'static [u8],
    keys: &'static [u8],
    ids: &'static [u8],
}

/// An open-addressing table: `(offset + 1) << 8 | length` into the tokens' bytes, and ids, by slot; 0 is an empty slot.
pub(super) struct LongTokens {
    index: &'static [u8],
    bytes: &'static [u8],
    ids: &'static [u8],
}

impl Vocabulary {
    /// The id of the token whose bytes are those of `text` from `start` to `end`, two or more; `text` goes on for eight
    /// bytes after `start`. An id is also the rank of the merge that makes the token: lower ranks merge first.
    #[inline]
    pub fn id(&self, text: &[u8], start: usize, end: usize) -> Option<u32> {
        let len = end - start;
        if len <= *layout::SHORT.end() {
            let word = layout::first_word(&text[start..]) & (u64::MAX >> (64 - 8 * len));
            if let Some(key) = layout::pack(word, len) {
                let slot = self.short.find([key], layout::hash_one(key))?;
                return Some(id_at(self.short.ids, slot));
            }
        }
        self.id_of_longer(&text[start..end])
    }

    #[inline(never)]
    fn id_of_longer(&self, bytes: &[u8]) -> Option<u32> {
        if layout::MEDIUM.contains(&bytes.len())
            && let Some(key) = layout::medium_key(bytes)
        {
            let slot = self.medium.find(key, layout::hash_two(key))?;
            return Some(id_at(self.medium.ids, slot));
        }
        let slot = self.long.find(bytes)?;
        Some(id_at(self.long.ids, slot))
    }
}

impl PerfectHash {
    /// The slot of a key of this hash.
    #[inline]
    pub fn find<const WORDS: usize>(&self, key: [u64; WORDS], hash: u64) -> Option<usize> {
        let ((pilots, _), (keys, _)) = (self.pilots.as_chunks(), self.keys.as_chunks());
        let pilot = u16::from_le_bytes(pilots[layout::bucket(hash, pilots.len())]);
        let slot = layout::slot(hash, pilot, keys.len() / WORDS);
        (0..WORDS).all(|word| u64::from_le_bytes(keys[WORDS * slot + word]) == key[word]).then_some(slot)
    }
}

impl LongTokens {
    /// The slot of a token of eight bytes or more.
    pub fn find(&self, token: &[u8]) -> Option<usize> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let (index, _) = self.index.as_chunks();
        let mask = index.len() - 1;
        let mut slot = layout::long_home(token, mask);
        loop {
            let entry = u32::from_le_bytes(index[slot]) as usize;
            if entry == 0 {
                return None;
            }
            let (start, len) = ((entry >> 8) - 1, entry & 0xFF);
            if self.bytes[start..start + len] == *token {
                return Some(slot);
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[inline]
fn id_at(ids: &[u8], slot: usize) -> u32 {
    let at = ID_BYTES * slot;
    u32::from_le_bytes([ids[at], ids[at + 1], ids[at + 2], 0])
}

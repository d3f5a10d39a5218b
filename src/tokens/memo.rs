//! A small cache of pieces that are not one token: words recur, and merging a word again costs more than a look-up.

/// Number of entries; a power of two.
const ENTRIES: usize = 1024;
/// Pieces that are computed before the cache is allocated: for fewer it is not worth its memory.
const PATIENCE: usize = 32;

/// A piece's key (`layout.rs`): one word for a short piece, with 0 as the second, or two.
pub(super) type Key = (u64, u64);

/// A direct-mapped cache from keys to numbers of tokens.
#[derive(Default)]
pub(super) struct Memo {
    /// Empty until the cache is allocated.
    entries: Vec<(Key, usize)>,
    misses: usize,
}

impl Memo {
    /// The number of tokens of the piece with this key and hash, computed if the cache does not have it.
    #[inline]
    pub fn count(&mut self, key: Key, hash: u64, compute: impl FnOnce() -> usize) -> usize {
        if self.entries.is_empty() {
            self.misses += 1;
            if self.misses < PATIENCE {
                return compute();
            }
            self.entries.resize(ENTRIES, ((0, 0), 0));
        }
        let entry = &mut self.entries[(hash >> 20) as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, compute());
        }
        entry.1
    }
}

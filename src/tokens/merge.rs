//! The merges of byte-pair encoding, for pieces of bounded length.
//!
//! A piece starts as one part a byte. Again and again the adjacent pair whose token has the lowest rank, the
//! leftmost of equal ones, becomes one part, until no pair is a token.

use super::vocabulary::{Id, NO_TOKEN, Vocabulary};

/// A rank and the place of the left part, packed so that the least number is the merge to make next.
type Merge = i32;
/// The place has 12 bits below the 18 of the rank.
const PLACE_BITS: u32 = 12;
/// A pair that is no token: greater than every merge.
const NO_MERGE: Merge = Merge::MAX;

/// The longest piece that [`Merger`] takes, in bytes.
pub(super) const LONGEST: usize = 4096;
const _: () = assert!(LONGEST <= 1 << PLACE_BITS);

/// The number of merges that share one minimum in a [`Merger`].
const BLOCK: usize = 64;

#[inline]
fn pack(rank: Id, place: usize) -> Merge {
    if rank == NO_TOKEN { NO_MERGE } else { (rank << PLACE_BITS | place as u32) as Merge }
}

/// The least of some merges; their number is a multiple of eight, so that the compiler can compare many at once.
#[inline]
fn least(merges: &[Merge]) -> Merge {
    let mut lanes = [NO_MERGE; 8];
    for chunk in merges.chunks_exact(8) {
        for (lane, &merge) in lanes.iter_mut().zip(chunk) {
            *lane = merge.min(*lane);
        }
    }
    lanes.into_iter().fold(NO_MERGE, Merge::min)
}

/// A piece of up to `CAP` bytes while it is merged. A part is known by the place of its first byte.
struct Parts<const CAP: usize> {
    ids: [Id; CAP],
    next: [u16; CAP],
    previous: [u16; CAP],
    /// The merge of each part with the next one.
    merges: [Merge; CAP],
    /// Bytes of the piece.
    len: usize,
}

impl<const CAP: usize> Parts<CAP> {
    const EMPTY: Self =
        Self { ids: [0; CAP], next: [0; CAP], previous: [0; CAP], merges: [NO_MERGE; CAP], len: 0 };

    /// One part a byte. Merges beyond the piece are left as they were.
    #[inline]
    fn start(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        self.len = piece.len();
        for (place, &byte) in piece.iter().enumerate() {
            self.ids[place] = vocabulary.byte(byte);
            self.next[place] = place as u16 + 1;
            self.previous[place] = (place as u16).wrapping_sub(1);
        }
        for (place, pair) in piece.windows(2).enumerate() {
            self.merges[place] = pack(vocabulary.byte_pair(pair[0], pair[1]), place);
        }
        self.merges[self.len - 1] = NO_MERGE;
    }

    /// Makes a merge, and looks up those of the new part with its neighbours. Returns the places whose merges
    /// changed: the part before, if any, the merged part, and the part that is gone.
    #[inline]
    fn apply(&mut self, vocabulary: &Vocabulary, merge: Merge) -> [usize; 3] {
        let (rank, place) = (merge as u32 >> PLACE_BITS, merge as usize & ((1 << PLACE_BITS) - 1));
        let gone = usize::from(self.next[place]);
        let next = usize::from(self.next[gone]);
        self.ids[place] = rank;
        self.next[place] = next as u16;
        self.merges[gone] = NO_MERGE;
        self.merges[place] = if next < self.len {
            self.previous[next] = place as u16;
            pack(vocabulary.merged(rank, self.ids[next]), place)
        } else {
            NO_MERGE
        };
        let mut previous = place;
        if place > 0 {
            previous = usize::from(self.previous[place]);
            self.merges[previous] = pack(vocabulary.merged(self.ids[previous], rank), previous);
        }
        [previous, place, gone]
    }
}

/// The number of tokens of a piece of 2 to `CAP` bytes, on the stack. `CAP` is a multiple of eight.
pub(super) fn count_short<const CAP: usize>(vocabulary: &Vocabulary, piece: &[u8]) -> usize {
    let mut parts = Parts::<CAP>::EMPTY;
    parts.start(vocabulary, piece);
    let used = piece.len().next_multiple_of(8);
    let mut tokens = piece.len();
    loop {
        let merge = least(&parts.merges[..used]);
        if merge == NO_MERGE {
            return tokens;
        }
        parts.apply(vocabulary, merge);
        tokens -= 1;
    }
}

/// Merges pieces of up to [`LONGEST`] bytes in memory that is used again and again (about 25 KB). The least
/// merge is found by way of the least of each block.
pub(super) struct Merger {
    parts: Parts<LONGEST>,
    block_least: [Merge; LONGEST / BLOCK],
}

impl Merger {
    pub fn new() -> Box<Self> {
        Box::new(Self { parts: Parts::EMPTY, block_least: [NO_MERGE; LONGEST / BLOCK] })
    }

    /// Encodes a piece of 1 to [`LONGEST`] bytes and returns the number of its tokens.
    pub fn encode(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        self.parts.start(vocabulary, piece);
        let blocks = piece.len().div_ceil(BLOCK);
        self.parts.merges[piece.len()..blocks * BLOCK].fill(NO_MERGE);
        for block in 0..blocks {
            self.refresh(block);
        }
        let used = blocks.next_multiple_of(8);
        self.block_least[blocks..used].fill(NO_MERGE);
        let mut tokens = piece.len();
        loop {
            let merge = least(&self.block_least[..used]);
            if merge == NO_MERGE {
                return tokens;
            }
            let [previous, place, gone] = self.parts.apply(vocabulary, merge).map(|place| place / BLOCK);
            self.refresh(place);
            if previous != place {
                self.refresh(previous);
            }
            if gone != place {
                self.refresh(gone);
            }
            tokens -= 1;
        }
    }

    /// The end of each token of the piece encoded last, in order.
    pub fn token_ends(&self) -> impl Iterator<Item = usize> {
        let next = |&place: &usize| Some(usize::from(*self.parts.next.get(place)?));
        std::iter::successors(next(&0), move |end| next(end).filter(|_| *end < self.parts.len))
    }

    #[inline]
    fn refresh(&mut self, block: usize) {
        self.block_least[block] = least(&self.parts.merges[block * BLOCK..(block + 1) * BLOCK]);
    }
}

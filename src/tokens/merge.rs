//! The merges of byte-pair encoding, for pieces of bounded length.
//!
//! A piece starts as one part a byte. Again and again the adjacent pair whose token has the lowest rank, the
//! leftmost of equal ones, becomes one part, until no pair is a token.

use super::layout::ID_BITS;
use super::vocabulary::CL100K;

/// A rank and the place of the left part, packed so that the least number is the merge to make next.
type Merge = i32;
/// Bits of the place, which is packed below the rank. The rank is the token's id.
const PLACE_BITS: u32 = 12;
/// A pair that is no token: greater than every merge.
const NO_MERGE: Merge = Merge::MAX;

/// The longest piece that [`Merger`] takes, in bytes.
pub(super) const LONGEST: usize = 4096;
const _: () = assert!(LONGEST <= 1 << PLACE_BITS && ID_BITS + PLACE_BITS < Merge::BITS - 1);
/// Bytes behind a piece, so that eight can be loaded from anywhere in it.
const PADDING: usize = 8;

/// The number of merges that share one minimum in a [`Merger`].
const BLOCK: usize = 64;

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

/// A piece of up to `CAP` bytes while it is merged. A part is identified by the place of its first byte.
struct Parts<const CAP: usize> {
    next: [u16; CAP],
    previous: [u16; CAP],
    /// The merge of each part with the next one.
    merges: [Merge; CAP],
    len: usize,
}

impl<const CAP: usize> Parts<CAP> {
    const EMPTY: Self = Self { next: [0; CAP], previous: [0; CAP], merges: [NO_MERGE; CAP], len: 0 };

    /// Starts with one part per byte of the piece, which is the first `len` bytes of `padded`. Merges beyond the piece
    /// are left as they were.
    #[inline]
    fn start(&mut self, padded: &[u8], len: usize) {
        self.len = len;
        for place in 0..len {
            self.next[place] = place as u16 + 1;
            self.previous[place] = (place as u16).wrapping_sub(1);
        }
        for place in 0..len {
            self.merges[place] = self.merge(padded, place);
        }
    }

    /// The merge of the part at a place with the next one.
    #[inline]
    fn merge(&self, padded: &[u8], place: usize) -> Merge {
        let next = usize::from(self.next[place]);
        if next >= self.len {
            return NO_MERGE;
        }
        let rank = CL100K.id(padded, place, usize::from(self.next[next]));
        rank.map_or(NO_MERGE, |rank| (rank << PLACE_BITS | place as u32) as Merge)
    }

    /// Makes a merge, and looks up those of the new part with its neighbours. Returns the places whose merges
    /// changed: the part before, if any, the merged part, and the part that is gone.
    #[inline]
    fn apply(&mut self, padded: &[u8], merge: Merge) -> [usize; 3] {
        let place = merge as usize & ((1 << PLACE_BITS) - 1);
        let gone = usize::from(self.next[place]);
        let next = self.next[gone];
        self.next[place] = next;
        if usize::from(next) < self.len {
            self.previous[usize::from(next)] = place as u16;
        }
        self.merges[gone] = NO_MERGE;
        self.merges[place] = self.merge(padded, place);
        let mut previous = place;
        if place > 0 {
            previous = usize::from(self.previous[place]);
            self.merges[previous] = self.merge(padded, previous);
        }
        [previous, place, gone]
    }
}

/// The longest piece that [`count_short`] takes, in bytes.
pub(super) const LONGEST_SHORT: usize = 64;

/// The number of tokens of a piece of 2 to `CAP` bytes, on the stack. `CAP` is a multiple of eight, and
/// [`LONGEST_SHORT`] at most.
pub(super) fn count_short<const CAP: usize>(piece: &[u8]) -> usize {
    let mut padded = [0; LONGEST_SHORT + PADDING];
    padded[..piece.len()].copy_from_slice(piece);
    let mut parts = Parts::<CAP>::EMPTY;
    parts.start(&padded, piece.len());
    let used = piece.len().next_multiple_of(8);
    let mut tokens = piece.len();
    loop {
        let merge = least(&parts.merges[..used]);
        if merge == NO_MERGE {
            return tokens;
        }
        parts.apply(&padded, merge);
        tokens -= 1;
    }
}

/// Merges pieces of up to [`LONGEST`] bytes in memory that is reused (about 37 KB). The least merge is the least of the
/// minima of the blocks.
pub(super) struct Merger {
    padded: [u8; LONGEST + PADDING],
    parts: Parts<LONGEST>,
    block_least: [Merge; LONGEST / BLOCK],
}

impl Merger {
    pub fn new() -> Box<Self> {
        Box::new(Self {
            padded: [0; LONGEST + PADDING],
            parts: Parts::EMPTY,
            block_least: [NO_MERGE; LONGEST / BLOCK],
        })
    }

    /// Encodes a piece of 1 to [`LONGEST`] bytes and returns the number of its tokens.
    pub fn encode(&mut self, piece: &[u8]) -> usize {
        self.padded[..piece.len()].copy_from_slice(piece);
        self.parts.start(&self.padded, piece.len());
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
            let [previous, place, gone] = self.parts.apply(&self.padded, merge).map(|place| place / BLOCK);
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

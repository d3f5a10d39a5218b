//! Counts the tokens of a text: cuts it into pieces, looks each piece up and, if the piece is no token, merges its
//! bytes.

use super::cl100k::{Piece, ascii_number, piece_at};
use super::layout::{self, MEDIUM, SHORT};
use super::long::LongPiece;
use super::merge::{LONGEST_SHORT, count_short};
use super::vocabulary::CL100K;

/// Counts the tokens of pieces, and remembers some counts.
///
/// A number of up to three digits is a piece, and a token (a test holds that). Such numbers are not even
/// looked up, which leaves the cache to other pieces.
#[derive(Default)]
pub(super) struct PieceCounter {
    memo: Memo,
    long: LongPiece,
}

impl PieceCounter {
    /// The number of tokens of all pieces of a text, which is UTF-8, and the end of the last; unless `ALL`, only of the
    /// first pieces, whose ends do not depend on what follows the text.
    pub fn count<const ALL: bool>(&mut self, text: &[u8]) -> (usize, usize) {
        let (mut at, mut tokens) = (0, 0);
        while at < text.len() {
            if let Some(end) = ascii_number(text, at) {
                (at, tokens) = (end, tokens + 1);
                continue;
            }
            let Piece { end, open } = piece_at(text, at);
            if !ALL && open.is_some() {
                break;
            }
            // A single byte is always a token.
            tokens += if end - at == 1 { 1 } else { self.piece(text, at, end) };
            at = end;
        }
        (tokens, at)
    }

    /// The number of tokens of the piece from `start` to `end`, of two bytes or more. It is passed with the text around
    /// it, because eight bytes are quicker to load than fewer.
    fn piece(&mut self, text: &[u8], start: usize, end: usize) -> usize {
        let len = end - start;
        if len <= *SHORT.end() {
            let key = match text.get(start..start + 8) {
                Some(word) => layout::pack(layout::first_word(word) & (u64::MAX >> (64 - 8 * len)), len),
                None => layout::short_key(&text[start..end]),
            };
            let Some(key) = key else { return self.long(&text[start..end]) };
            let hash = layout::hash_one(key);
            if CL100K.short.find([key], hash).is_some() {
                return 1;
            }
            return self.merged(&text[start..end], [key, 0], hash);
        }
        self.over_eight_bytes(&text[start..end])
    }

    /// [`Self::piece`] for more than eight bytes, kept out of the loop over short pieces.
    #[inline(never)]
    fn over_eight_bytes(&mut self, piece: &[u8]) -> usize {
        if piece.len() > *MEDIUM.end() {
            return self.long(piece);
        }
        let Some(key) = layout::medium_key(piece) else { return self.long(piece) };
        let hash = layout::hash_two(key);
        if CL100K.medium.find(key, hash).is_some() {
            return 1;
        }
        self.merged(piece, key, hash)
    }

    /// The number of tokens of a piece of up to 16 bytes that is not one token.
    #[inline(never)]
    fn merged(&mut self, piece: &[u8], key: [u64; 2], hash: u64) -> usize {
        self.memo.count(key, hash, || count_short::<16>(piece))
    }

    /// The number of tokens of a piece of eight bytes or more without a short or medium key.
    #[inline(never)]
    fn long(&mut self, piece: &[u8]) -> usize {
        if CL100K.long.find(piece).is_some() {
            1
        } else if piece.len() <= LONGEST_SHORT {
            count_short::<LONGEST_SHORT>(piece)
        } else {
            self.long.push(piece);
            self.long.finish()
        }
    }
}

/// Entries of the cache; a power of two.
const ENTRIES: usize = 1024;
/// Pieces that are computed before the cache is allocated: for fewer it is not worth its memory.
const PATIENCE: usize = 32;

/// A direct-mapped cache from the keys (`layout.rs`) of pieces that are not one token to their numbers of tokens: words
/// recur, and merging a word again costs more than a look-up. The second word of a short piece's key is 0.
#[derive(Default)]
struct Memo {
    /// Empty until the cache is allocated.
    entries: Vec<([u64; 2], usize)>,
    misses: usize,
}

impl Memo {
    /// The number of tokens of the piece with this key and hash, computed if the cache does not have it.
    #[inline]
    fn count(&mut self, key: [u64; 2], hash: u64, compute: impl FnOnce() -> usize) -> usize {
        if self.entries.is_empty() {
            self.misses += 1;
            if self.misses < PATIENCE {
                return compute();
            }
            self.entries.resize(ENTRIES, ([0; 2], 0));
        }
        let entry = &mut self.entries[(hash >> 20) as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, compute());
        }
        entry.1
    }
}

//! Tokens of a text of any size: exact at first, from samples where it is very large.

use crate::tokens::Counter;

/// So much is counted exactly, in bytes.
const EXACT: u64 = 2 << 20;
/// Beyond that, one part in this many.
const ONE_IN: u64 = 512;
/// The size of a part, in bytes.
const PART: usize = 16 << 10;

/// Tokens of a text that arrives in parts.
pub(super) struct Sampler {
    counter: Counter,
    seen: u64,
    counted: u64,
}

impl Sampler {
    pub(super) fn new() -> Self {
        Self { counter: Counter::new(), seen: 0, counted: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(PART) {
            if self.seen < EXACT || (self.seen / PART as u64).is_multiple_of(ONE_IN) {
                self.counter.push(part);
                self.counted += part.len() as u64;
            }
            self.seen += part.len() as u64;
        }
    }

    /// The tokens, and whether that is only about their number.
    pub(super) fn finish(self) -> (u64, bool) {
        let tokens = self.counter.finish() as u64;
        if self.counted == self.seen {
            return (tokens, false);
        }
        let scaled = u128::from(tokens) * u128::from(self.seen) / u128::from(self.counted.max(1));
        (scaled as u64, true)
    }
}

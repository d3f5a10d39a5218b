//! Tokens of a text of any size: exact up to a limit, estimated from samples beyond it.

use super::Counter;

/// Bytes from the start of a text that are counted exactly.
const EXACT: u64 = 2 << 20;
/// Beyond [`EXACT`], one part in this many is counted.
const ONE_IN: u64 = 512;
const PART: usize = 16 << 10;

/// Tokens of a text that arrives in parts: exact up to 2 MiB, then an estimate out of one part in 512.
#[derive(Default)]
pub struct Sampler {
    counter: Counter,
    seen: u64,
    counted: u64,
}

impl Sampler {
    /// The tokens of a whole text, and whether the count is an estimate.
    pub fn of(text: &[u8]) -> (usize, bool) {
        if text.len() as u64 <= EXACT {
            return (super::count(text), false);
        }
        let mut sampler = Self::default();
        sampler.push(text);
        let (tokens, estimated) = sampler.finish();
        (tokens as usize, estimated)
    }

    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(PART) {
            if self.seen < EXACT || (self.seen / PART as u64).is_multiple_of(ONE_IN) {
                self.counter.push(part);
                self.counted += part.len() as u64;
            }
            self.seen += part.len() as u64;
        }
    }

    /// The tokens, and whether the count is an estimate.
    pub fn finish(self) -> (u64, bool) {
        let tokens = self.counter.finish() as u64;
        if self.counted == self.seen {
            return (tokens, false);
        }
        let scaled = u128::from(tokens) * u128::from(self.seen) / u128::from(self.counted.max(1));
        (scaled as u64, true)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/sampler.rs"]
mod tests;

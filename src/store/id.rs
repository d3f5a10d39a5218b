//! Short names of saved outputs.

use std::time::SystemTime;

/// Without vowels and look-alikes, so that an id is no word and is not misread.
const ALPHABET: &[u8; 24] = b"23456789bcdfghjkmnpqrstv";

/// A short name for a saved output: `toto show ID`. There are eight million; a store gives none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id(pub String);

impl Id {
    /// A new id, from the clock and the process id.
    pub fn new() -> Self {
        let nanos =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
        let mut seed = (nanos ^ u64::from(std::process::id()) << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        seed ^= seed >> 29;
        let letters = std::iter::successors(Some(seed), |seed| Some(seed / ALPHABET.len() as u64)).take(5);
        Self(letters.map(|seed| char::from(ALPHABET[(seed % ALPHABET.len() as u64) as usize])).collect())
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

//! The 64-bit FNV-1a hash (Fowler, Noll and Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>), taken byte by byte. It
//! is the same in every process and every version. Not for input that somebody could choose so that it collides.

/// The hash of no bytes.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash after one more byte.
#[must_use]
pub const fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3)
}

/// The hash of all the bytes.
#[must_use]
pub fn hash<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes.into_iter().fold(START, |hash, byte| step(hash, *byte))
}

#[cfg(test)]
#[path = "../tests/unit/fnv.rs"]
mod tests;

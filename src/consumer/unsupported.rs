//! Platforms where processes cannot be looked at: only `TOTO=on` and `TOTO_EYES` prove a reader.
//! A Mac takes from here what is not read there yet.

use super::holds::{End, Holds};
use super::stat::Stat;
use super::stream::{Fd, Identity, Stream};

/// Holders of streams, of which none can be seen.
pub struct Holders;

impl Holders {
    /// Prepares nothing.
    pub fn of(_: Vec<Stream>) -> Self {
        Self
    }

    /// Cannot be read.
    pub fn holds(&mut self, _: i32, _: Fd) -> Holds {
        Holds::Unreadable
    }

    /// Cannot be read.
    pub fn has_end(&self, _: i32, _: Fd, _: End, _: bool) -> Option<bool> {
        None
    }
}

/// Always false: not even our own process can be seen.
pub fn shows_us(_: i32) -> bool {
    false
}

/// Cannot be read.
pub fn stat(_: i32) -> Option<Stat> {
    None
}

/// Cannot be read.
pub fn arguments(_: i32) -> Option<Vec<u8>> {
    None
}

/// Cannot be read.
pub fn environment(_: i32) -> Option<Vec<u8>> {
    None
}

/// Cannot be read.
pub fn children(_: i32) -> Option<Vec<i32>> {
    None
}

/// Always empty.
pub fn everybody() -> Vec<i32> {
    Vec::new()
}

/// Cannot be read.
pub fn relays(_: i32, _: &Identity) -> Option<bool> {
    None
}

/// Cannot be read.
pub fn shares_input(_: i32, _: &Identity) -> Option<bool> {
    None
}

/// Cannot be read.
pub fn descriptor(_: i32, _: i32) -> Option<(Identity, Vec<u8>)> {
    None
}

/// Not known.
pub fn executable(_: i32) -> Option<Vec<u8>> {
    None
}

/// Not known.
pub fn link(_: i32) -> Vec<u8> {
    Vec::new()
}

/// Not known.
pub fn exec_path() -> Option<&'static [u8]> {
    None
}

/// Always false.
pub fn hides_environments() -> bool {
    false
}

/// Not known.
pub fn appends(_: i32, _: i32) -> bool {
    false
}

/// Not known.
#[expect(clippy::unnecessary_wraps, reason = "the same interface on every system")]
pub fn is_reading(_: i32, _: &[i32]) -> Option<bool> {
    Some(false)
}

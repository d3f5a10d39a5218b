//! Platforms where processes cannot be looked at: only `TOTO=on` and `TOTO_EYES` prove a reader. Every function says
//! that nothing is seen. A Mac takes from here what is not read there yet.

use super::answers::{End, Holds, Stat};
use super::stream::{Fd, Identity, Stream};

pub struct Holders;

impl Holders {
    pub fn of(_: Vec<Stream>) -> Self {
        Self
    }

    pub fn holds(&mut self, _: i32, _: Fd) -> Holds {
        Holds::Unreadable
    }

    pub fn has_end(&self, _: i32, _: Fd, _: End, _: bool) -> Option<bool> {
        None
    }
}

pub fn shows_us(_: i32) -> bool {
    false
}

pub fn stat(_: i32) -> Option<Stat> {
    None
}

pub fn arguments(_: i32) -> Option<Vec<u8>> {
    None
}

pub fn environment(_: i32) -> Option<Vec<u8>> {
    None
}

pub fn children(_: i32) -> Option<Vec<i32>> {
    None
}

pub fn everybody() -> Vec<i32> {
    Vec::new()
}

pub fn shares(_: i32, _: &[Fd], _: &Identity) -> Option<bool> {
    None
}

pub fn descriptor(_: i32, _: i32) -> Option<(Identity, Vec<u8>)> {
    None
}

pub fn executable(_: i32) -> Option<Vec<u8>> {
    None
}

pub fn link(_: i32) -> Vec<u8> {
    Vec::new()
}

pub fn exec_path() -> Option<&'static [u8]> {
    None
}

pub fn hides_environments() -> bool {
    false
}

pub fn appends(_: i32, _: i32) -> bool {
    false
}

#[expect(clippy::unnecessary_wraps, reason = "the same interface on every system")]
pub fn is_reading(_: i32, _: &[i32]) -> Option<bool> {
    Some(false)
}

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

/// Functions that see nothing.
macro_rules! blind {
    ($($name:ident($($kind:ty),*) -> $answer:ty = $nothing:expr;)+) => {$(
        pub fn $name($(_: $kind),*) -> $answer {
            $nothing
        }
    )+};
}

blind! {
    shows_us(i32) -> bool = false;
    stat(i32) -> Option<Stat> = None;
    arguments(i32) -> Option<Vec<u8>> = None;
    environment(i32) -> Option<Vec<u8>> = None;
    children(i32) -> Option<Vec<i32>> = None;
    everybody() -> Vec<i32> = Vec::new();
    shares(i32, &[Fd], &Identity) -> Option<bool> = None;
    descriptor(i32, i32) -> Option<(Identity, Vec<u8>)> = None;
    executable(i32) -> Option<Vec<u8>> = None;
    link(Fd) -> Vec<u8> = Vec::new();
    exec_path() -> Option<&'static [u8]> = None;
    hides_environments() -> bool = false;
    appends(i32, i32) -> bool = false;
    is_reading(i32, &[i32]) -> Option<bool> = Some(false);
}

//! The platform of debug builds on Linux: with `_TOTO_FAULT=macos` it answers as a Mac, with `_TOTO_FAULT=blind` as
//! a system where processes cannot be seen. What is not defined here is Linux's.

use crate::consumer::platform::{End, Holds, Stat};
use crate::consumer::stream::{Fd, Identity, Stream};
use crate::consumer::{linux, macos};
use crate::env;

pub use crate::consumer::linux::*;

fn plays(what: &str) -> bool {
    std::env::var_os(env::TOTO_FAULT).is_some_and(|value| value == what)
}

fn is_mac() -> bool {
    plays("macos")
}

pub enum Holders {
    Linux(linux::Holders),
    Mac(macos::Holders),
}

impl Holders {
    pub fn of(streams: Vec<Stream>) -> Self {
        if is_mac() {
            Self::Mac(macos::Holders::of(streams))
        } else {
            Self::Linux(linux::Holders::of(streams))
        }
    }

    pub fn holds(&mut self, process: i32, fd: Fd) -> Holds {
        match self {
            Self::Linux(holders) => holders.holds(process, fd),
            Self::Mac(holders) => holders.holds(process, fd),
        }
    }

    pub fn has_end(&self, process: i32, fd: Fd, end: End, leaked: bool) -> Option<bool> {
        match self {
            Self::Linux(holders) => holders.has_end(process, fd, end, leaked),
            Self::Mac(holders) => holders.has_end(process, fd, end, leaked),
        }
    }
}

pub fn shows_us(pid: i32) -> bool {
    if is_mac() { macos::shows_us(pid) } else { !plays("blind") && linux::shows_us(pid) }
}

/// Functions that are the played system's own.
macro_rules! played {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)+) => {$(
        pub fn $name($($argument: $kind),*) -> $answer {
            if is_mac() { macos::$name($($argument),*) } else { linux::$name($($argument),*) }
        }
    )+};
}

played! {
    stat(pid: i32) -> Option<Stat>;
    arguments(pid: i32) -> Option<Vec<u8>>;
    environment(pid: i32) -> Option<Vec<u8>>;
    children(pid: i32) -> Option<Vec<i32>>;
    everybody() -> Vec<i32>;
    shares(process: i32, descriptors: &[Fd], identity: &Identity) -> Option<bool>;
    descriptor(pid: i32, number: i32) -> Option<(Identity, Vec<u8>)>;
    executable(pid: i32) -> Option<Vec<u8>>;
    appends(pid: i32, number: i32) -> bool;
    is_reading(pid: i32, descriptors: &[i32]) -> Option<bool>;
    hides_environments() -> bool;
}

/// As on a Mac, empty for pipes: `F_GETPATH` fails on them.
pub fn link(fd: Fd) -> Vec<u8> {
    let link = if plays("blind") { Vec::new() } else { linux::link(fd) };
    if is_mac() && !link.starts_with(b"/") { Vec::new() } else { link }
}

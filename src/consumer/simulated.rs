//! The platform of debug builds on Linux: with `_TOTO_FAULT=macos` it answers as a Mac, with `_TOTO_FAULT=blind` as
//! a system where processes cannot be seen. What is not defined here is Linux's.

use super::holds::{End, Holds};
use super::process::{Process, Stat};
use super::stream::{Fd, Identity, Stream};
use super::{linux, macos};
use crate::env;

pub use super::linux::*;

fn plays(what: &str) -> bool {
    std::env::var_os(env::TOTO_FAULT).is_some_and(|value| value == what)
}

fn is_mac() -> bool {
    plays("macos")
}

pub fn hides_environments() -> bool {
    is_mac()
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

pub fn stat(pid: i32) -> Option<Stat> {
    if is_mac() { macos::stat(pid) } else { linux::stat(pid) }
}

pub fn arguments(pid: i32) -> Option<Vec<u8>> {
    if is_mac() { macos::arguments(pid) } else { linux::arguments(pid) }
}

pub fn environment(pid: i32) -> Option<Vec<u8>> {
    if is_mac() { macos::environment(pid) } else { linux::environment(pid) }
}

pub fn children(pid: i32) -> Option<Vec<i32>> {
    if is_mac() { macos::children(pid) } else { linux::children(pid) }
}

pub fn everybody() -> Vec<i32> {
    if is_mac() { macos::everybody() } else { linux::everybody() }
}

pub fn relays(process: &Process, identity: &Identity) -> Option<bool> {
    if is_mac() { macos::relays(process, identity) } else { linux::relays(process, identity) }
}

pub fn shares_input(process: &Process, identity: &Identity) -> Option<bool> {
    if is_mac() { macos::shares_input(process, identity) } else { linux::shares_input(process, identity) }
}

pub fn descriptor(pid: i32, number: i32) -> Option<(Identity, Vec<u8>)> {
    if is_mac() { macos::descriptor(pid, number) } else { linux::descriptor(pid, number) }
}

pub fn executable(pid: i32) -> Option<Vec<u8>> {
    if is_mac() { macos::executable(pid) } else { linux::executable(pid) }
}

pub fn appends(pid: i32, number: i32) -> bool {
    if is_mac() { macos::appends(pid, number) } else { linux::appends(pid, number) }
}

pub fn is_reading(pid: i32, descriptors: &[i32]) -> Option<bool> {
    if is_mac() { macos::is_reading(pid, descriptors) } else { linux::is_reading(pid, descriptors) }
}

/// As on a Mac, empty for pipes: `F_GETPATH` fails on them.
pub fn link(descriptor: i32) -> Vec<u8> {
    let link = if plays("blind") { Vec::new() } else { linux::link(descriptor) };
    if is_mac() && !link.starts_with(b"/") { Vec::new() } else { link }
}

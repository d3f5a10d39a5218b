//! Any output: without terminal control it is little longer, and made in little memory.
#![no_main]

#[path = "../peak.rs"]
mod peak;

libfuzzer_sys::fuzz_target!(|data: &[u8]| peak::within(256 << 10, || parsers::hold("scrub", data)));

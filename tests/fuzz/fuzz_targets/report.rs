//! Any text that may be a report: told in memory by its length.
#![no_main]

#[path = "../peak.rs"]
mod peak;

libfuzzer_sys::fuzz_target!(|data: &[u8]| peak::within((1 << 20) + 6 * data.len(), || parsers::hold("report", data)));

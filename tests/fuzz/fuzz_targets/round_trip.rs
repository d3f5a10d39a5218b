//! Any text: what is a document in it comes back from either notation.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("round_trip", data));

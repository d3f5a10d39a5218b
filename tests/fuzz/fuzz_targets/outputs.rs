//! Any output.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("outputs", data));

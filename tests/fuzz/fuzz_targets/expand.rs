//! Any text to the reader of the notation.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("expand", data));

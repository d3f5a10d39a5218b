//! A filter and an output, a NUL between them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("filters", data));

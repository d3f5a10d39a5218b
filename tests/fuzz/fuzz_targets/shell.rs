//! A command line.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("shell", data));

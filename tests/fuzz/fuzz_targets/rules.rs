//! A user's rewrites and a command line, a NUL between them.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("rules", data));

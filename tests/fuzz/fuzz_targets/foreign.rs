//! Another program's JSON or TOML.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("foreign", data));

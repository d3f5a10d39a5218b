//! An agent that the user describes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("agents", data));

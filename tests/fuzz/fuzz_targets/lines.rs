//! Any text: it comes back from the notation of text.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("lines", data));

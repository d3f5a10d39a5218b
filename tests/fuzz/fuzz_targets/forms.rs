//! Any text: every word of it stands in its known forms.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("forms", data));

//! Any text that may be a report.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("report", data));

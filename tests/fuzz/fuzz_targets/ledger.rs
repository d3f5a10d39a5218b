//! Lines of a spool.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("ledger", data));

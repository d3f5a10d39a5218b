//! Any printed table: no cell stands in another's column.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("tables", data));

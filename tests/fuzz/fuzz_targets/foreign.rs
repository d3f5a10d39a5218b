//! Another program's JSON or TOML: what is put in comes out again, byte for byte.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../parsers.rs"]
#[allow(dead_code, reason = "each target has one of its properties")]
mod parsers;

fuzz_target!(|data: &[u8]| {
    if let Some(wrong) = parsers::foreign_files(data) {
        panic!("{wrong}");
    }
});

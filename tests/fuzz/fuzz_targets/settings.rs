//! A configuration: written out it says the same again, or one line says where it is wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../parsers.rs"]
#[allow(dead_code, reason = "each target has one of its properties")]
mod parsers;

fuzz_target!(|data: &[u8]| {
    if let Some(wrong) = parsers::settings(data) {
        panic!("{wrong}");
    }
});

//! A filter and an output, a NUL between them: a mistake with its place, or an output that ends.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../parsers.rs"]
#[allow(dead_code, reason = "each target has one of its properties")]
mod parsers;

fuzz_target!(|data: &[u8]| {
    if let Some(wrong) = parsers::filters(data) {
        panic!("{wrong}");
    }
});

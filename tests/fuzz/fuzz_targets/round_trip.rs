//! Any text: what is found to be a document in it (JSON, NDJSON, YAML, text around JSON) comes back from either
//! notation, at level `lossless` and at `standard`.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../round_trip.rs"]
mod round_trip;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Some(wrong) = round_trip::violation(text)
    {
        panic!("{wrong}");
    }
});

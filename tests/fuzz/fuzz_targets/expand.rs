//! Any text: the reader of the notation answers with JSON or with one error that names a line of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use llm_toto::render::expand::expand;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Err(error) = expand(text)
    {
        assert!((1..=text.lines().count().max(1) + 1).contains(&error.line), "{error}");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
});

//! A question of an agent's to its hook.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| parsers::hold("hook", data));

//! `argv[0]` selects the role: called `toto`, the binary is the command line; called by any other name, it is the
//! shim of that tool.
//!
//! There is no Rust `main`: the standard runtime sets SIGPIPE to "ignore" and opens /dev/null on closed
//! descriptors before `main` runs, and the tool would inherit both.
#![no_main]

use std::ffi::c_int;

/// Entry point called by the C runtime; returns the exit status.
#[expect(unsafe_code, reason = "the C runtime finds its entry point by this unmangled name")]
#[unsafe(no_mangle)]
pub extern "C" fn main() -> c_int {
    llm_toto::start()
}

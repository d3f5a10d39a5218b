//! toto, the LLM Tool Output Tokens Optimizer: the rooms behind the binary, for tests and benches.
//!
//! docs/ARCHITECTURE.md tells the way of the data; imports run downward only (`tests/suite/architecture.rs`).

use std::ffi::OsStr;
use std::path::Path;

pub mod agents;
pub mod cli;
pub mod config;
pub mod consumer;
pub mod deliver;
pub mod document;
pub mod env;
pub mod passthrough;
pub mod path;
pub mod pipeline;
pub mod render;
pub mod run;
pub mod shim;
pub mod receipt;
pub mod store;
pub mod sys;
pub mod tokens;

/// Runs the program by the name it was called with and returns its exit status (0 to 255).
///
/// Dispatch comes before anything else: the shim's way loads nothing that only the command line needs.
pub fn start() -> i32 {
    let args: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let name = args.first().and_then(|arg| Path::new(arg).file_name()).unwrap_or(OsStr::new("toto"));
    match name.to_str() {
        Some("toto" | "llm-toto") => cli::main(args),
        _ => shim::main(name, &args),
    }
}

//! toto, the LLM Tool Output Tokens Optimizer: the rooms behind the binary, for tests and benches.
//!
//! docs/ARCHITECTURE.md tells the way of the data; imports run downward only (`tests/suite/architecture.rs`).

use std::path::Path;

pub mod agents;
pub mod cli;
pub mod config;
pub mod consumer;
pub mod deliver;
pub mod document;
pub mod env;
pub mod farm;
pub mod overflow;
pub mod passthrough;
pub mod path;
pub mod pipeline;
pub mod receipt;
pub mod render;
pub mod run;
pub mod shim;
pub mod store;
pub mod sys;
pub mod tokens;

/// Runs the program by the name it was called with and returns its exit status (0 to 255).
///
/// Dispatch comes before anything else: the shim's way loads nothing that only the command line needs.
pub fn start() -> i32 {
    let args: Vec<_> = std::env::args_os().collect();
    match args.first().map(Path::new).and_then(Path::file_name) {
        Some(name) if farm::OWN_NAMES.iter().all(|own| name != *own) => shim::main(name, &args),
        _ => cli::main(args),
    }
}

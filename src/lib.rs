//! toto, the LLM Tool Output Tokens Optimizer: the rooms of the binary, as a library for tests and benches.
//!
//! docs/ARCHITECTURE.md describes the way of the data. Imports run downward only (`tests/suite/architecture.rs`).

use std::ffi::OsString;

mod agent_setup;
pub mod agents;
pub mod cli;
pub mod commands;
pub mod config;
mod consumer;
pub mod custom;
mod deliver;
pub mod document;
pub mod edits;
mod env;
pub mod failure;
mod farm;
pub mod fetch;
pub mod filter;
mod fnv;
mod glob;
pub mod hidden;
pub mod hook;
pub mod ledger;
pub mod marks;
mod mistake;
pub mod overflow;
pub mod packs;
mod path;
pub mod pipeline;
mod plural;
mod receipt;
pub mod render;
pub mod report;
mod run;
mod shim;
mod source;
mod store;
mod sys;
pub mod tokens;
mod transcripts;
mod trust;
mod viewer;
pub mod words;

// For benches.
pub use consumer::{Trace, decide};
pub use run::Status;

/// Runs as the command line or as a shim, by the name we were called by, and returns the exit status (0 to 255).
///
/// The dispatch comes first, so that a shim loads nothing that only the command line needs.
pub fn start() -> i32 {
    let mut args: Vec<_> = std::env::args_os().collect();
    if sys::auxv::is_elevated() && path::is_set_id() {
        run::emit::say(
            "toto: its file is set-user-id or set-group-id, and whoever calls it would run tools by those rights; take that away (chmod ug-s)",
        );
        return sys::process::NOT_STARTED;
    }
    let name = path::called_as(args.first().map(OsString::as_os_str));
    if path::OWN_NAMES.iter().any(|own| name == *own) || path::is_renamed(&name) {
        return match words(&args)[..] {
            // What a rewritten command and the words of an agent's shell run; nobody types it.
            ["shim", "--", _, ..] => shim::main(&args[3], &args[3..]),
            ["shim", tied, "--"] if args.len() > 4 && tied.starts_with("--tied=") => {
                if let Ok(parent) = tied[7..].parse() {
                    sys::process::end_with_parent(parent);
                }
                shim::listed(&args[4..])
            }
            ["shim", "--listed", "--"] if args.len() > 4 => shim::listed(&args[4..]),
            ["eyes", ref option @ ..] => {
                let value = consumer::value_of_streams(option == ["--unless-fed"]);
                let _ = run::emit::write_all(rustix::stdio::stdout(), value.as_bytes());
                0
            }
            // With any arguments: the agent would take the status of a usage error for a verdict on the command.
            ["hook", "handle", ..] => cli::handle_hook(&args[3..]),
            _ => cli::main(args),
        };
    }
    if args.is_empty() {
        args.push(name.clone());
    }
    if farm::reach::is_word(&args[0]) {
        // As the shell would give it without the word.
        args[0] = name;
        return shim::listed(&args);
    }
    shim::main(&name, &args)
}

/// The first three arguments after argv[0]; one that is not UTF-8 becomes U+FFFD.
fn words(args: &[OsString]) -> Vec<&str> {
    args.iter().skip(1).take(3).map(|word| word.to_str().unwrap_or("\u{fffd}")).collect()
}

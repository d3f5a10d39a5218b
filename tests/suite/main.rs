//! All integration tests, one binary.

#![expect(clippy::disallowed_methods, reason = "a test's job is to start programs")]

mod agents;
mod agents_setup;
mod architecture;
mod carried;
mod circles;
mod cli;
mod consumer;
mod count;
mod discover;
mod documents;
mod edits;
mod expand;
mod facts;
mod farm;
mod faults;
mod fetch;
mod figures;
mod filter;
mod filter_cli;
mod filter_docs;
mod filter_engine;
mod fold;
mod forms;
mod gain;
mod golden;
mod harness;
mod honest;
mod hook;
mod killed;
mod large;
mod ledger;
mod marks;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod matrix;
mod minified;
mod notation;
mod outline;
mod packs;
mod pages;
mod parsers;
mod path;
#[path = "../processor.rs"]
mod processor;
mod reach;
mod readme;
mod regressions;
mod report;
mod run;
mod security;
mod setup;
mod shapes;
mod since;
mod soak;
mod source;
mod store;
mod tables;
mod tables_drawn;
mod terminal;
mod tokens;
mod unsaved;
mod words;
mod yaml;

//! All integration tests, one binary.

#![expect(clippy::disallowed_methods, reason = "a test's job is to start programs")]

mod agents;
mod agents_setup;
mod architecture;
mod cli;
mod consumer;
mod count;
mod farm;
mod faults;
mod filter;
mod foreign;
mod harness;
mod large;
mod notation;
mod path;
mod readme;
mod regressions;
mod run;
mod setup;
mod store;
mod tokens;

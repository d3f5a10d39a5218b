//! All integration tests, one binary.

#![expect(clippy::disallowed_methods, reason = "a test's job is to start programs")]

mod architecture;
mod cli;
mod farm;
mod faults;
mod harness;
mod large;
mod notation;
mod path;
mod run;
mod setup;
mod store;
mod tokens;

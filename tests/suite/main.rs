//! All integration tests, one binary.

mod cli;
mod farm;
mod harness;
mod path;

//! All integration tests, one binary.

mod harness;

//! The only room with `unsafe` code: primitives of the operating system that no crate in use wraps.

pub mod peek;

//! The shapes a document can be written in, one file each, and the way back.

pub mod expand;
pub mod minified;
pub mod pvfn;

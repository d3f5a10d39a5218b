//! The shapes a document can be written in, one file each, and the way back.

pub mod bound;
pub mod expand;
mod json_text;
pub mod lines;
pub mod minified;
pub mod pvfn;
pub mod schema_yaml;

/// Bytes of a part, where a shape is written in parts.
const PART: usize = 64 * 1024;

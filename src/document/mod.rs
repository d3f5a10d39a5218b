//! Structured input as one flat tree that borrows the text it was read from.

mod json;
mod keys;
mod scalars;
mod scan;
pub mod tables;
mod tree;
mod yaml;

pub use scalars::{is_number, write_json_string, write_seen};
pub use scan::{Layout, Segment, scan};
pub use tree::{Document, Id, Kind};
pub use yaml::to_json as yaml_to_json;

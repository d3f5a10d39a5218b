//! Structured input as one flat tree that borrows the text it was read from.

mod fault;
mod json;
mod keys;
mod number;
mod scan;
mod string;
pub mod tables;
mod tree;
mod yaml;

pub use number::is_number;
pub use scan::{Layout, Segment, scan};
pub use string::{write_json_string, write_seen};
pub use tree::{Document, Id, Kind};
pub use yaml::to_json as yaml_to_json;

//! Recognisers of what test runners print.

mod body;
mod engine;
mod frame;
mod pytest;
mod tables;

use super::families::Family;

/// In the order in which they are asked.
pub const FAMILIES: &[&[Family]] = &[&[pytest::FAMILY], tables::FAMILIES];

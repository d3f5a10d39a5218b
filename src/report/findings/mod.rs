//! Recognisers of what compilers, type checkers and linters print.

mod plain;

use super::families::Family;

/// In the order in which they are asked.
pub const FAMILIES: &[Family] = &[plain::FAMILY];

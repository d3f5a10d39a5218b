//! Recognisers of what test runners print.

mod pytest;

use super::families::Family;

/// In the order in which they are asked.
pub const FAMILIES: &[Family] = &[pytest::FAMILY];

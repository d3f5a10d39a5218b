//! Recognisers of what test runners print.

mod body;
mod engine;
mod frame;
mod pytest;
mod rule;
mod tables;
mod told;
mod traces;

use super::family::Family;

/// In the order in which they are asked.
pub const FAMILIES: &[&[Family]] = &[&[pytest::FAMILY], tables::FAMILIES];
/// Asked behind all others: a trace inside another report is a part of that report.
pub const TRACES: &[Family] = &[traces::FAMILY];

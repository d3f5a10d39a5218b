//! Reports: what test runners, compilers, type checkers and linters print. A report is recognised by what it says, read
//! into records, and told completely. Pure, linear, bounded.
//!
//! ```text
//! text ─► section: lines, without prefixes ─► reader: families ─► record ─► render: groups, digest, JSON
//! ```
//!
//! Every line of a digest is the tool's own, a mark that begins with `… `, or a line that is evidently made of a record
//! (`FAILED tests/a.py:12 test_x`). Totals are the tool's own lines. Lines of no record stay, in their order.
//!
//! `CONTRIBUTING.md` has the steps for adding a family.
#![forbid(unsafe_code)]

mod findings;
mod json_lines;
mod maps;
mod prefix;
mod reader;
pub mod record;
mod render;
mod runners;
mod section;
mod seen;
mod table;
mod words;

pub use json_lines::{is_events, plain};
pub use reader::{Report, has_totals, read};
pub use render::{Digest, Earlier, LeftOut, Options};

#[cfg(test)]
#[path = "../../tests/unit/report.rs"]
mod tests;

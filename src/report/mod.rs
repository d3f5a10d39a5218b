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

use std::collections;
use std::ffi::OsString;

use foldhash::fast::RandomState;

mod findings;
mod json_lines;
mod prefix;
mod reader;
pub mod record;
mod render;
mod runners;
mod section;
mod table;

pub use json_lines::{is_events, plain};
pub use reader::{Report, has_totals, read};
pub use render::{Digest, Earlier, LeftOut, Options};

/// The lists of words of the tables.
mod words {
    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

type HashMap<K, V> = collections::HashMap<K, V, RandomState>;
type HashSet<K> = collections::HashSet<K, RandomState>;
/// A map in the order of insertion.
type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;

/// The digest of a text by [`plain`], [`read`] and [`Report::digest`]; `None` if the text is no report.
pub fn digest(text: &str, words: &[OsString], options: &Options<'_>) -> Option<Digest> {
    Some(read(&plain(text), words)?.digest(options))
}

/// The names of the families, in the order in which they are asked.
pub fn families() -> impl Iterator<Item = &'static str> {
    reader::families().map(|family| family.name)
}

//! Reports: what test runners, compilers, type checkers and linters print. A report is recognised by what it says, read
//! into records, and told completely. Pure, linear, bounded.
//!
//! ```text
//! text ─► section: lines, without prefixes ─► families: recognisers ─► record ─► render: groups, digest, JSON
//! ```
//!
//! Every line of a digest is the tool's own, a mark that begins with `… `, or a line that is evidently made of a record
//! (`FAILED tests/a.py:12 test_x`). Totals are the tool's own lines. Lines of no record stay, in their order.
//!
//! # Adding a family
//!
//! 1. Keep real output of the tool, failing and passing, in `tests/fixtures/report/FAMILY/NAME.txt`, with a row in
//!    `tests/fixtures/README.md`, and `NAME.toml` beside it (the command, the exit status, the totals in the tool's
//!    words).
//! 2. `src/report/runners/NAME.rs` (tests) or `src/report/findings/NAME.rs`: a `pub const FAMILY: Family` with `signs`
//!    and `read`. A text without any of the signs is no report of the family; they are cheap to look for, so make them
//!    as exact as possible. `read` goes over the section's lines, skips those of other families (`records.is_free`),
//!    and adds records by `records.add(range of lines, What::…)`, which refuses lines that another family has. Each
//!    line is read a bounded number of times: cost is linear, on hostile input too.
//! 3. The parts of a record are in [`record`]: a [`record::Test`] has its id, outcome, place and the parts of its
//!    reason; a [`record::Finding`] its place, severity, code, message, line at fault, notes. A line of totals is
//!    [`record::What::Total`]; lines that say nothing of their own are [`record::What::Dropped`]. A line that is not
//!    added stays a line of the digest: in doubt, do not add it.
//! 4. A row in the table of `runners/mod.rs` or `findings/mod.rs`, the more specific family first.
//! 5. A pattern for the family in `tests/suite/report/facts.rs`, the reader that shares no code with this room, and
//!    `cargo test --test suite report::`.
//!
//! `runners/pytest.rs` is the example of a runner. A linter whose findings begin with a line of a known form is a row
//! in `findings/lines.rs` (`{place}: {word}: {message} [{code}]`); its output goes to
//! `tests/fixtures/findings/NAME.txt`, and its expression to `tests/suite/report/findings_forms.rs`.
#![forbid(unsafe_code)]

mod families;
mod family;
mod findings;
mod json_lines;
mod prefix;
mod reader;
pub mod record;
mod render;
mod runners;
mod section;

pub use json_lines::{is_events, plain};
pub use reader::{Hint, Report, read};
pub use render::{Digest, LeftOut, Options};

/// The digest of a text by [`plain`], [`read`] and [`Report::digest`]; `None` if the text is no report.
pub fn digest(text: &str, hint: &Hint<'_>, options: &Options<'_>) -> Option<Digest> {
    Some(read(&plain(text), hint)?.digest(options))
}

/// The names of the families, in the order in which they are asked.
pub fn families() -> impl Iterator<Item = &'static str> {
    families::all().map(|family| family.name)
}

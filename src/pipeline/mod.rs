//! The order of stages: scrub, parse, sieve, dedupe, route; for text scrub and filter. Pure: bytes in, bytes and a report out.

pub mod dedupe;
mod router;
pub mod scrub;
pub mod sieve;

use std::fmt;
use std::time::Duration;

use router::{Router, timed};
pub use sieve::Omitted;

use crate::config::{Format, Level};
use crate::filter::Call;

/// What may be done to an output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How much may be left out.
    pub level: Level,
    /// The notation to use.
    pub format: Format,
    /// The reader parses what it gets by a script of its own: minified JSON or raw, never a notation.
    pub machine_reader: bool,
    /// The command that shows the original, named where something was left out: `toto show last`.
    pub recall: &'a str,
    /// The command whose output it is, for text filters.
    pub call: Call<'a>,
}

/// How an output was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Path-value notation.
    Pvfn,
    /// A `schema:` list and `data:` rows, valid YAML.
    SchemaYaml,
    /// Minified JSON.
    Json,
    /// Text without terminal control.
    Text,
    /// The original bytes.
    Raw,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pvfn => "PVFN",
            Self::SchemaYaml => "SchemaYAML",
            Self::Json => "JSON",
            Self::Text => "Text",
            Self::Raw => "Raw",
        })
    }
}

/// A shape the router looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The shape.
    pub shape: Shape,
    /// What it would cost.
    pub count: Count,
}

/// The tokens of a candidate, as far as they had to be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted to the end.
    Exact(usize),
    /// More than this, which another candidate needs: it could not win any more and was not looked at further.
    MoreThan(usize),
    /// The output has no such form.
    Unsuited,
}

/// In words: `612`, `more than 612`, `does not suit`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(tokens) => write!(f, "{tokens}"),
            Self::MoreThan(tokens) => write!(f, "more than {tokens}"),
            Self::Unsuited => f.write_str("does not suit"),
        }
    }
}

/// Time spent, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// Terminal control out.
    pub scrub: Duration,
    /// Finding and parsing documents.
    pub parse: Duration,
    /// Sieve, base64 and dedupe.
    pub sieve: Duration,
    /// Text filters.
    pub filter: Duration,
    /// Writing the candidates.
    pub render: Duration,
    /// Counting tokens, of the original and of the candidates.
    pub count: Duration,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Report {
    /// The bytes for the reader.
    pub output: Vec<u8>,
    /// How they are written.
    pub shape: Shape,
    /// The text filter whose rules were used.
    pub filter: Option<String>,
    /// Tokens of the input.
    pub original_tokens: usize,
    /// Is that only about their number (of a text of more than 2 MiB)?
    pub estimated: bool,
    /// Tokens of the output.
    pub output_tokens: usize,
    /// What other than presentation was left out of the output.
    pub omitted: Omitted,
    /// The shapes that were compared.
    pub candidates: Vec<Candidate>,
    /// Where the time went.
    pub timings: Timings,
}

/// Compresses an output. Never more tokens than the input: the original is always a candidate and wins a tie,
/// unless the options ask for one format.
///
/// Bytes that are no text (a NUL, or invalid UTF-8 where there would be a document) come back as they are.
pub fn compress(input: &[u8], options: &Options<'_>) -> Report {
    let mut router = Router::new(input, options);
    if options.format != Format::Raw && memchr::memchr(0, input).is_none() {
        let scrubbed = timed(&mut router.timings.scrub, || scrub::scrub(input));
        router.structured(&scrubbed);
        if !router.has_candidate() && !options.machine_reader {
            router.text(scrubbed);
        }
    }
    router.report()
}

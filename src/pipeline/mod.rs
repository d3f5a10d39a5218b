//! The order of stages: for documents scrub, parse, sieve (with dedupe), route; for text scrub, filter, route. Pure:
//! bytes in, bytes and a report out.

pub mod dedupe;
mod kind;
mod router;
pub mod scrub;
pub mod sieve;
mod trial;
pub mod visible;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

pub use kind::Kind;
pub use router::is_worth_it;
use router::{Router, timed};
pub use sieve::Omitted;

use crate::config::{Format, Level};
use crate::custom::{self, Call};
use crate::report;

/// A text has at most one NUL in this many bytes.
const LARGEST_SHARE_OF_NULS: usize = 4096;

/// At most one in this many bytes of a text is invalid UTF-8 or a control byte that no terminal knows; German in
/// Latin-1 has one in thirty.
const LARGEST_SHARE_OF_BINARY: usize = 10;

/// Options of git by which only the colour tells a removed word from an added one.
const COLOURED_WORDS: &[&str] = &["--color-words", "--word-diff=color"];

/// The settings for one output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How much may be left out.
    pub level: Level,
    /// The notation to use.
    pub format: Format,
    /// Whether the reader parses the output by a script of its own: it gets minified JSON or the original, never a
    /// notation.
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
    /// A complete digest of what tests, compilers and linters found.
    Report,
    /// Text without terminal control.
    Text,
    /// Text in the notation of text: what lines share is said once.
    Lines,
    /// The original bytes.
    Raw,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pvfn => "PVFN",
            Self::SchemaYaml => "SchemaYAML",
            Self::Json => "JSON",
            Self::Report => "Report",
            Self::Text => "Text",
            Self::Lines => "Lines",
            Self::Raw => "Raw",
        })
    }
}

/// A shape the router looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The shape.
    pub shape: Shape,
    /// Its cost in tokens.
    pub count: Count,
}

/// The tokens of a candidate, as far as they had to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted to the end.
    Exact(usize),
    /// More than this, the count of another candidate: it could not win any more and was not counted further.
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
    /// Removing terminal control.
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

/// The result of compressing an output.
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
    /// Whether the count is an estimate (of a text of more than 2 MiB).
    pub estimated: bool,
    /// Tokens of the output.
    pub output_tokens: usize,
    /// Counts of what was left out of the output, presentation aside.
    pub omitted: Omitted,
    /// The shapes that were compared.
    pub candidates: Vec<Candidate>,
    /// Time spent, by stage.
    pub timings: Timings,
}

/// Compresses an output. Never more tokens than the input, unless the options ask for one format: the original is
/// always a candidate, and another shape wins only where it saves enough ([`is_worth_it`]; a user's own filter,
/// anything).
///
/// Bytes that are no text come back as they are: those with NULs (but for a few in the output of a known command: a
/// file of test data in `git log -p`), with many bytes that are no UTF-8, and with invalid UTF-8 where there would be a
/// document. So does a text whose colours carry meaning.
pub fn compress(input: &[u8], options: &Options<'_>) -> Report {
    let mut router = Router::new(input, options);
    let nuls = memchr::memchr_iter(0, input).count();
    let is_text =
        nuls * LARGEST_SHARE_OF_NULS <= input.len() && !is_binary(input) && !colours_tell(&options.call);
    if options.format != Format::Raw && is_text {
        let scrubbed = timed(&mut router.timings.scrub, || scrub::at_level(input, options.level));
        router.states = scrubbed.states;
        let scrubbed = scrubbed.text;
        // A user's own filter that reads JSON comes before the shapes of a document.
        let reads = nuls == 0 && options.level != Level::Lossless && !options.machine_reader;
        if reads && options.format == Format::Auto && custom::reads_json(&options.call) {
            router.text(Cow::Borrowed(&scrubbed));
        }
        // The events of a test run are documents one after another, but the report in them has fewer words.
        let are_events = reads
            && options.format == Format::Auto
            && std::str::from_utf8(&scrubbed).is_ok_and(report::is_events);
        if nuls == 0 && router.wants_text() && !are_events {
            router.structured(&scrubbed);
        }
        if router.wants_text() && !options.machine_reader && (nuls == 0 || !options.call.words.is_empty()) {
            router.text(scrubbed);
        }
    }
    router.report()
}

fn colours_tell(call: &Call<'_>) -> bool {
    let asked = |option: &str| COLOURED_WORDS.iter().any(|coloured| option.starts_with(coloured));
    call.words.iter().any(|word| word.to_str().is_some_and(asked))
}

fn is_binary(input: &[u8]) -> bool {
    let invalid: usize = input.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    if invalid == 0 {
        return false;
    }
    let control = input.iter().filter(|byte| matches!(byte, 1..=6 | 14..=26 | 28..=31)).count();
    (invalid + control) * LARGEST_SHARE_OF_BINARY > input.len()
}

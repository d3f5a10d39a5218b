//! The settings for one output, and what becomes of it: shape, costs, what was left out, times.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::config::{Format, Level};
use crate::custom::Call;
use crate::filter::FilterName;
use crate::marks::note_on_quoted;
use crate::report::{Earlier, LeftOut};

use super::kind::OutputKind;
use super::page::Page;

/// The settings for one output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How much may be left out.
    pub level: Level,
    /// The notation to use.
    pub format: Format,
    /// Whether the reader parses the output by a script of its own: it gets minified JSON or the original, never a
    /// notation.
    pub parses_output: bool,
    /// Whether an agent is known to read the output, so that bytes that are no text have no use but to be seen.
    pub is_seen: bool,
    /// The directory that the tool ran in, with a slash behind it; empty where it is not known.
    pub directory: &'a str,
    /// The command that shows the original, named where something was left out: `toto show last`.
    pub recall: &'a str,
    /// The command whose output it is, for text filters.
    pub call: Call<'a>,
    /// Tokens up to which a report is told more fully than it need be.
    pub room: usize,
    /// The last run of the same command, to tell what changed since.
    pub since: Option<Earlier<'a>>,
    /// The page that a report is also told within, where it is longer.
    pub page: Option<Page>,
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
    /// Text in known forms, with tables as documents.
    Forms,
    /// The original bytes.
    Raw,
}

impl Shape {
    /// The shapes of documents, the more familiar ones last.
    pub const OF_DOCUMENTS: [Self; 3] = [Self::Pvfn, Self::SchemaYaml, Self::Json];

    /// Whether documents are written so; otherwise it is a form of text, or the original.
    pub fn is_of_documents(self) -> bool {
        Self::OF_DOCUMENTS.contains(&self)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pvfn => "PVFN",
            Self::SchemaYaml => "SchemaYAML",
            Self::Json => "JSON",
            Self::Report => "Report",
            // For who reads a receipt, text in known forms is text.
            Self::Text | Self::Forms => "Text",
            Self::Raw => "Raw",
        })
    }
}

/// The tokens of a shape, as far as they had to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Counted to the end.
    Exact(usize),
    /// More than this, the count of another shape: it could not win any more and was not counted further.
    MoreThan(usize),
    /// The output has no such form.
    Unsuited,
}

/// Counts of what was left out, presentation aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// `null`, `""`, `[]`, `{}`, and containers that held nothing else.
    pub empties: usize,
    /// Strings shown as `<base64 N chars>`.
    pub base64: usize,
    /// Scalars that stood in the document before (level `max`).
    pub duplicates: usize,
    /// Milliseconds since 1970 under a key that speaks of time (level `max`).
    pub timestamps: usize,
    /// Lines of text, and those that a mark counts.
    pub lines: usize,
    pub counted: usize,
    /// States of progress that the tool wrote over.
    pub states: usize,
    /// Lines of a report, with the reasons.
    pub of_report: LeftOut,
}

impl Omitted {
    /// Whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the counts of another document.
    pub fn add(&mut self, other: Self) {
        let Self { empties, base64, duplicates, timestamps, lines, counted, states, of_report } = other;
        self.empties += empties;
        self.base64 += base64;
        self.duplicates += duplicates;
        self.timestamps += timestamps;
        self.lines += lines;
        self.counted += counted;
        self.states += states;
        self.of_report.join(of_report);
    }

    /// The line that says what was left out; `recall` is the command that shows it, `keys` are those of what is null or
    /// empty.
    pub fn note(&self, recall: &str, keys: &Keys) -> String {
        let colon = if recall.is_empty() { "" } else { ": " };
        format!("({} left out{colon}{recall})\n", self.words(keys))
    }
}

/// Appends the note, if there is one, on a line of its own, with a newline behind it if the output ended with one.
pub fn add_note(output: &mut Vec<u8>, note: &str) {
    if note.is_empty() {
        return;
    }
    if output.is_empty() || output.ends_with(b"\n") {
        output.extend_from_slice(note.as_bytes());
    } else {
        output.push(b'\n');
        output.extend_from_slice(note.trim_end().as_bytes());
    }
}

/// Appends the note on lines that look like toto's.
pub fn note_quoted(output: &mut Vec<u8>) {
    let note = note_on_quoted(output);
    add_note(output, &note);
}

/// How often each key has nothing but null or an empty value.
#[derive(Clone, Debug, Default)]
pub struct Keys(pub BTreeMap<String, usize>);

/// Most keys that are named, and the longest, in bytes.
const MOST_KEYS: usize = 3;
const LONGEST_KEY: usize = 40;

/// ` (Ipv6Ranges, PrefixListIds, …)`, the most frequent first: who looks for one of them is told that nothing stands
/// there. A key of other characters, which could be a text of ours, is not named.
impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = |key: &str| {
            key.len() <= LONGEST_KEY && key.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:".contains(c))
        };
        let mut keys: Vec<_> = self.0.iter().filter(|(key, _)| is_plain(key)).collect();
        keys.sort_by_key(|(_, count)| Reverse(**count));
        let mut named: Vec<&str> = keys.into_iter().take(MOST_KEYS).map(|(key, _)| key.as_str()).collect();
        if named.is_empty() {
            return Ok(());
        }
        named.extend((named.len() < self.0.len()).then_some("…"));
        write!(f, " ({})", named.join(", "))
    }
}

impl Omitted {
    /// In words, as the output says it: `12 null/empty (Ipv6Ranges), 1 base64`.
    fn words(&self, keys: &Keys) -> String {
        let empties = format!("null/empty{keys}");
        let parts = [
            (self.empties, &*empties, &*empties),
            (self.base64, "base64", "base64"),
            (self.duplicates, "duplicate value", "duplicate values"),
            (self.timestamps, "epoch stamp", "epoch stamps"),
            (self.lines, "line", "lines"),
            (self.counted, "line that is counted above", "lines that are counted above"),
            (self.states, "state of progress", "states of progress"),
        ];
        let parts = parts.into_iter().filter(|(count, ..)| *count > 0);
        let mut words: Vec<String> = parts
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect();
        words.extend((self.of_report.lines > 0).then(|| self.of_report.to_string()));
        words.join(", ")
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
    /// Writing it in each shape.
    pub render: Duration,
    /// Counting tokens, of the original and of each shape.
    pub count: Duration,
}

/// The result of compressing an output.
#[derive(Clone, Debug)]
pub struct Compressed {
    /// The bytes for the reader.
    pub output: Vec<u8>,
    /// How they are written.
    pub shape: Shape,
    /// A report's digest within [`Options::page`], where the output is longer: every group, and as many of its places
    /// as there is room for.
    pub within_page: Option<Vec<u8>>,
    /// What the output is for its reader.
    pub kind: OutputKind,
    /// Whether the text was read as a report, however it is written.
    pub is_report: bool,
    /// The text filter whose rules were used.
    pub filter: Option<FilterName>,
    /// Tokens of the input.
    pub original_tokens: usize,
    /// Whether the count is an estimate (of a text of more than 2 MiB).
    pub estimated: bool,
    /// Tokens of the output.
    pub output_tokens: usize,
    /// Counts of what was left out of the output, presentation aside.
    pub omitted: Omitted,
    /// The shapes that were compared, and what each costs.
    pub costs: Vec<(Shape, Count)>,
    /// Time spent, by stage.
    pub timings: Timings,
}

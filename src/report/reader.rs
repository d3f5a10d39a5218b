//! Reads a text as a report: its sections, and the records that the families find in them.

use std::ffi::OsString;

use super::families;
use super::record::{Dropped, Record, Severity, What};
use super::section::{self, Records, Section};

/// What is known of the call that printed a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// The tool's name, then its arguments; empty where the command is not known.
    pub words: &'a [OsString],
}

/// A text, read as a report.
#[derive(Debug)]
pub struct Report<'t> {
    /// Its sections.
    pub(super) parts: Vec<Read<'t>>,
}

/// A section with its records.
#[derive(Debug)]
pub(super) struct Read<'t> {
    /// Its lines.
    pub(super) section: Section<'t>,
    /// In the order of their lines.
    pub(super) records: Vec<Record<'t>>,
    /// Indices of the lines of no record.
    pub(super) kept: Vec<usize>,
}

/// Commands whose output is what was asked for, and so never a report.
const CONTENT: &[&str] = &[
    "cat", "bat", "less", "more", "grep", "rg", "ag", "sed", "awk", "git", "diff", "find", "fd", "ls",
    "tree", "jq", "yq", "curl", "wget", "gh", "glab", "kubectl", "aws", "psql", "sqlite3", "mysql", "head",
    "tail", "strings", "xxd",
];

/// Reads a text that was scrubbed of terminal control and made [`plain`](super::plain). `None` if there is no record in
/// it, or if the command's output is itself what was asked for, as with `cat`.
pub fn read<'t>(text: &'t str, hint: &Hint<'_>) -> Option<Report<'t>> {
    if is_content(hint.words) {
        return None;
    }
    let families = families::in_question(text);
    if families.is_empty() {
        return None;
    }
    let parts: Vec<_> = section::sections(text)
        .into_iter()
        .map(|section| {
            let mut records = Records::new(section.lines.len());
            for family in &families {
                (family.read)(&section, &mut records);
            }
            let kept = records.kept().collect();
            let mut records = records.found;
            records.sort_by_key(|record| record.lines.start);
            Read { section, records, kept }
        })
        .collect();
    let is_told =
        |record: &Record<'_>| !matches!(record.what, What::Dropped(Dropped::Heading | Dropped::Repeated));
    parts.iter().any(|part| part.records.iter().any(is_told)).then_some(Report { parts })
}

/// Whether the words call a program that shows a text; `gh run view --log-failed` shows a report.
fn is_content(words: &[OsString]) -> bool {
    let word = |at: usize| words.get(at).and_then(|word| word.to_str()).unwrap_or("");
    let name = word(0).rsplit('/').next().unwrap_or("");
    CONTENT.contains(&name) && (name, word(1)) != ("gh", "run")
}

impl Report<'_> {
    /// Tests that failed or could not be run, and findings that are errors.
    pub fn failures(&self) -> usize {
        self.records()
            .filter(|record| match &record.what {
                What::Test(test) => test.outcome.is_failure(),
                What::Finding(finding) => finding.severity == Severity::Error,
                _ => false,
            })
            .count()
    }

    /// All records, section by section, in the order of their lines.
    pub fn records(&self) -> impl Iterator<Item = &Record<'_>> {
        self.parts.iter().flat_map(|part| &part.records)
    }
}

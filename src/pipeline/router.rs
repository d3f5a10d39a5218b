//! Tells what an output is, writes it in the ways that suit it, and keeps the one with the fewest tokens.
//!
//! What it is comes before what it costs: what a user's own filter made of it, a report, documents, any other text
//! (`text.rs`, `documents.rs`). Each way to write it is a [`Candidate`] with its tokens and what it leaves out; which
//! of them wins is decided in `candidates.rs` alone.

mod candidates;
mod documents;
mod text;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::kind::OutputKind;
use super::model::{Compressed, Count, Omitted, Options, Shape, Timings, note_quoted};
use super::scrub::Scrubbed;
use crate::commands::{self, as_text};
use crate::config::{Format, Level};
use crate::custom::{self, Applied};
use crate::document::write_seen;
use crate::report;
use crate::tokens::{self, Sampler};
pub use candidates::is_worth_it;
use candidates::{Candidate, Candidates};

pub(super) struct Router<'a> {
    input: &'a [u8],
    options: &'a Options<'a>,
    /// The call's words behind wrappers.
    words: Vec<String>,
    candidates: Candidates,
    /// The tokens of the original, if they are counted already, and whether the count is an estimate.
    original_tokens: Option<(usize, bool)>,
    /// What scrubbing left out.
    scrubbed: Omitted,
    pub(super) timings: Timings,
}

/// What the original is, as far as it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Text,
    /// Text with documents in it.
    Mixed,
    Json,
    /// YAML, or documents that are read as text.
    Other,
}

impl<'a> Router<'a> {
    pub(super) fn new(input: &'a [u8], options: &'a Options<'a>) -> Self {
        Self {
            input,
            options,
            words: commands::unwrap(&as_text(options.call.words)).to_vec(),
            candidates: Candidates::default(),
            original_tokens: None,
            scrubbed: Omitted::default(),
            timings: Timings::default(),
        }
    }

    /// Offers the ways to write a text; returns what the text is.
    pub(super) fn write(&mut self, scrubbed: &Scrubbed<'_>, has_nuls: bool) -> Found {
        let Options { level, format, parses_output, call, .. } = *self.options;
        self.scrubbed.states = scrubbed.states;
        let text = std::str::from_utf8(&scrubbed.text).ok().filter(|_| !has_nuls);
        let may_filter = !has_nuls && level != Level::Lossless && format == Format::Auto && !parses_output;
        // A user's own filter that reads JSON comes before the shapes of a document.
        let mut applied = None;
        if may_filter && custom::reads_json(&call) {
            applied = Some(self.by_own_filter(scrubbed));
            if self.candidates.fewest().is_some() {
                return Found::Other;
            }
        }
        // The events of a test run are documents one after another, but the report in them has fewer words.
        if may_filter && text.is_some_and(report::is_events) {
            self.text(scrubbed, &mut [], applied);
            return Found::Other;
        }
        let mut yaml = None;
        let (found, mut segments) = self.documents(text.unwrap_or_default(), &mut yaml);
        // Documents between lines of text compete with what else becomes of the text.
        if found == Found::Mixed && format == Format::Auto && !parses_output {
            self.text(scrubbed, &mut segments, applied);
            return found;
        }
        self.shapes(&mut segments);
        let is_readable = !parses_output && (!has_nuls || !call.words.is_empty());
        if self.candidates.fewest().is_none() && is_readable {
            self.text(scrubbed, &mut [], applied);
        }
        found
    }

    /// Offers what the user's own filter makes of a text.
    fn by_own_filter(&mut self, scrubbed: &Scrubbed<'_>) -> Applied {
        let text = self.counted(scrubbed);
        let applied = timed(&mut self.timings.filter, || custom::apply(&text.bytes, &self.options.call));
        if let Applied::Own(filtered) = &applied {
            self.filtered(filtered.clone(), &text);
        }
        applied
    }

    /// The best candidate, or the original, as `as_it_came` gives it to a reader.
    pub(super) fn choice(mut self, found: Found, as_it_came: fn(&[u8]) -> Cow<'_, [u8]>) -> Compressed {
        let (original_tokens, estimated) = self.count_original();
        let winner = self.candidates.winner(original_tokens, self.options.format);
        let is_document = matches!(found, Found::Json | Found::Other);
        let holds_document = winner.as_ref().map_or(is_document, |it| it.shape.is_of_documents());
        let given = winner.unwrap_or_else(|| self.original(original_tokens, found, as_it_came));
        let mut costs = self.candidates.costs;
        let is_report = costs.iter().any(|(shape, _)| *shape == Shape::Report);
        costs.insert(0, (Shape::Raw, Count::Exact(original_tokens)));
        Compressed {
            kind: OutputKind::of(&self.words, self.input, holds_document),
            is_report,
            output: given.output,
            shape: given.shape,
            within_page: given.within_page,
            filter: given.filter,
            original_tokens,
            estimated,
            output_tokens: given.tokens,
            omitted: given.omitted,
            costs,
            timings: self.timings,
        }
    }

    fn count_original(&mut self) -> (usize, bool) {
        let input = self.input;
        // A document's tokens are counted, whatever its size: an estimate cannot be compared with the counts of its
        // shapes.
        let are_documents = self.candidates.are_documents();
        let count = || if are_documents { (tokens::count(input), false) } else { Sampler::of(input) };
        let known = self.original_tokens.filter(|(_, estimated)| !(are_documents && *estimated));
        known.unwrap_or_else(|| timed(&mut self.timings.count, count))
    }

    /// The original, without what a reader must not get. That may cost tokens, but then somebody meant to deceive.
    fn original(&self, tokens: usize, found: Found, as_it_came: fn(&[u8]) -> Cow<'_, [u8]>) -> Candidate {
        let seen = match as_it_came(self.input) {
            Cow::Borrowed(_) => {
                return Candidate::new(Shape::Raw, self.input.to_vec(), tokens, Omitted::default());
            }
            // With escapes for what nobody would see.
            Cow::Owned(_) if found == Found::Json => {
                let (json, mut out) = (String::from_utf8_lossy(self.input), Vec::new());
                let json = json.trim_start_matches('\u{feff}');
                write_seen(&mut out, json, 0..json.len());
                out
            }
            Cow::Owned(mut text) => {
                note_quoted(&mut text);
                text
            }
        };
        let tokens = Sampler::of(&seen).0;
        Candidate::new(Shape::Text, seen, tokens, Omitted::default())
    }
}

pub(super) fn timed<T>(sum: &mut Duration, stage: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = stage();
    *sum += start.elapsed();
    result
}

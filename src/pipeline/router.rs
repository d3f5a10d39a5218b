//! Tells what an output is, writes it in the ways that suit it, and keeps the one with the fewest tokens.
//!
//! What it is comes before what it costs: what a user's own filter made of it, a report, documents, any other text
//! (`text.rs`, `documents.rs`). Each way to write it is a [`Written`] with its tokens and what it leaves out; which of
//! them wins is decided here alone: [`Router::offer`] among them, [`Router::choice`] against the original.

mod documents;
mod text;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::model::{Compressed, Count, Omitted, Options, Shape, Timings, note_quoted};
use super::scrub::Scrubbed;
use crate::commands::{self, as_text};
use crate::config::{Format, Level};
use crate::custom::{self, Applied};
use crate::document::write_seen;
use crate::filter::FilterName;
use crate::report;
use crate::tokens::{self, Sampler};

/// Tokens that a changed output must save, besides a tenth of the original: a changed text costs trust.
const FEWEST_SAVED: usize = 40;
/// The same where a call asks for the form of a document, as `jq .` does: agents look at what they wrote themselves.
const FEWEST_SAVED_OF_FORM: usize = 300;

/// Whether `tokens` in place of `original` tokens are worth a changed output.
pub fn is_worth_it(tokens: usize, original: usize) -> bool {
    tokens + fewest_saved(original) <= original
}

fn fewest_saved(original: usize) -> usize {
    FEWEST_SAVED.max(original.div_ceil(10))
}

pub(super) struct Router<'a> {
    input: &'a [u8],
    options: &'a Options<'a>,
    /// What a reader is given in place of the original.
    as_it_came: fn(&[u8]) -> Cow<'_, [u8]>,
    best: Option<Written>,
    /// The tokens of the original, if they are counted already, and whether the count is an estimate.
    original_tokens: Option<(usize, bool)>,
    costs: Vec<(Shape, Count)>,
    /// What scrubbing left out.
    scrubbed: Omitted,
    found: Found,
    pub(super) timings: Timings,
}

/// What the original is, as far as it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Text,
    /// Text with documents in it.
    Mixed,
    Json,
    /// YAML, or documents that are read as text.
    Other,
}

/// The output, written in one way.
struct Written {
    shape: Shape,
    output: Vec<u8>,
    tokens: usize,
    omitted: Omitted,
    /// The text filter whose rules were used.
    filter: Option<FilterName>,
    /// Whether it says what the original does not: what changed since the last run.
    is_news: bool,
    /// The same within the reader's page, where it is longer.
    within_page: Option<Vec<u8>>,
}

impl Written {
    fn new(shape: Shape, output: Vec<u8>, tokens: usize, omitted: Omitted) -> Self {
        Self { shape, output, tokens, omitted, filter: None, is_news: false, within_page: None }
    }
}

impl<'a> Router<'a> {
    pub(super) fn new(
        input: &'a [u8],
        options: &'a Options<'a>,
        as_it_came: fn(&[u8]) -> Cow<'_, [u8]>,
    ) -> Self {
        Self {
            input,
            options,
            as_it_came,
            best: None,
            original_tokens: None,
            costs: Vec::new(),
            scrubbed: Omitted::default(),
            found: Found::Text,
            timings: Timings::default(),
        }
    }

    /// Offers the ways to write a text.
    pub(super) fn write(&mut self, scrubbed: &Scrubbed<'_>, has_nuls: bool) {
        let Options { level, format, parses_output, call, .. } = *self.options;
        self.scrubbed.states = scrubbed.states;
        let may_filter = !has_nuls && level != Level::Lossless && format == Format::Auto && !parses_output;
        // A user's own filter that reads JSON comes before the shapes of a document.
        if may_filter && custom::reads_json(&call) {
            self.found = Found::Other;
            let text = self.counted(scrubbed);
            let applied = timed(&mut self.timings.filter, || custom::apply(&text.bytes, &call));
            if let Applied::Own(filtered) = applied {
                self.filtered(filtered, &text);
            }
        }
        // The events of a test run are documents one after another, but the report in them has fewer words.
        let are_events = may_filter && std::str::from_utf8(&scrubbed.text).is_ok_and(report::is_events);
        let mut yaml = None;
        let mut segments = Vec::new();
        if are_events {
            self.found = Found::Other;
        } else if !has_nuls && self.best.is_none() {
            segments = self.documents(&scrubbed.text, &mut yaml);
        }
        // Documents between lines of text compete with what else becomes of the text.
        let is_mixed = self.found == Found::Mixed && format == Format::Auto && !parses_output;
        if !is_mixed {
            self.shapes(&mut segments);
            segments.clear();
        }
        let is_readable = !parses_output && (!has_nuls || !call.words.is_empty());
        if self.best.is_none() && is_readable {
            self.text(scrubbed, &mut segments);
        }
    }

    /// Keeps what costs least. Of texts with as many tokens the first one stays; of a document's shapes the last one,
    /// since the more familiar ones come last.
    fn offer(&mut self, written: Written) {
        self.costs.push((written.shape, Count::Exact(written.tokens)));
        let most = self.best.as_ref().map_or(usize::MAX, |best| best.tokens);
        if written.tokens < most || written.tokens == most && written.shape.is_of_documents() {
            self.best = Some(written);
        }
    }

    /// Compares the best way with the original.
    pub(super) fn choice(mut self) -> Compressed {
        let (original_tokens, estimated) = self.count_original();
        self.costs.insert(0, (Shape::Raw, Count::Exact(original_tokens)));
        let is_forced = !matches!(self.options.format, Format::Auto | Format::Raw);
        let words = as_text(self.options.call.words);
        let is_form_kept = |best: &Written| {
            best.shape.is_of_documents()
                && best.tokens + FEWEST_SAVED_OF_FORM > original_tokens
                && commands::FORM.holds_for(commands::unwrap(&words))
        };
        let wins = |best: &Written| {
            let is_asked_for = best.is_news || matches!(best.filter, Some(FilterName::Own(_)));
            is_forced && best.shape.is_of_documents()
                || is_asked_for && best.tokens < original_tokens
                || is_worth_it(best.tokens, original_tokens) && !is_form_kept(best)
        };
        let best = self.best.take().filter(wins);
        let holds_document =
            best.as_ref().map_or(self.found != Found::Text, |best| best.shape.is_of_documents());
        let best = best.unwrap_or_else(|| self.original(original_tokens));
        Compressed {
            output: best.output,
            shape: best.shape,
            within_page: best.within_page,
            holds_document,
            filter: best.filter,
            original_tokens,
            estimated,
            output_tokens: best.tokens,
            omitted: best.omitted,
            costs: self.costs,
            timings: self.timings,
        }
    }

    fn count_original(&mut self) -> (usize, bool) {
        let input = self.input;
        // A document's tokens are counted, whatever its size: an estimate cannot be compared with the counts of its
        // shapes.
        let is_text = self.best.as_ref().is_none_or(|best| !best.shape.is_of_documents());
        let count = || if is_text { Sampler::of(input) } else { (tokens::count(input), false) };
        let timings = &mut self.timings.count;
        *self.original_tokens.get_or_insert_with(|| timed(timings, count))
    }

    /// The original, without what a reader must not get. That may cost tokens, but then somebody meant to deceive.
    fn original(&self, tokens: usize) -> Written {
        let seen = match (self.as_it_came)(self.input) {
            Cow::Borrowed(_) => {
                return Written::new(Shape::Raw, self.input.to_vec(), tokens, Omitted::default());
            }
            // With escapes for what nobody would see.
            Cow::Owned(_) if self.found == Found::Json => {
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
        Written::new(Shape::Text, seen, tokens, Omitted::default())
    }
}

pub(super) fn timed<T>(sum: &mut Duration, stage: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = stage();
    *sum += start.elapsed();
    result
}

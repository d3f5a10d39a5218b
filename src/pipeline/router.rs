//! Writes an output in every shape that may win and keeps the one with the fewest tokens.

mod shape;
mod text;

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::model::{Candidate, Count, Omitted, Options, Report, Shape, Timings, add_note};
use super::sieve;
use super::trial;
use crate::config::Format;
use crate::document::{Layout, Segment, scan, write_seen, yaml_to_json};
use crate::marks::note_on_quoted;
use crate::render::bound::fewest_tokens;
use crate::render::minified;
use crate::tokens::{self, Sampler};
use shape::render;

/// Tokens that a changed output must save, besides a tenth of the original: a changed text costs trust.
const FEWEST_SAVED: usize = 40;

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
    best: Option<Best>,
    /// The tokens of the original, if they are counted already, and whether the count is an estimate.
    original_tokens: Option<(usize, bool)>,
    candidates: Vec<Candidate>,
    /// States of progress that scrubbing left out.
    pub(super) states: usize,
    /// What a reader is given in place of the original.
    pub(super) as_it_came: fn(&[u8]) -> Cow<'_, [u8]>,
    /// Whether the best candidate says what the original does not: what changed since the last run.
    is_news: bool,
    /// The digest of the report within the reader's page, where it is longer.
    within_page: Vec<u8>,
    pub(super) found: Found,
    pub(super) timings: Timings,
}

/// What the original is, as far as it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Text,
    /// Documents, as far as its kind tells.
    Unread,
    /// Text with documents in it.
    Mixed,
    Json,
    Yaml,
}

/// The output with the fewest tokens so far.
struct Best {
    shape: Shape,
    output: Vec<u8>,
    tokens: usize,
    omitted: Omitted,
    /// The text filter whose rules were used.
    filter: Option<String>,
}

impl<'a> Router<'a> {
    pub(super) fn new(input: &'a [u8], options: &'a Options<'a>) -> Self {
        Self {
            input,
            options,
            best: None,
            original_tokens: None,
            candidates: Vec::new(),
            states: 0,
            as_it_came: |original| original.into(),
            is_news: false,
            within_page: Vec::new(),
            found: Found::Text,
            timings: Timings::default(),
        }
    }

    /// Offers the documents in `scrubbed` in all shapes; without a document there is no candidate.
    pub(super) fn structured(&mut self, scrubbed: &[u8]) {
        let Ok(text) = std::str::from_utf8(scrubbed) else { return };
        let layout = timed(&mut self.timings.parse, || scan(text));
        // A script of the reader's own expects the YAML that it asked for.
        let yaml = match layout {
            Layout::Text if !self.options.machine_reader => {
                timed(&mut self.timings.parse, || yaml_to_json(text))
            }
            _ => None,
        };
        let layout = yaml.as_deref().map_or(layout, |json| timed(&mut self.timings.parse, || scan(json)));
        let (found, mut segments) = match layout {
            Layout::Text => (Found::Text, Vec::new()),
            Layout::Document(document) => {
                let found = if yaml.is_some() { Found::Yaml } else { Found::Json };
                (found, vec![Segment::Document(document)])
            }
            Layout::Mixed(segments) => (Found::Mixed, segments),
        };
        self.found = found;
        if segments.is_empty() {
            return;
        }
        let level = self.options.level;
        let mut omitted = Omitted { states: self.states, ..Omitted::default() };
        timed(&mut self.timings.sieve, || {
            for segment in &mut segments {
                if let Segment::Document(document) = segment {
                    omitted.add(sieve::sift(document, level));
                }
            }
        });
        for shape in self.shapes() {
            self.offer(*shape, &segments, omitted);
        }
    }

    fn shapes(&self) -> &'static [Shape] {
        match self.options.format {
            _ if self.options.machine_reader => &[Shape::Json],
            Format::Json => &[Shape::Json],
            Format::Pvfn => &[Shape::Pvfn],
            Format::SchemaYaml => &[Shape::SchemaYaml],
            Format::Raw => &[],
            Format::Auto => &[Shape::Pvfn, Shape::SchemaYaml, Shape::Json],
        }
    }

    /// Renders the segments in one shape and keeps it if it has fewer tokens than the shapes before, or as many and is
    /// more familiar: more familiar shapes come last.
    fn offer(&mut self, shape: Shape, segments: &[Segment<'_>], omitted: Omitted) {
        let has_note = !omitted.is_empty() && !self.options.machine_reader;
        let note = if has_note { omitted.note(self.options.recall) } else { String::new() };
        // Of a large document PVFN's table is the shorter one, and a second rendering would cost time.
        let is_large = matches!(segments, [Segment::Document(document)] if trial::is_large(document));
        if (shape, self.options.format) == (Shape::SchemaYaml, Format::Auto) && is_large {
            return;
        }
        // Input that is minified already is its own JSON shape: it wins a tie, and is counted in any case.
        if let (Shape::Json, Format::Auto, true, [Segment::Document(document)]) =
            (shape, self.options.format, is_large, segments)
            && timed(&mut self.timings.render, || minified::is_same(document, self.input))
        {
            let count = Count::Exact(self.count_original().0);
            return self.candidates.push(Candidate { shape, count });
        }
        let start = Instant::now();
        let trial = if shape == Shape::Json { self.trial(segments, &note) } else { None };
        self.timings.count += start.elapsed();
        if let Some(count @ Count::MoreThan(_)) = trial {
            return self.candidates.push(Candidate { shape, count });
        }
        let rendered = timed(&mut self.timings.render, || render(shape, segments));
        let Some(mut output) = rendered else {
            return self.candidates.push(Candidate { shape, count: Count::Unsuited });
        };
        let quoted = if self.found == Found::Mixed { note_on_quoted(&output) } else { String::new() };
        add_note(&mut output, &quoted);
        add_note(&mut output, &note);
        let tokens = match trial {
            Some(Count::Exact(tokens)) => tokens,
            _ => timed(&mut self.timings.count, || tokens::count(&output)),
        };
        self.candidates.push(Candidate { shape, count: Count::Exact(tokens) });
        if self.best.as_ref().is_none_or(|best| tokens <= best.tokens) {
            self.best = Some(Best { shape, output, tokens, omitted, filter: None });
        }
    }

    /// The tokens of minified JSON, or that they are more than those of the shape before, as far as that can be told
    /// without rendering it whole.
    fn trial(&self, segments: &[Segment<'_>], note: &str) -> Option<Count> {
        let fewest = self.best.as_ref()?.tokens;
        let mut bound = 0;
        for segment in segments {
            if let Segment::Document(document) = segment {
                bound += fewest_tokens(document, fewest);
            }
        }
        match segments {
            _ if bound > fewest => Some(Count::MoreThan(fewest)),
            [Segment::Document(document)] => trial::count(document, note, fewest),
            _ => None,
        }
    }

    fn is_better(&self, tokens: usize) -> bool {
        self.best.as_ref().is_none_or(|best| tokens < best.tokens)
    }

    /// Whether a text filter may still win: no document was found, or only parts of the text are documents.
    pub(super) fn wants_text(&self) -> bool {
        self.best.is_none() || self.found == Found::Mixed && self.options.format == Format::Auto
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
    fn original(&self, tokens: usize) -> Best {
        let original = match (self.as_it_came)(self.input) {
            Cow::Borrowed(_) => None,
            Cow::Owned(_) if self.found == Found::Json => Some(seen_json(self.input)),
            Cow::Owned(mut text) => {
                let note = note_on_quoted(&text);
                add_note(&mut text, &note);
                Some(text)
            }
        };
        let (shape, tokens) = match &original {
            None => (Shape::Raw, tokens),
            Some(text) => (Shape::Text, Sampler::of(text).0),
        };
        let output = original.unwrap_or_else(|| self.input.to_vec());
        Best { shape, output, tokens, omitted: Omitted::default(), filter: None }
    }

    /// Compares the best candidate with the original.
    pub(super) fn report(mut self) -> Report {
        let (original_tokens, estimated) = self.count_original();
        self.candidates.insert(0, Candidate { shape: Shape::Raw, count: Count::Exact(original_tokens) });
        let forced = !matches!(self.options.format, Format::Auto | Format::Raw);
        let wins = |best: &Best| {
            // A user's own filter is named by its path.
            let asked = best.filter.as_ref().is_some_and(|filter| filter.contains('/'));
            forced && best.shape.is_of_documents()
                || (asked || self.is_news) && best.tokens < original_tokens
                || is_worth_it(best.tokens, original_tokens)
        };
        let best = self.best.take().filter(wins);
        let holds_document =
            best.as_ref().map_or(self.found != Found::Text, |best| best.shape.is_of_documents());
        let best = best.unwrap_or_else(|| self.original(original_tokens));
        Report {
            output: best.output,
            shape: best.shape,
            within_page: self.within_page,
            holds_document,
            filter: best.filter,
            original_tokens,
            estimated,
            output_tokens: best.tokens,
            omitted: best.omitted,
            candidates: self.candidates,
            timings: self.timings,
        }
    }
}

pub(super) fn timed<T>(sum: &mut Duration, stage: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = stage();
    *sum += start.elapsed();
    result
}

/// JSON with escapes for what nobody would see.
fn seen_json(input: &[u8]) -> Vec<u8> {
    let (text, mut out) = (String::from_utf8_lossy(input), Vec::new());
    let text = text.trim_start_matches('\u{feff}');
    write_seen(&mut out, text, 0..text.len());
    out
}

//! Writes an output in every shape that may win and keeps the one with the fewest tokens.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::kind::Kind;
use super::model::{Candidate, Count, Omitted, Options, Report, Shape, Timings, add_note};
use super::sieve;
use super::trial;
use super::visible;
use crate::config::{Format, Level};
use crate::custom;
use crate::document::{Layout, Segment, scan, write_seen, yaml_to_json};
use crate::filter::Filtered;
use crate::filter::command::as_text;
use crate::marks::note_on_quoted;
use crate::render::bound::fewest_tokens;
use crate::render::expand::DOCUMENT_MARK;
use crate::render::{forms, minified, pvfn, schema_yaml};
use crate::report;
use crate::tokens::{self, Sampler};

/// Tokens that a changed output must save, besides a tenth of the original: a changed text costs trust.
const FEWEST_SAVED: usize = 40;

/// Length from which a text of short lines is neither filtered nor written in another form, in bytes, and average length
/// of such lines.
const DENSE: usize = 1 << 20;
const SHORT_LINE: usize = 16;

/// Whether `tokens` in place of `original` tokens are worth a changed output.
pub fn is_worth_it(tokens: usize, original: usize) -> bool {
    tokens + FEWEST_SAVED.max(original.div_ceil(10)) <= original
}

pub(super) struct Router<'a> {
    input: &'a [u8],
    options: &'a Options<'a>,
    best: Option<Best>,
    /// The tokens of the original, if they are counted already, and whether the count is an estimate.
    original_tokens: Option<(usize, bool)>,
    candidates: Vec<Candidate>,
    /// Whether there is text around the documents.
    mixed: bool,
    /// States of progress that scrubbing left out.
    pub(super) states: usize,
    /// What a reader is given in place of the original.
    pub(super) as_it_came: fn(&[u8]) -> Cow<'_, [u8]>,
    /// Whether the original is JSON.
    is_json: bool,
    /// The note on lines of the text that look like toto's.
    quoted: String,
    pub(super) timings: Timings,
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
            mixed: false,
            states: 0,
            as_it_came: |original| original.into(),
            is_json: false,
            quoted: String::new(),
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
        self.is_json = matches!(layout, Layout::Document(_));
        let layout = yaml.as_deref().map_or(layout, |json| timed(&mut self.timings.parse, || scan(json)));
        let mut segments = match layout {
            Layout::Text => return,
            Layout::Document(document) => vec![Segment::Document(document)],
            Layout::Mixed(segments) => {
                self.mixed = true;
                segments
            }
        };
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
        // Input that is minified already is its own JSON shape: it wins a tie, and is counted in any case.
        if let (Shape::Json, Format::Auto, [Segment::Document(document)]) =
            (shape, self.options.format, segments)
            && timed(&mut self.timings.render, || trial::is_minified(document, self.input))
        {
            let count = Count::Exact(self.count_original().0);
            return self.candidates.push(Candidate { shape, count });
        }
        let start = Instant::now();
        let trial = self.trial(shape, segments, &note);
        self.timings.count += start.elapsed();
        if let Some(count @ Count::MoreThan(_)) = trial {
            return self.candidates.push(Candidate { shape, count });
        }
        let rendered = timed(&mut self.timings.render, || render(shape, segments));
        let Some(mut output) = rendered else {
            return self.candidates.push(Candidate { shape, count: Count::Unsuited });
        };
        let quoted = if self.mixed { note_on_quoted(&output) } else { String::new() };
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

    /// The tokens of this shape, or that they are more than those of the best candidate, as far as that can be told
    /// without rendering the shape whole.
    fn trial(&self, shape: Shape, segments: &[Segment<'_>], note: &str) -> Option<Count> {
        let fewest = self.best.as_ref().filter(|_| shape != Shape::Pvfn)?.tokens;
        let mut bound = 0;
        for segment in segments {
            if let Segment::Document(document) = segment {
                if shape == Shape::SchemaYaml && !schema_yaml::suits(document) {
                    return None;
                }
                bound += fewest_tokens(document, shape == Shape::Json, fewest);
            }
        }
        match segments {
            _ if bound > fewest => Some(Count::MoreThan(fewest)),
            [Segment::Document(document)] => trial::count(document, shape, note, fewest),
            _ => None,
        }
    }

    /// Offers the text: in known forms, as a report, filtered, or scrubbed if anything was scrubbed.
    pub(super) fn text(&mut self, scrubbed: Cow<'_, [u8]>) {
        let counted = timed(&mut self.timings.count, || Sampler::of(&scrubbed));
        let (scrubbed_tokens, estimated) = counted;
        if matches!(scrubbed, Cow::Borrowed(_)) {
            self.original_tokens = Some(counted);
        }
        self.quoted = note_on_quoted(&scrubbed);
        let is_dense = is_dense(&scrubbed);
        let may_filter = self.options.level != Level::Lossless && !is_dense;
        let apply = || custom::apply(&scrubbed, &self.options.call);
        let filtered = may_filter.then(|| timed(&mut self.timings.filter, apply)).flatten();
        // A user's own filter is the user's word: its output is not written in another way.
        let is_own = filtered.as_ref().is_some_and(Filtered::is_own);
        // Nor is content, whose lines stay, or a text whose documents have shapes of their own.
        let is_content = || Kind::of(&as_text(self.options.call.words), b"", false) == Kind::Content;
        let may_digest = !is_own && !is_dense && !is_content();
        // A report is told as a report, or as it came: another form may be shorter, and harder to read. Values that a
        // test printed may be documents.
        if may_digest && may_filter && self.digest(&scrubbed) {
            return;
        }
        let may_render = may_digest && self.best.is_none();
        if may_render && self.states == 0 {
            self.forms(&scrubbed, Omitted::default(), None);
        }
        if let Some(filtered) = filtered {
            let omitted = Omitted { lines: filtered.left_out, states: self.states, ..Omitted::default() };
            if may_render {
                self.forms(&filtered.text, omitted, filtered.filter.clone());
            }
            let text = self.noted(&omitted, filtered.text);
            let tokens = timed(&mut self.timings.count, || Sampler::of(&text).0);
            // Where the counts are estimates, a longer text never counts as fewer tokens.
            let is_fewer = tokens < scrubbed_tokens && (!estimated || text.len() < scrubbed.len());
            if is_fewer && self.is_better(tokens) {
                return self.take_text(text, tokens, omitted, filtered.filter);
            }
        }
        if let Cow::Owned(text) = scrubbed
            && self.is_better(scrubbed_tokens)
            && (!estimated || text.len() < self.input.len())
        {
            let omitted = Omitted { states: self.states, ..Omitted::default() };
            let text = self.noted(&omitted, text);
            let tokens = if self.states == 0 && self.quoted.is_empty() {
                scrubbed_tokens
            } else {
                timed(&mut self.timings.count, || Sampler::of(&text).0)
            };
            self.take_text(text, tokens, omitted, None);
        }
    }

    /// Offers the complete digest of a text in which there is a report; returns whether the text is one, for the most
    /// part.
    fn digest(&mut self, text: &[u8]) -> bool {
        let Some(text) = self.readable(text) else { return false };
        let words = self.options.call.words;
        let wanted = report::Options { recall: self.options.recall, ..report::Options::default() };
        let told = timed(&mut self.timings.filter, || report::digest(text, &report::Hint { words }, &wanted));
        let Some(told) = told else { return false };
        let omitted = Omitted { of_report: told.left_out, states: self.states, ..Omitted::default() };
        let is_report = told.complete && told.is_most;
        if is_report {
            self.best = None;
        }
        if self.best.is_none() {
            self.offer_text(Shape::Report, told.text, omitted, None);
        }
        is_report
    }

    /// Offers the text, or what a filter left of it, in known forms.
    fn forms(&mut self, text: &[u8], omitted: Omitted, filter: Option<String>) {
        let Some(text) = self.readable(text) else { return };
        let exact = self.options.level == Level::Lossless;
        let rendered = timed(&mut self.timings.render, || forms::render(text, exact));
        let Some(rendered) = rendered else {
            return self.candidates.push(Candidate { shape: Shape::Forms, count: Count::Unsuited });
        };
        self.offer_text(Shape::Forms, rendered, omitted, filter);
    }

    /// Keeps a text, with the note on what is left out of it, if it has fewer tokens than the shapes before.
    fn offer_text(&mut self, shape: Shape, text: String, omitted: Omitted, filter: Option<String>) {
        let text = self.noted(&omitted, text.into_bytes());
        let tokens = timed(&mut self.timings.count, || Sampler::of(&text).0);
        self.candidates.push(Candidate { shape, count: Count::Exact(tokens) });
        if self.is_better(tokens) {
            self.best = Some(Best { shape, output: text, tokens, omitted, filter });
        }
    }

    /// The text as UTF-8, where the shape is ours to choose.
    fn readable<'t>(&self, text: &'t [u8]) -> Option<&'t str> {
        std::str::from_utf8(text).ok().filter(|_| self.options.format == Format::Auto)
    }

    /// The text with the notes on lines that look like toto's and on what is left out.
    fn noted(&self, omitted: &Omitted, mut text: Vec<u8>) -> Vec<u8> {
        add_note(&mut text, &self.quoted);
        omitted.noted(text, self.options.recall)
    }

    fn take_text(&mut self, output: Vec<u8>, tokens: usize, omitted: Omitted, filter: Option<String>) {
        self.candidates.push(Candidate { shape: Shape::Text, count: Count::Exact(tokens) });
        self.best = Some(Best { shape: Shape::Text, output, tokens, omitted, filter });
    }

    fn is_better(&self, tokens: usize) -> bool {
        self.best.as_ref().is_none_or(|best| tokens < best.tokens)
    }

    /// Whether a text filter may still win: no document was found, or only parts of the text are documents.
    pub(super) fn wants_text(&self) -> bool {
        self.best.is_none() || self.mixed && self.options.format == Format::Auto
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
            Cow::Owned(_) if self.is_json => Some(seen_json(self.input)),
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
                || asked && best.tokens < original_tokens
                || is_worth_it(best.tokens, original_tokens)
        };
        let best = self.best.take().filter(wins).unwrap_or_else(|| self.original(original_tokens));
        Report {
            output: best.output,
            shape: best.shape,
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

/// The output in one shape, or nothing if the shape does not suit it.
///
/// A document between lines of text begins and ends with a line [`DOCUMENT_MARK`], unless it is JSON, which shows
/// by itself where it ends.
fn render(shape: Shape, segments: &[Segment<'_>]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let marked = segments.len() > 1 && shape != Shape::Json;
    if marked && segments.iter().any(|segment| matches!(segment, Segment::Text(text) if misleads(text))) {
        return None;
    }
    let mark = |out: &mut Vec<u8>| {
        if marked {
            out.extend_from_slice(DOCUMENT_MARK.as_bytes());
            out.push(b'\n');
        }
    };
    for segment in segments {
        match segment {
            Segment::Text(text) => out.extend_from_slice(&visible::own(text.as_bytes().into())),
            Segment::Document(document) => {
                let part = match shape {
                    Shape::Json => minified::render(document),
                    // Between lines of text an empty document is no reason to give up the others.
                    Shape::Pvfn => pvfn::render(document)
                        .or_else(|| (segments.len() > 1).then(|| minified::render(document)))?,
                    Shape::SchemaYaml => schema_yaml::render(document)?,
                    Shape::Report | Shape::Text | Shape::Forms | Shape::Raw => return None,
                };
                mark(&mut out);
                if out.is_empty() {
                    out = part;
                } else {
                    out.extend_from_slice(&part);
                }
                mark(&mut out);
            }
        }
    }
    Some(out)
}

/// Whether a text has so many lines for its length that what is kept of each line would be much larger than the text.
fn is_dense(text: &[u8]) -> bool {
    text.len() > DENSE && memchr::memchr_iter(b'\n', text).count() * SHORT_LINE > text.len()
}

/// Whether a text around documents holds a line that would be read as a document's mark.
fn misleads(text: &str) -> bool {
    text.lines().any(|line| line == DOCUMENT_MARK)
}

/// JSON with escapes for what nobody would see.
fn seen_json(input: &[u8]) -> Vec<u8> {
    let (text, mut out) = (String::from_utf8_lossy(input), Vec::new());
    let text = text.trim_start_matches('\u{feff}');
    write_seen(&mut out, text, 0..text.len());
    out
}

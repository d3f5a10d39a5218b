//! The shapes of documents, alone or with text around them.

use std::ops::ControlFlow;
use std::time::Instant;

use super::candidates::Candidate;
use super::{Found, Router, timed};
use crate::commands;
use crate::config::Format;
use crate::document::{Document, Layout, Segment, scan, yaml_to_json};
use crate::pipeline::model::{Count, Keys, Omitted, Shape, add_note, note_quoted};
use crate::pipeline::{sieve, visible};
use crate::render::expand::DOCUMENT_MARK;
use crate::render::{minified, pvfn, schema_yaml};
use crate::tokens::{self, Counter};

/// Fewest nodes of a large document. A smaller one is rendered whole, so that `toto why` can tell its count.
const LARGE: usize = 1 << 16;

impl Router<'_> {
    /// What a text is, and the documents in it with the text around them; `json` holds what YAML is translated to.
    pub(super) fn documents<'t>(
        &mut self,
        text: &'t str,
        json: &'t mut Option<String>,
    ) -> (Found, Vec<Segment<'t>>) {
        let mut layout = timed(&mut self.timings.parse, || scan(text));
        // A script of the reader's own expects the YAML that it asked for.
        if matches!(layout, Layout::Text) && !self.options.parses_output {
            *json = timed(&mut self.timings.parse, || yaml_to_json(text));
        }
        let json = json.as_deref();
        if commands::FORM.holds_for(&self.words) {
            let forms = &Shape::OF_DOCUMENTS;
            // For an agent's eyes JSON on fewer lines is the form that was asked for.
            let has_other_lines = json.is_some() || self.options.parses_output;
            self.candidates.other_forms = if has_other_lines { forms } else { &forms[..2] };
        }
        if let Some(json) = json {
            layout = timed(&mut self.timings.parse, || scan(json));
        }
        match layout {
            Layout::Text => (Found::Text, Vec::new()),
            Layout::Mixed(segments) => (Found::Mixed, segments),
            Layout::Document(document) => {
                let found = if json.is_some() { Found::Other } else { Found::Json };
                (found, vec![Segment::Document(document)])
            }
        }
    }

    /// Offers documents, with the text around them, in every shape that the reader may get.
    pub(super) fn shapes(&mut self, segments: &mut [Segment<'_>]) {
        if segments.is_empty() {
            return;
        }
        let level = self.options.level;
        let asks_for_form = !self.candidates.other_forms.is_empty();
        let (mut omitted, mut keys) = (self.scrubbed, Keys::default());
        timed(&mut self.timings.sieve, || {
            for segment in &mut *segments {
                if let Segment::Document(document) = segment {
                    omitted.add(sieve::sift(document, level, asks_for_form, &mut keys));
                }
            }
        });
        let has_note = !omitted.is_empty() && !self.options.parses_output;
        let note = if has_note { omitted.note(self.options.recall, &keys) } else { String::new() };
        let shapes: &[Shape] = match self.options.format {
            _ if self.options.parses_output => &[Shape::Json],
            Format::Json => &[Shape::Json],
            Format::Pvfn => &[Shape::Pvfn],
            Format::SchemaYaml => &[Shape::SchemaYaml],
            Format::Raw => &[],
            // Of a large document PVFN's table is the shorter one, and a second rendering would cost time.
            Format::Auto if is_large(segments) => &[Shape::Pvfn, Shape::Json],
            Format::Auto => &Shape::OF_DOCUMENTS,
        };
        for shape in shapes {
            self.shape(*shape, segments, omitted, &note);
        }
    }

    /// Offers the segments in one shape, with the note on what is left out.
    fn shape(&mut self, shape: Shape, segments: &[Segment<'_>], omitted: Omitted, note: &str) {
        // Input that is minified already is its own JSON shape: it wins a tie, and is counted in any case.
        if let (Shape::Json, Format::Auto, [Segment::Document(document)]) =
            (shape, self.options.format, segments)
            && is_large(segments)
            && timed(&mut self.timings.render, || minified::is_same(document, self.input))
        {
            let count = Count::Exact(self.count_original().0);
            return self.candidates.costs.push((shape, count));
        }
        let start = Instant::now();
        let trial = if shape == Shape::Json { self.trial(segments, note) } else { None };
        self.timings.count += start.elapsed();
        if let Some(count @ Count::MoreThan(_)) = trial {
            return self.candidates.costs.push((shape, count));
        }
        let by_element = self.candidates.keeps(Shape::Json) && !is_large(segments);
        let json = if by_element { minified::render_by_element } else { minified::render };
        let rendered = timed(&mut self.timings.render, || rendered(shape, segments, json));
        let Some(mut output) = rendered else {
            return self.candidates.costs.push((shape, Count::Unsuited));
        };
        if segments.len() > 1 {
            note_quoted(&mut output);
        }
        add_note(&mut output, note);
        let tokens = match trial {
            Some(Count::Exact(tokens)) => tokens,
            _ => timed(&mut self.timings.count, || tokens::count(&output)),
        };
        self.candidates.offer(Candidate::new(shape, output, tokens, omitted));
    }

    /// The tokens of minified JSON, or that they are more than those of the shape before, as far as that can be told
    /// without rendering it whole.
    fn trial(&self, segments: &[Segment<'_>], note: &str) -> Option<Count> {
        let fewest = self.candidates.most(Shape::Json)?;
        let mut bound = 0;
        for segment in segments {
            if let Segment::Document(document) = segment {
                bound += minified::fewest_tokens(document, fewest);
            }
        }
        match segments {
            _ if bound > fewest => Some(Count::MoreThan(fewest)),
            [Segment::Document(document)] if is_large(segments) => Some(count(document, note, fewest)),
            _ => None,
        }
    }
}

/// Whether a document is not rendered to be compared alone.
fn is_large(segments: &[Segment<'_>]) -> bool {
    matches!(segments, [Segment::Document(document)] if document.node_count() >= LARGE)
}

/// The tokens of a document as minified JSON, with the note behind it: exact if they are at most `fewest`. It is
/// counted while it is written, and given up where it can no longer win.
fn count(document: &Document<'_>, note: &str, fewest: usize) -> Count {
    let mut counter = Counter::default();
    let mut out = Vec::new();
    let take = |out: &mut Vec<u8>| {
        counter.push(out);
        out.clear();
        if counter.so_far() > fewest { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if minified::render_in_parts(document, &mut out, take).is_break() {
        return Count::MoreThan(fewest);
    }
    counter.push(&out);
    counter.push(note.as_bytes());
    let tokens = counter.finish();
    if tokens > fewest { Count::MoreThan(fewest) } else { Count::Exact(tokens) }
}

/// The output in one shape, or nothing if the shape does not suit it; `json` writes minified JSON.
///
/// A document between lines of text begins and ends with a line [`DOCUMENT_MARK`], unless it is JSON, which shows
/// by itself where it ends.
fn rendered(shape: Shape, segments: &[Segment<'_>], json: fn(&Document<'_>) -> Vec<u8>) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let marked = segments.len() > 1 && shape != Shape::Json;
    // A line of the text that would be read as a document's mark.
    let is_mark = |line: &str| line == DOCUMENT_MARK;
    let misleads =
        |segment: &Segment<'_>| matches!(segment, Segment::Text(text) if text.lines().any(is_mark));
    if marked && segments.iter().any(misleads) {
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
                    Shape::Json => json(document),
                    // Between lines of text an empty document is no reason to give up the others.
                    Shape::Pvfn => {
                        pvfn::render(document).or_else(|| (segments.len() > 1).then(|| json(document)))?
                    }
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

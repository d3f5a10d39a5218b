//! The shapes of documents, alone or with text around them.

use std::time::Instant;

use super::shape::render;
use super::{Found, Router, Written, timed};
use crate::config::Format;
use crate::document::{Layout, Segment, scan, yaml_to_json};
use crate::pipeline::model::{Candidate, Count, Omitted, Shape, add_note, note_quoted};
use crate::pipeline::{sieve, trial};
use crate::render::bound::fewest_tokens;
use crate::render::minified;
use crate::tokens;

impl Router<'_> {
    /// The documents in a text, with the text around them; `json` holds what YAML is translated to.
    pub(super) fn documents<'t>(&mut self, text: &'t [u8], json: &'t mut Option<String>) -> Vec<Segment<'t>> {
        let Ok(text) = std::str::from_utf8(text) else { return Vec::new() };
        let mut layout = timed(&mut self.timings.parse, || scan(text));
        // A script of the reader's own expects the YAML that it asked for.
        if matches!(layout, Layout::Text) && !self.options.machine_reader {
            *json = timed(&mut self.timings.parse, || yaml_to_json(text));
        }
        let json = json.as_deref();
        if let Some(json) = json {
            layout = timed(&mut self.timings.parse, || scan(json));
        }
        let (found, segments) = match layout {
            Layout::Text => (Found::Text, Vec::new()),
            Layout::Document(document) => {
                (if json.is_some() { Found::Yaml } else { Found::Json }, vec![Segment::Document(document)])
            }
            Layout::Mixed(segments) => (Found::Mixed, segments),
        };
        self.found = found;
        segments
    }

    /// Offers documents, with the text around them, in every shape that the reader may get.
    pub(super) fn shapes(&mut self, segments: &mut [Segment<'_>]) {
        if segments.is_empty() {
            return;
        }
        let level = self.options.level;
        let mut omitted = Omitted { states: self.states, ..Omitted::default() };
        timed(&mut self.timings.sieve, || {
            for segment in &mut *segments {
                if let Segment::Document(document) = segment {
                    omitted.add(sieve::sift(document, level));
                }
            }
        });
        let shapes: &[Shape] = match self.options.format {
            _ if self.options.machine_reader => &[Shape::Json],
            Format::Json => &[Shape::Json],
            Format::Pvfn => &[Shape::Pvfn],
            Format::SchemaYaml => &[Shape::SchemaYaml],
            Format::Raw => &[],
            // More familiar shapes come last.
            Format::Auto => &[Shape::Pvfn, Shape::SchemaYaml, Shape::Json],
        };
        for shape in shapes {
            self.shape(*shape, segments, omitted);
        }
    }

    /// Offers the segments in one shape.
    fn shape(&mut self, shape: Shape, segments: &[Segment<'_>], omitted: Omitted) {
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
        if self.found == Found::Mixed {
            note_quoted(&mut output);
        }
        add_note(&mut output, &note);
        let tokens = match trial {
            Some(Count::Exact(tokens)) => tokens,
            _ => timed(&mut self.timings.count, || tokens::count(&output)),
        };
        self.offer(Written::new(shape, output, tokens, omitted));
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
}

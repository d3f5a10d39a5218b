//! The shapes of a text: its report's digest, its known form, what a filter left of it.

use std::borrow::Cow;

use super::{Best, Router, fewest_saved, timed};
use crate::commands::as_text;
use crate::config::{Format, Level};
use crate::custom;
use crate::filter::Filtered;
use crate::marks::note_on_quoted;
use crate::pipeline::kind::Kind;
use crate::pipeline::model::{Candidate, Count, Omitted, Options, Shape, add_note};
use crate::render::forms;
use crate::report;
use crate::tokens::Sampler;

/// Length from which a text of short lines is neither filtered nor written in another form, in bytes, and average length
/// of such lines.
const DENSE: usize = 1 << 20;
const SHORT_LINE: usize = 16;
/// Tokens of the note on what is left out of a report, at most.
const NOTE: usize = 60;

impl Router<'_> {
    /// Offers the text: as a report, else in known forms, filtered (also in known forms), or scrubbed if anything was.
    pub(in crate::pipeline) fn text(&mut self, scrubbed: Cow<'_, [u8]>) {
        let counted = timed(&mut self.timings.count, || Sampler::of(&scrubbed));
        let (scrubbed_tokens, estimated) = counted;
        if matches!(scrubbed, Cow::Borrowed(_)) {
            self.original_tokens = Some(counted);
        }
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
        if may_digest && may_filter && self.digest(&scrubbed, scrubbed_tokens) {
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
            let length = text.len();
            let text = self.noted(&omitted, text);
            let count = || if text.len() == length { scrubbed_tokens } else { Sampler::of(&text).0 };
            let tokens = timed(&mut self.timings.count, count);
            self.take_text(text, tokens, omitted, None);
        }
    }

    /// Offers the complete digest of a text in which there is a report; returns whether the text is one, for the most
    /// part.
    fn digest(&mut self, text: &[u8], tokens: usize) -> bool {
        let Some(text) = self.readable(text) else { return false };
        let words = self.options.call.words;
        let Options { recall, since, room, page, .. } = *self.options;
        // With the note behind it the digest still has to save enough.
        let room = room.min(tokens.saturating_sub(fewest_saved(tokens) + NOTE));
        let wanted = report::Options { recall, room, since, ..report::Options::default() };
        let plain = report::plain(text);
        let read = timed(&mut self.timings.filter, || report::read(&plain, &report::Hint { words }));
        let Some(report) = read else { return false };
        let told = timed(&mut self.timings.filter, || report.digest(&wanted));
        let omitted = Omitted { of_report: told.left_out, states: self.states, ..Omitted::default() };
        let is_report = told.complete && told.is_most;
        if is_report {
            self.best = None;
            self.is_news = told.is_since;
        }
        if self.best.is_none() {
            self.offer_text(Shape::Report, told.text, omitted, None);
        }
        if let (Some(page), Some(best)) = (page, &self.best)
            && best.shape == Shape::Report
            && !page.holds(&best.output)
        {
            let within = |since| {
                report.digest(&report::Options { most: page.bytes, since, room: 0, ..wanted.clone() })
            };
            // `toto show --failures` numbers them without the run before.
            let told = Some(within(since)).filter(|told| told.complete || !told.is_since);
            self.within_page = told.unwrap_or_else(|| within(None)).text.into_bytes();
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
        let quoted = note_on_quoted(&text);
        add_note(&mut text, &quoted);
        omitted.noted(text, self.options.recall)
    }

    fn take_text(&mut self, output: Vec<u8>, tokens: usize, omitted: Omitted, filter: Option<String>) {
        self.candidates.push(Candidate { shape: Shape::Text, count: Count::Exact(tokens) });
        self.best = Some(Best { shape: Shape::Text, output, tokens, omitted, filter });
    }
}

/// Whether a text has so many lines for its length that what is kept of each line would be much larger than the text.
fn is_dense(text: &[u8]) -> bool {
    text.len() > DENSE && memchr::memchr_iter(b'\n', text).count() * SHORT_LINE > text.len()
}

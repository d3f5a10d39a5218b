//! The ways to write a text: its report's digest, its known form, what a filter leaves of it.

use std::borrow::Cow;

use super::candidates::{Candidate, FEWEST_SAVED_WITH_GAPS, fewest_saved};
use super::{Router, timed};
use crate::commands;
use crate::config::{Format, Level};
use crate::custom::{self, Applied};
use crate::document::Segment;
use crate::filter::{self, FilterName, Filtered};
use crate::pipeline::model::{Count, Keys, Omitted, Options, Shape, add_note, note_quoted};
use crate::pipeline::page::Page;
use crate::pipeline::scrub::Scrubbed;
use crate::pipeline::visible;
use crate::render::forms;
use crate::report::{self, LeftOut, Report};
use crate::tokens::Sampler;

/// Length from which a text of short lines is neither filtered nor written in another form, in bytes, and average
/// length of such lines.
const DENSE: usize = 1 << 20;
const SHORT_LINE: usize = 16;
/// Tokens of the note on what is left out of a report, at most.
const NOTE: usize = 60;
/// A digest of so few bytes is not made shorter for the sake of its lines.
const LEAST_DIGEST: usize = 400;

/// A text without terminal control.
pub(super) struct Text<'t> {
    pub(super) bytes: Cow<'t, [u8]>,
    tokens: usize,
    estimated: bool,
    /// Whether it is not the original any more.
    is_changed: bool,
}

/// What a text is, which decides how it may be written.
enum Class {
    /// A report, for the most part, whose digest is complete: told so, or as it came. Another form may be shorter, and
    /// harder to read.
    Report(Candidate),
    /// A text with a report in it, or a report that is not told completely.
    HoldsReport(Candidate),
    /// Lines that stay lines: the user's own filter wrote them, the text itself was asked for, its documents have
    /// shapes of their own, or there are too many to look at.
    Lines,
    /// Any other text.
    Other,
}

impl Router<'_> {
    /// Offers a text in the ways that suit what it is, and the documents in it; `applied` is what the user's own
    /// filters have made of the text, if they were asked.
    pub(super) fn text(
        &mut self,
        scrubbed: &Scrubbed<'_>,
        documents: &mut [Segment<'_>],
        applied: Option<Applied>,
    ) {
        let text = self.counted(scrubbed);
        let (class, applied) = self.class(&text, !documents.is_empty(), applied);
        if let Class::Report(digest) = class {
            let has_gaps = digest.omitted.of_report.has_gaps();
            if has_gaps && digest.tokens + FEWEST_SAVED_WITH_GAPS > text.tokens {
                return self.candidates.costs.push((Shape::Report, Count::Exact(digest.tokens)));
            }
            return self.candidates.offer(digest);
        }
        self.shapes(documents);
        let succeeded = self.options.call.succeeded();
        let mut by_library =
            |words| timed(&mut self.timings.filter, || filter::apply(&text.bytes, words, succeeded));
        let filtered = match applied {
            Applied::Own(filtered) => Some(filtered),
            Applied::Unchanged => None,
            Applied::Library => by_library(&self.words),
            Applied::AnyText => by_library(&[]),
        };
        if let Class::Other = class {
            if self.scrubbed.is_empty() {
                self.forms(&text.bytes, self.scrubbed, None);
            }
            if let Some(filtered) = &filtered {
                let omitted = self.omitted(filtered);
                self.forms(&filtered.text, omitted, filtered.filter.clone());
            }
        } else if let Class::HoldsReport(digest) = class {
            self.candidates.offer(digest);
        }
        if let Some(filtered) = filtered {
            self.filtered(filtered, &text);
        }
        let is_shorter = !text.estimated || text.bytes.len() < self.input.len();
        if text.is_changed && is_shorter && self.candidates.fewest().is_none_or(|fewest| text.tokens < fewest)
        {
            let written = self.noted(Shape::Text, text.bytes.into_owned(), Some(text.tokens), self.scrubbed);
            self.candidates.offer(written);
        }
    }

    /// The text whose tokens are counted, as those of the original if it is the same.
    pub(super) fn counted<'t>(&mut self, scrubbed: &'t Scrubbed<'_>) -> Text<'t> {
        let bytes = visible::own(Cow::Borrowed(&scrubbed.text));
        let is_changed = matches!(scrubbed.text, Cow::Owned(_)) || matches!(bytes, Cow::Owned(_));
        let (tokens, estimated) = timed(&mut self.timings.count, || Sampler::of(&bytes));
        if !is_changed {
            self.original_tokens = Some((tokens, estimated));
        }
        Text { bytes, tokens, estimated, is_changed }
    }

    /// Tells what a text is, and what the user's own filters make of it.
    fn class(&mut self, text: &Text<'_>, has_documents: bool, applied: Option<Applied>) -> (Class, Applied) {
        let Options { level, call, .. } = *self.options;
        let is_dense = is_dense(&text.bytes);
        let may_leave_out = level != Level::Lossless && !is_dense;
        let apply = || custom::apply(&text.bytes, &call);
        let applied = match applied {
            Some(applied) if may_leave_out => applied,
            None if may_leave_out => timed(&mut self.timings.filter, apply),
            _ => Applied::Unchanged,
        };
        let is_content = || commands::CONTENT.holds_for(&self.words);
        if matches!(applied, Applied::Own(_)) || is_dense || is_content() {
            return (Class::Lines, applied);
        }
        let class = match may_leave_out.then(|| self.digest(text)).flatten() {
            Some((digest, true)) => Class::Report(digest),
            _ if has_documents => Class::Lines,
            Some((digest, false)) => Class::HoldsReport(digest),
            None => Class::Other,
        };
        (class, applied)
    }

    /// The digest of the report in a text, and whether it is complete and the text a report for the most part.
    fn digest(&mut self, text: &Text<'_>) -> Option<(Candidate, bool)> {
        let readable = self.readable(&text.bytes)?;
        let Options { directory, recall, since, room, page, call, .. } = *self.options;
        // With the note behind it the digest still has to save enough.
        let room = room.min(text.tokens.saturating_sub(fewest_saved(text.tokens) + NOTE));
        let wanted = report::Options { directory, recall, room, since, ..report::Options::default() };
        let plain = report::plain(readable);
        let report = timed(&mut self.timings.filter, || report::read(&plain, call.words))?;
        let told = timed(&mut self.timings.filter, || report.digest(&wanted));
        let omitted = Omitted { of_report: told.left_out, ..self.scrubbed };
        let is_whole = told.complete && told.is_most;
        let is_news = is_whole && told.is_since;
        let digest = self.noted(Shape::Report, told.text.into_bytes(), None, omitted);
        let page = page.filter(|page| !page.holds(&digest.output));
        let within_page = page.map(|page| self.within(page, &report, &wanted));
        Some((Candidate { is_news, within_page, ..digest }, is_whole))
    }

    /// The digest of a report as far as a page holds it, with its notes.
    fn within(&mut self, page: Page, report: &Report<'_>, wanted: &report::Options<'_>) -> Vec<u8> {
        let mut most = page.bytes;
        loop {
            let within = |since| report.digest(&report::Options { most, since, ..wanted.clone() });
            // `toto show --failures` numbers them without the run before.
            let told = Some(within(wanted.since)).filter(|told| told.complete || !told.is_since);
            let told = told.unwrap_or_else(|| within(None));
            // A digest that is cut says so itself.
            let of_report = if told.complete { told.left_out } else { LeftOut::default() };
            let omitted = Omitted { of_report, ..self.scrubbed };
            let output = self.noted(Shape::Report, told.text.into_bytes(), None, omitted).output;
            if page.holds(&output) || most <= LEAST_DIGEST {
                return output;
            }
            most -= most / 8;
        }
    }

    /// Offers the text, or what a filter left of it, in known forms.
    fn forms(&mut self, text: &[u8], omitted: Omitted, filter: Option<FilterName>) {
        let Some(text) = self.readable(text) else { return };
        let exact = self.options.level == Level::Lossless;
        let rendered = timed(&mut self.timings.render, || forms::render(text, exact));
        let Some(rendered) = rendered else {
            return self.candidates.costs.push((Shape::Forms, Count::Unsuited));
        };
        let written = self.noted(Shape::Forms, rendered.into_bytes(), None, omitted);
        self.candidates.offer(Candidate { filter, ..written });
    }

    fn omitted(&self, filtered: &Filtered) -> Omitted {
        let &Filtered { left_out, counted, .. } = filtered;
        Omitted { lines: left_out - counted, counted, ..self.scrubbed }
    }

    /// Offers what a filter left of a text, if that is less.
    pub(super) fn filtered(&mut self, filtered: Filtered, text: &Text<'_>) {
        let omitted = self.omitted(&filtered);
        let written = self.noted(Shape::Text, filtered.text, None, omitted);
        // Where the counts are estimates, a longer text never counts as fewer tokens.
        let is_shorter = !text.estimated || written.output.len() < text.bytes.len();
        if written.tokens < text.tokens && is_shorter {
            self.candidates.offer(Candidate { filter: filtered.filter, ..written });
        }
    }

    /// The text as UTF-8, where the shape is ours to choose.
    fn readable<'t>(&self, text: &'t [u8]) -> Option<&'t str> {
        std::str::from_utf8(text).ok().filter(|_| self.options.format == Format::Auto)
    }

    /// The text with the notes on lines that look like toto's and on what is left out; `tokens` are its own, if they
    /// are counted already.
    fn noted(
        &mut self,
        shape: Shape,
        mut text: Vec<u8>,
        tokens: Option<usize>,
        omitted: Omitted,
    ) -> Candidate {
        let length = text.len();
        note_quoted(&mut text);
        if !omitted.is_empty() {
            add_note(&mut text, &omitted.note(self.options.recall, &Keys::default()));
        }
        let tokens = tokens.filter(|_| text.len() == length);
        let count = || Sampler::of(&text).0;
        let tokens = tokens.unwrap_or_else(|| timed(&mut self.timings.count, count));
        Candidate::new(shape, text, tokens, omitted)
    }
}

/// Whether a text has so many lines for its length that what is kept of each line would be much larger than the text.
fn is_dense(text: &[u8]) -> bool {
    text.len() > DENSE && memchr::memchr_iter(b'\n', text).count() * SHORT_LINE > text.len()
}

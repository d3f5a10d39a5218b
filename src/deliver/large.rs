//! Decides whether an output fits its reader's page, and what the agent gets in place of an output that does not.

use std::ffi::OsString;

use super::delivery::{Delivery, Given, Run, Text};
use super::host::Host;
use super::keeper::Keeper;
use crate::commands::as_text;
use crate::config::{Format, Level, Limits, Mode, Threshold};
use crate::ledger::record::COST_OF_A_CALL;
use crate::overflow::{
    Digest, Large, Outcome, Outline, Summary, Whole, characters, outline, outline_of_table, pages,
};
use crate::pipeline::{Kind, Report, Shape, is_worth_it, visible};
use crate::store::{Facts, Pages, Source};
use crate::{source, tokens};

/// Most bytes of an output that is given whole because its original cannot be saved.
const UNSAVED: usize = 40_000;
/// An output is reduced only if that saves this many tokens: a second call costs an agent about as much.
const WORTH_A_CALL: usize = COST_OF_A_CALL as usize;
/// The same threshold for the log of an action that succeeded, which is rarely looked at again.
const WORTH_SHORTENING: usize = 1_000;
/// From this many tokens on, the command for the original is named behind a document that is given whole: agents count
/// and sort with programs.
const WORTH_A_WAY: usize = 1_000;

/// How an output is reduced that is too large for its kind.
enum Way {
    /// A report's digest, in one page.
    Digest,
    /// The first page, whole.
    Page,
    /// The outline of a document or of a printed table, where it has one.
    Outline(Option<Outline>),
    /// The lines that say most.
    Preview,
    /// The same of an action that succeeded, though it fits.
    Shortened,
}

/// Reduces the output of one command within the limits of the settings and of the agent's host.
pub(super) struct Reducer<'c> {
    command: &'c [OsString],
    outcome: Outcome,
    limits: Limits,
    pub(super) host: Host,
}

impl Delivery<'_> {
    pub(super) fn may_reduce(&self) -> bool {
        !self.machine_reader && self.settings.level != Level::Lossless && self.settings.format != Format::Raw
    }

    /// What reduces the output; `None` where nothing may be left out of it.
    pub(super) fn reducer(&self, source: Source, run: Run) -> Option<Reducer<'_>> {
        let limits = self.settings.limits(self.tool, source == Source::Err);
        let host = self.host(run).asked_for(limits.text);
        let may_reduce = self.may_reduce() && limits.mode != Mode::Off;
        may_reduce.then_some(Reducer { command: self.command, outcome: run.outcome, limits, host })
    }

    /// The replacement for an output that is too large to be read as a whole.
    pub(super) fn reduce_unread(
        &self,
        summary: &Summary,
        source: Source,
        run: Run,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let reducer = self.reducer(source, run)?;
        let facts = facts(summary, run.outcome);
        let kind = Kind::of(&as_text(self.command), &summary.head, false);
        if let (Mode::Buffer, Kind::Content | Kind::Unknown, Whole::Saved { id, .. }) =
            (reducer.limits.mode, kind, keeper.whole())
            && !summary.is_binary()
        {
            let (output, pages) = reducer.first_of(&summary.head, summary.bytes, (summary, 0), id)?;
            keeper.facts = Some(Facts { pages: Some(pages), ..facts });
            let given = Given::of(output, Shape::Raw.to_string());
            // Only this page's part of the original counts: the further pages are not saved by it.
            let whole = Some(summary.tokens as usize);
            return Some(Given {
                original_tokens: given.tokens,
                whole,
                estimated: summary.estimated,
                ..given
            });
        }
        let given = reducer.summarised(&reducer.large(summary, keeper))?;
        keeper.facts = Some(facts);
        Some(given)
    }

    /// Names the command that gives programs the original, behind a document of at least [`WORTH_A_WAY`] tokens that is
    /// given whole.
    pub(super) fn name_way(&self, report: &mut Report, text: &Text<'_>, keeper: &mut Keeper<'_>) {
        if !report.shape.is_of_documents() || report.output_tokens < WORTH_A_WAY || !self.may_reduce() {
            return;
        }
        let mut named = with_way(report, &keeper.recall(), text.original);
        // Nothing is saved that the reader is not told of.
        let is_worth_it = is_worth_it(tokens::count(&named), report.original_tokens);
        if !is_worth_it || !keeper.save_as_told(text.original, [&mut named]) {
            return;
        }
        report.output_tokens = tokens::count(&named);
        report.output = named;
        // A file without facts would be removed.
        let limits = self.settings.limits(self.tool, text.source == Source::Err);
        keeper.facts = Some(facts(&summary_of(text, &limits), text.run.outcome));
    }
}

impl Reducer<'_> {
    /// The replacement for the pipeline's result, if that result is too large for its kind.
    pub(super) fn reduced(&self, report: &Report, text: &Text<'_>, keeper: &mut Keeper<'_>) -> Option<Given> {
        let given = match self.limits.mode {
            Mode::Off => return None,
            Mode::Buffer => self.reduced_by_kind(report, text, keeper)?,
            Mode::Truncate | Mode::Reject => self.reduced_as_asked(report, text, keeper)?,
        };
        Some(Given {
            original_tokens: given.whole.map_or(report.original_tokens, |_| given.original_tokens),
            left_out: given.left_out || !report.omitted.is_empty(),
            estimated: report.estimated,
            timings: report.timings,
            ..given
        })
    }

    /// The replacement by truncation or rejection, which the user chose.
    fn reduced_as_asked(&self, report: &Report, text: &Text<'_>, keeper: &mut Keeper<'_>) -> Option<Given> {
        if !self.is_large(report) {
            return None;
        }
        // Saving may fail: the replacement then says so and why.
        let _ = keeper.save(text.original);
        let of_output = Digest::of(&report.output, &self.limits.keywords);
        let large = Large { threshold: self.threshold(report), ..self.large(&of_output, keeper) };
        let given = self.summarised(&large)?;
        if given.tokens >= report.output_tokens {
            return None;
        }
        keeper.facts = Some(facts(&summary_of(text, &self.limits), self.outcome));
        Some(given)
    }

    /// Whether an output is longer than the user's threshold for its kind, or than what the host shows.
    fn is_large(&self, report: &Report) -> bool {
        self.threshold(report).is_some_and(|threshold| is_beyond(report, threshold))
            || self.host.is_known && !self.host.page.holds(&report.output)
    }

    fn threshold(&self, report: &Report) -> Option<Threshold> {
        if report.holds_document { Some(self.limits.structured) } else { self.limits.text }
    }

    /// How an output that is too large for its kind is reduced (docs/large-output.md); `None` if it is not too large.
    fn way(&self, report: &Report, text: &Text<'_>) -> Option<Way> {
        let (output, limits) = (&report.output, &self.limits);
        let is_cut = !self.host.page.holds(output);
        let is_over = is_cut || self.is_over_asked(report);
        let is_long_document = is_beyond(report, limits.structured);
        // Fewer tokens than that cannot save as many.
        if !is_over && !is_long_document && report.output_tokens < WORTH_SHORTENING {
            return None;
        }
        let kind = Kind::of(&as_text(self.command), text.original, report.holds_document);
        // A text that is one table is data: its outline says more of it than its first page.
        let may_be_table = kind == Kind::Unknown
            && is_cut
            && self.outcome == Outcome::Succeeded
            && report.shape == Shape::Forms;
        let table = || may_be_table.then(|| outline_of_table(&visible::readable(text.original))).flatten();
        match kind {
            _ if report.shape == Shape::Report => is_over.then_some(Way::Digest),
            Kind::Data => (is_cut || is_long_document)
                .then(|| Way::Outline(std::str::from_utf8(text.original).ok().and_then(outline))),
            Kind::Action if !is_over => (self.outcome == Outcome::Succeeded).then_some(Way::Shortened),
            _ if !is_over => None,
            // Binary output has no pages.
            Kind::Content | Kind::Unknown if memchr::memchr(0, output).is_some() => Some(Way::Preview),
            Kind::Content | Kind::Unknown => {
                Some(table().map_or(Way::Page, |table| Way::Outline(Some(table))))
            }
            // A report that was not recognised has no digest.
            Kind::Report | Kind::Log | Kind::Action => Some(Way::Preview),
        }
    }

    /// The replacement that suits the output's kind.
    fn reduced_by_kind(&self, report: &Report, text: &Text<'_>, keeper: &mut Keeper<'_>) -> Option<Given> {
        let (output, host) = (&report.output, self.host);
        let way = self.way(report, text)?;
        let mut within_page = report.within_page.clone();
        let is_saved = keeper.save_as_told(text.original, [&mut within_page]);
        if !is_saved && output.len() <= UNSAVED.min(host.room()) {
            return None;
        }
        let summary = summary_of(text, &self.limits);
        let (given, pages) = match &way {
            Way::Digest if within_page.is_empty() => return None,
            Way::Digest => {
                let given = Given::of(within_page, report.shape.to_string());
                (Given { left_out: true, ..given }, None)
            }
            Way::Page => self.first_page(report, text.original, &summary, keeper)?,
            // A preview shows lines of the original, under their numbers in the original.
            Way::Outline(outline) => {
                let large = Large { outline: outline.as_ref(), ..self.large(&summary, keeper) };
                (self.summarised(&large)?, None)
            }
            Way::Preview | Way::Shortened => (self.summarised(&self.large(&summary, keeper))?, None),
        };
        let fewest = match way {
            // The host would cut the output, or the user asked for less.
            _ if host.is_known && !host.page.holds(output) || self.is_over_asked(report) => 1,
            Way::Shortened => WORTH_SHORTENING,
            _ => WORTH_A_CALL,
        };
        let is_changed = pages.is_some() && *output != text.original;
        if given.tokens + fewest > report.output_tokens || is_changed && !keeper.keep_compacted(output) {
            return None;
        }
        keeper.facts = Some(Facts { pages, ..facts(&summary, self.outcome) });
        Some(given)
    }

    /// Whether an output is longer than the user asked for.
    fn is_over_asked(&self, report: &Report) -> bool {
        self.limits.text.is_some_and(|threshold| is_beyond(report, threshold))
    }

    /// The whole first page, and the division into pages; without a saved original a part of the output.
    fn first_page(
        &self,
        report: &Report,
        original: &[u8],
        summary: &Summary,
        keeper: &Keeper<'_>,
    ) -> Option<(Given, Option<Pages>)> {
        let Whole::Saved { id, .. } = keeper.whole() else {
            let of_output = Digest::of(&report.output, &self.limits.keywords);
            return Some((self.summarised(&self.large(&of_output, keeper))?, None));
        };
        let words = as_text(self.command);
        let by_file = source::matches_by_file(&words, original).unwrap_or_default();
        let is_help = source::is_help(&words) && report.output == original;
        let beside = by_file.len() + if is_help { source::LONGEST } else { 0 };
        let (output, pages) =
            self.first_of(&report.output, report.output.len() as u64, (summary, beside), id)?;
        let further = is_help.then(|| source::further_down_in_help(&report.output, pages.first as usize));
        let output = [by_file.as_bytes(), &output, further.flatten().unwrap_or_default().as_bytes()].concat();
        let given = Given::of(output, report.shape.to_string());
        // Only this page's part of the original counts: the further pages are not saved by it.
        let original_tokens = report.original_tokens * given.tokens / report.output_tokens.max(given.tokens);
        let whole = Some(report.original_tokens);
        Some((Given { filter: report.filter.clone(), original_tokens, whole, ..given }, Some(pages)))
    }

    /// The first page of an output of `length` bytes that begins with `text`, and the division into pages. Behind the
    /// text of a command that failed stand its status and what it said about its failure.
    /// `beside` is the number of bytes that something else takes of the page.
    fn first_of(
        &self,
        text: &[u8],
        length: u64,
        (summary, beside): (&Summary, usize),
        id: &str,
    ) -> Option<(Vec<u8>, Pages)> {
        let reasons = match self.outcome {
            Outcome::Failed(Some(status)) => Large::reasons_of(summary, status),
            _ => String::new(),
        };
        let (first, further) = self.host.sizes(&reasons);
        let mut first = first.without(beside, usize::from(beside > 0));
        if length > text.len() as u64 {
            // The text may end within a line.
            first.bytes = first.bytes.min(text.len().saturating_sub(1));
        }
        let divided = pages::divide_text(text, first, further);
        let end = divided.first()?.end;
        let count = match length - text.len() as u64 {
            0 => divided.len().to_string(),
            _ => format!("about {}", 1 + (length - end).div_ceil(further.bytes as u64)),
        };
        let footer = pages::footer(1, &count, &format!("toto show {id}"));
        let part = &text[..end as usize];
        // What was read as a whole has gone through the pipeline.
        let text = if length == text.len() as u64 { part.into() } else { visible::lines(part) };
        let newline: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
        let pages = Pages { first: end, bytes: further.bytes, lines: further.lines };
        Some(([&text, newline, reasons.as_bytes(), footer.as_bytes()].concat(), pages))
    }

    /// An output of which no outline is known.
    fn large<'s>(&self, summary: &'s Summary, keeper: &'s Keeper<'_>) -> Large<'s> {
        let (whole, threshold) = (keeper.whole(), self.limits.text);
        Large { summary, outline: None, whole, outcome: self.outcome, room: self.host.room(), threshold }
    }

    /// The replacement made from a summary.
    fn summarised(&self, large: &Large<'_>) -> Option<Given> {
        let (shape, text) = large.reduced(self.limits.mode)?;
        Some(Given {
            original_tokens: large.summary.tokens as usize,
            estimated: large.summary.estimated,
            left_out: true,
            ..Given::of(text.into_bytes(), shape.to_owned())
        })
    }
}

fn is_beyond(report: &Report, threshold: Threshold) -> bool {
    match threshold {
        // A character is at least one byte.
        Threshold::Characters(most) => report.output.len() > most && characters(&report.output) > most as u64,
        Threshold::Tokens(most) => report.output_tokens > most,
    }
}

fn summary_of(text: &Text<'_>, limits: &Limits) -> Summary {
    text.summary.clone().unwrap_or_else(|| Digest::of(text.original, &limits.keywords))
}

/// A document's notation with the command for its original behind it; within the note on what was left out if there is
/// one.
fn with_way(report: &Report, recall: &str, original: &[u8]) -> Vec<u8> {
    // JSON begins so, YAML does not.
    let is_json = matches!(original.trim_ascii_start().first(), Some(b'{' | b'['));
    let way = format!("{recall} --raw{}", if is_json { " | jq …" } else { "" });
    let mut output = report.output.clone();
    let left_out = format!(": {recall})");
    let end = output.trim_ascii_end().len();
    if !report.omitted.is_empty() && output[..end].ends_with(left_out.as_bytes()) {
        output.truncate(end - left_out.len());
        output.extend_from_slice(format!("; as it came, for programs: {way})\n").as_bytes());
    } else {
        if !output.ends_with(b"\n") {
            output.push(b'\n');
        }
        output.extend_from_slice(format!("(as it came, for programs: {way})\n").as_bytes());
    }
    output
}

/// The facts that are recorded of a saved output.
pub(super) fn facts(summary: &Summary, outcome: Outcome) -> Facts {
    Facts {
        status: outcome.status(),
        bytes: summary.bytes,
        lines: summary.lines,
        tokens: summary.tokens,
        estimated: summary.estimated,
        ..Facts::default()
    }
}

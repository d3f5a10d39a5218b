//! Decides whether an output fits its reader's page, and what the agent gets in place of an output that does not.

use std::ffi::OsString;

use super::delivery::{Delivery, Given, Run, Text};
use super::host::{self, Host};
use super::keeper::Keeper;
use crate::commands::{FIELDS, as_text};
use crate::config::{Limits, Mode, Threshold};
use crate::ledger::record::COST_OF_A_CALL;
use crate::overflow::{
    Large, Original, Outcome, Outline, Summary, characters, outline, outline_of_table, pages,
};
use crate::pipeline::{Compressed, OutputKind, Shape, add_note, is_worth_it, visible};
use crate::source::count_lines;
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

/// What the agent gets in place of an output (docs/large-output.md).
enum Reduction {
    /// Its beginning and its end, or its size, as the user chose.
    AsAsked,
    /// A report's digest, in one page.
    Digest(Vec<u8>),
    /// The first page, whole.
    FirstPage,
    /// The outline of a document or of a printed table.
    Outline(Outline),
    /// The lines that say most.
    Preview,
    /// The same of an action that succeeded, though it fits.
    ShortLog,
}

/// Reduces the output of one command within the limits of the settings and of the agent's host.
pub(super) struct Reducer<'c> {
    command: &'c [OsString],
    outcome: Outcome,
    limits: Limits,
    /// With the page that the user asks for of text.
    pub(super) host: Host,
    /// The host alone: a document has its own threshold.
    host_of_data: Host,
    /// Up to this, an output of its kind goes out whole; `None` for as much as the host shows.
    threshold: Option<Threshold>,
}

/// The limits of a stream; `None` where nothing may be left out of it.
pub(super) fn limits(delivery: &Delivery<'_>, source: Source) -> Option<Limits> {
    let limits = delivery.settings.limits(delivery.tool, source == Source::Err);
    (delivery.may_reduce() && limits.mode != Mode::Off).then_some(limits)
}

/// The replacement for an output that is too large to be read as a whole.
pub(super) fn reduce_unread(
    delivery: &Delivery<'_>,
    summary: &Summary,
    run: Run,
    keeper: &mut Keeper<'_>,
) -> Option<Given> {
    let reducer = Reducer::of(delivery, run)?;
    let Summary { bytes, lines, tokens, estimated, .. } = *summary;
    let (status, lines) = (run.outcome.status(), Some(lines));
    let facts = Facts { status, bytes, lines, tokens, estimated, ..Facts::default() };
    let kind = OutputKind::of(&as_text(delivery.command), &summary.head, false);
    let is_saved = matches!(keeper.whole(), Original::Saved { .. });
    let has_pages =
        is_saved && !summary.is_binary() && matches!(kind, OutputKind::Content | OutputKind::Unknown);
    if reducer.limits.mode != Mode::Buffer || !has_pages {
        let given = reducer.summarised(summary, None, keeper);
        keeper.facts = Some(facts);
        return Some(given);
    }
    let reasons = reducer.reasons(|| summary.clone());
    let (output, pages) = reducer.first_of(&summary.head, summary.bytes, (&reasons, 0), keeper)?;
    keeper.facts = Some(Facts { pages: Some(pages), ..facts });
    let given = Given::of(output, Shape::Raw.to_string());
    // Only this page's part of the original counts: the further pages are not saved by it.
    let whole = Some(summary.tokens as usize);
    Some(Given { original_tokens: given.tokens, whole, estimated: summary.estimated, ..given })
}

/// Names the command that gives programs the original, behind a document of at least [`WORTH_A_WAY`] tokens that is
/// given whole.
pub(super) fn name_way(
    delivery: &Delivery<'_>,
    compressed: &mut Compressed,
    text: &Text<'_>,
    keeper: &mut Keeper<'_>,
) {
    let is_document = compressed.shape.is_of_documents();
    if !is_document || compressed.output_tokens < WORTH_A_WAY || !delivery.may_reduce() {
        return;
    }
    let named = with_way(compressed, &keeper.recall(), text.original);
    let tokens = tokens::count(&named);
    // Nothing is saved that the reader is not told of.
    if !is_worth_it(tokens, compressed.original_tokens) || !keeper.save(text.original) {
        return;
    }
    (compressed.output, compressed.output_tokens) = (named, tokens);
    keeper.facts = Some(facts_of(compressed, text));
}

impl<'c> Reducer<'c> {
    /// What reduces an output; `None` where nothing may be left out of it.
    pub(super) fn of(delivery: &Delivery<'c>, run: Run) -> Option<Self> {
        let limits = limits(delivery, run.source)?;
        let host_of_data = host::of_stream(delivery, run);
        let host = host_of_data.asked_for(limits.text);
        let (command, outcome, threshold) = (delivery.command, run.outcome, limits.text);
        Some(Self { command, outcome, limits, host, host_of_data, threshold })
    }

    /// The replacement for the pipeline's result, if that result is too large for its kind.
    pub(super) fn reduced(
        mut self,
        compressed: &Compressed,
        text: &Text<'_>,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let mut is_chosen = true;
        if compressed.kind == OutputKind::Data {
            is_chosen = self.limits.is_structured_chosen;
            let has_room = FIELDS.holds_for(&as_text(self.command)) && !is_chosen;
            (self.host, self.threshold) = (self.host_of_data, (!has_room).then_some(self.limits.structured));
        }
        let output = &compressed.output;
        let reduction = self.reduction(compressed, text)?;
        let is_saved = keeper.save(text.original);
        // What the user chose says that it could not be saved, and why.
        let is_told = is_saved || matches!(reduction, Reduction::AsAsked);
        if !is_told && output.len() <= UNSAVED.min(self.host.uncut()) {
            return None;
        }
        let fewest = match &reduction {
            Reduction::AsAsked => 1,
            // The host would cut the output, or the user asked for less.
            _ if self.is_cut(compressed) && self.host.is_known => 1,
            _ if is_chosen && self.is_beyond(compressed) => 1,
            Reduction::ShortLog => WORTH_SHORTENING,
            _ => WORTH_A_CALL,
        };
        let of_original =
            || text.summary.clone().unwrap_or_else(|| Summary::of(text.original, &self.limits.keywords));
        let mut pages = None;
        let given = match reduction {
            Reduction::Digest(digest) if is_saved => {
                Given { left_out: true, ..Given::of(digest, compressed.shape.to_string()) }
            }
            Reduction::FirstPage if is_saved => {
                let reasons = self.reasons(of_original);
                let (given, divided) = self.first_page(compressed, text.original, &reasons, keeper)?;
                pages = Some(divided);
                given
            }
            // A part or a preview shows lines of the original, under their numbers in the original.
            Reduction::Outline(outline) => self.summarised(&of_original(), Some(&outline), keeper),
            _ => self.summarised(&of_original(), None, keeper),
        };
        let is_changed = pages.is_some() && *output != text.original;
        if given.tokens + fewest > compressed.output_tokens || is_changed && !keeper.keep_compacted(output) {
            return None;
        }
        keeper.facts = Some(Facts { pages, ..facts_of(compressed, text) });
        Some(Given {
            original_tokens: given.whole.map_or(compressed.original_tokens, |_| given.original_tokens),
            left_out: given.left_out || !compressed.omitted.is_empty(),
            estimated: compressed.estimated,
            timings: compressed.timings,
            ..given
        })
    }

    /// What the agent gets in place of an output that is too large for its kind; `None` if it is not.
    fn reduction(&self, compressed: &Compressed, text: &Text<'_>) -> Option<Reduction> {
        let has_succeeded = self.outcome == Outcome::Succeeded;
        let is_report = compressed.shape == Shape::Report;
        let is_cut = self.is_cut(compressed);
        let is_too_large = is_cut || self.is_beyond(compressed);
        if self.limits.mode != Mode::Buffer {
            return is_too_large.then_some(Reduction::AsAsked);
        }
        if !is_too_large {
            let is_long = compressed.output_tokens >= WORTH_SHORTENING;
            let is_short_log =
                compressed.kind == OutputKind::Action && has_succeeded && !is_report && is_long;
            return is_short_log.then_some(Reduction::ShortLog);
        }
        Some(match compressed.kind {
            _ if is_report => Reduction::Digest(compressed.within_page.clone()?),
            // Of the original, whose empty members the pipeline's document lacks.
            OutputKind::Data => {
                let outline = std::str::from_utf8(text.original).ok().and_then(outline);
                outline.map_or(Reduction::Preview, Reduction::Outline)
            }
            // Binary output has no pages.
            OutputKind::Content | OutputKind::Unknown if memchr::memchr(0, &compressed.output).is_some() => {
                Reduction::Preview
            }
            // A text that is one table is data: its outline says more of it than its first page.
            OutputKind::Unknown if is_cut && has_succeeded && compressed.shape == Shape::Forms => {
                let table = outline_of_table(&visible::readable(text.original));
                table.map_or(Reduction::FirstPage, Reduction::Outline)
            }
            OutputKind::Content | OutputKind::Unknown => Reduction::FirstPage,
            // A report that was not recognised has no digest.
            OutputKind::Report | OutputKind::Log | OutputKind::Action => Reduction::Preview,
        })
    }

    /// Whether an output is longer than what its reader's host shows, or, where that is not known, than a page of the
    /// usual size.
    fn is_cut(&self, compressed: &Compressed) -> bool {
        let has_page = self.host.is_known || self.limits.mode == Mode::Buffer;
        has_page && !self.host.page.holds(&compressed.output)
    }

    /// Whether an output is longer than the threshold for its kind.
    fn is_beyond(&self, compressed: &Compressed) -> bool {
        let output = &compressed.output;
        self.threshold.is_some_and(|threshold| match threshold {
            // A character is at least one byte.
            Threshold::Characters(most) => output.len() > most && characters(output) > most as u64,
            Threshold::Tokens(most) => compressed.output_tokens > most,
        })
    }

    /// What stands behind the first page of a command that failed: its status and what it said about its failure.
    fn reasons(&self, summary: impl FnOnce() -> Summary) -> String {
        match self.outcome {
            Outcome::Failed(status) => Large::reasons_of(&summary(), status),
            _ => String::new(),
        }
    }

    /// The whole first page, and the division into pages.
    fn first_page(
        &self,
        compressed: &Compressed,
        original: &[u8],
        reasons: &str,
        keeper: &Keeper<'_>,
    ) -> Option<(Given, Pages)> {
        let words = as_text(self.command);
        let by_file = source::matches_by_file(&words, original).unwrap_or_default();
        let is_help = source::is_help(&words) && compressed.output == original;
        let beside = by_file.len() + if is_help { source::LONGEST } else { 0 };
        let (output, pages) =
            self.first_of(&compressed.output, compressed.output.len() as u64, (reasons, beside), keeper)?;
        let further = is_help.then(|| source::further_down_in_help(&compressed.output, pages.first as usize));
        let output = [by_file.as_bytes(), &output, further.flatten().unwrap_or_default().as_bytes()].concat();
        let given = Given::of(output, compressed.shape.to_string());
        // Only this page's part of the original counts: the further pages are not saved by it.
        let original_tokens =
            compressed.original_tokens * given.tokens / compressed.output_tokens.max(given.tokens);
        let whole = Some(compressed.original_tokens);
        Some((Given { filter: compressed.filter.clone(), original_tokens, whole, ..given }, pages))
    }

    /// The first page of an output of `length` bytes that begins with `text`, and the division into pages. Behind its
    /// text stand the `reasons`; `beside` is the number of bytes that something else takes of the page.
    fn first_of(
        &self,
        text: &[u8],
        length: u64,
        (reasons, beside): (&str, usize),
        keeper: &Keeper<'_>,
    ) -> Option<(Vec<u8>, Pages)> {
        let (first, further) = self.host.sizes(reasons);
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
        let footer = pages::footer(1, &count, &keeper.recall());
        let part = &text[..end as usize];
        // What was read as a whole has gone through the pipeline.
        let text = if length == text.len() as u64 { part.into() } else { visible::lines(part) };
        let newline: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
        let pages = Pages { first: end, bytes: further.bytes, lines: further.lines };
        Some(([&text, newline, reasons.as_bytes(), footer.as_bytes()].concat(), pages))
    }

    /// The replacement made from a summary, and the outline where there is one.
    fn summarised(&self, summary: &Summary, outline: Option<&Outline>, keeper: &Keeper<'_>) -> Given {
        let large = Large {
            summary,
            outline,
            whole: keeper.whole(),
            outcome: self.outcome,
            most: self.host.uncut(),
            threshold: self.threshold,
        };
        let (shape, text) = large.reduced(self.limits.mode);
        Given {
            original_tokens: summary.tokens as usize,
            estimated: summary.estimated,
            left_out: true,
            ..Given::of(text.into_bytes(), shape.to_owned())
        }
    }
}

/// A document's notation with the command for its original behind it; within the note on what was left out if there is
/// one.
fn with_way(compressed: &Compressed, recall: &str, original: &[u8]) -> Vec<u8> {
    // JSON begins and ends so, YAML and a log do not.
    let text = original.trim_ascii();
    let is_json =
        text.starts_with(b"{") && text.ends_with(b"}") || text.starts_with(b"[") && text.ends_with(b"]");
    let way = format!("as it came, for programs: {recall} --raw{})\n", if is_json { " | jq …" } else { "" });
    let mut output = compressed.output.clone();
    let left_out = format!(": {recall})");
    let end = output.trim_ascii_end().len();
    if !compressed.omitted.is_empty() && output[..end].ends_with(left_out.as_bytes()) {
        output.truncate(end - left_out.len());
        output.extend_from_slice(format!("; {way}").as_bytes());
    } else {
        add_note(&mut output, &format!("({way}"));
    }
    output
}

/// The facts that are recorded of the saved original of an output.
pub(super) fn facts_of(compressed: &Compressed, text: &Text<'_>) -> Facts {
    Facts {
        status: text.run.outcome.status(),
        bytes: text.original.len() as u64,
        lines: Some(count_lines(text.original)),
        tokens: compressed.original_tokens as u64,
        estimated: compressed.estimated,
        ..Facts::default()
    }
}

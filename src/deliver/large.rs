//! Does an output fit its reader's page, and what does the agent get in its place where it does not?

use super::keeper::Keeper;
use super::{Delivery, Given, Outcome, Run, Text, call};
use crate::config::{Format, Level, Limits, Mode};
use crate::document::{Layout, scan};
use crate::overflow::{Digest, Kind, Large, Page, Summary, pages};
use crate::pipeline::{Report, Shape, Timings};
use crate::store::{Facts, Pages, Source, Store};
use crate::tokens;

/// Where the original cannot be saved, so much is given rather than cut, in characters.
const UNSAVED: usize = 40_000;
/// What the receipt needs of a host's limit, in bytes.
const RECEIPT_ROOM: usize = 160;
/// The same of a limit in lines, with what a tool may say on standard error.
const RECEIPT_LINES: usize = 20;
/// An output is reduced only where that saves so many tokens: a second call costs an agent about as many.
const WORTH_A_CALL: usize = 2_000;
/// The same for the log of an action that succeeded, which is rarely looked at again.
const WORTH_SHORTENING: usize = 1_000;
/// From so many tokens on the way to the original is named behind a document that is given whole: agents count and
/// sort with programs.
const WORTH_A_WAY: usize = 1_000;

impl Delivery<'_> {
    /// Are large outputs to be reduced at all?
    pub(super) fn may_reduce(&self) -> bool {
        !self.machine_reader && self.settings.level != Level::Lossless && self.settings.format != Format::Raw
    }

    /// What to give in place of what the pipeline made of an output, if that is too large for its kind.
    pub(super) fn reduce(&self, report: &Report, text: Text<'_>, keeper: &mut Keeper<'_>) -> Option<Given> {
        let limits = self.settings.limits(self.tool, text.source == Source::Err);
        let host = self.host(text.run.beside);
        let given = match limits.mode {
            Mode::Off => return None,
            Mode::Buffer => self.reduced_by_kind(report, &text, &limits, host, keeper)?,
            Mode::Truncate | Mode::Reject => self.reduced_as_asked(report, &text, &limits, host, keeper)?,
        };
        (given.tokens < report.output_tokens).then(|| Given {
            original_tokens: report.original_tokens,
            estimated: report.estimated,
            timings: report.timings,
            ..given
        })
    }

    /// By truncation or rejection, which the user chose.
    fn reduced_as_asked(
        &self,
        report: &Report,
        text: &Text<'_>,
        limits: &Limits,
        host: Host,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let structured = is_large(report, limits, host, text.original)?;
        // An id that is taken is no reason to give all of it.
        let _ = save(keeper, text.original);
        let of_output = Digest::of(&report.output, &limits.keywords);
        let document = structured.then(|| std::str::from_utf8(text.original).ok()).flatten();
        let given = self.summarised(&of_output, document, text.run.outcome, limits.mode, host, keeper)?;
        keeper.note(self.facts_of(text, limits));
        Some(given)
    }

    /// By its kind (docs/large-output.md).
    fn reduced_by_kind(
        &self,
        report: &Report,
        text: &Text<'_>,
        limits: &Limits,
        host: Host,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let (output, outcome) = (&report.output, text.run.outcome);
        let fits = host.page.holds(output);
        let over = |most: usize| output.len() > most && characters(output) > most;
        let asked = limits.text.is_some_and(over);
        // Below this nothing of any kind is reduced.
        if fits && !asked && !over(limits.structured.min(WORTH_SHORTENING)) {
            return None;
        }
        let structured = is_structured(report, text.original);
        let kind = Kind::of(&self.words(), output, structured);
        let shortened = kind == Kind::Action && outcome == Outcome::Succeeded;
        let is_large = if kind == Kind::Data { !fits || over(limits.structured) } else { !fits || asked };
        if !is_large && !shortened {
            return None;
        }
        if !save(keeper, text.original) && output.len() <= UNSAVED.min(host.room()) {
            return None;
        }
        let given = match kind {
            Kind::Content | Kind::Unknown => self.first_page(report, text, limits, host, keeper)?,
            _ => {
                // A preview shows lines of the original, by the numbers that they have there.
                let whole = self.summary_of(text, limits);
                let document =
                    (kind == Kind::Data).then(|| std::str::from_utf8(text.original).ok()).flatten();
                self.summarised(&whole, document, outcome, Mode::Buffer, host, keeper)?
            }
        };
        let saved = report.output_tokens.saturating_sub(given.tokens);
        let is_worth_it = match () {
            // The host would cut it.
            () if host.is_known && !fits || asked => saved > 0,
            () if !is_large => saved >= WORTH_SHORTENING,
            () => saved >= WORTH_A_CALL,
        };
        is_worth_it.then(|| {
            if !matches!(kind, Kind::Content | Kind::Unknown) {
                keeper.note(self.facts_of(text, limits));
            }
            given
        })
    }

    /// The first page whole; of an unknown command that failed, what it said of that, too.
    fn first_page(
        &self,
        report: &Report,
        text: &Text<'_>,
        limits: &Limits,
        host: Host,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let size = limits.text.map_or(host.page, |text| Page {
            bytes: host.page.bytes.min(text.max(pages::LEAST)),
            ..host.page
        });
        let mut names = Default::default();
        let whole = keeper.whole(&mut names);
        let crate::overflow::Whole::Saved { path: _, id } = whole else {
            let summary = Digest::of(&report.output, &limits.keywords);
            return self.summarised(&summary, None, text.run.outcome, Mode::Truncate, host, keeper);
        };
        let facts = self.facts_of(text, limits);
        let reasons = match text.run.outcome {
            Outcome::Failed(Some(status)) => {
                let summary = self.summary_of(text, limits);
                Large::reasons_of(&summary, status)
            }
            _ => String::new(),
        };
        let lines = memchr::memchr_iter(b'\n', reasons.as_bytes()).count();
        let first = size.without(pages::FOOTER + reasons.len(), lines + 1);
        let further = size.without(pages::FOOTER, 1);
        let divided = pages::divide_text(&report.output, first, further);
        let end = divided.first()?.end as usize;
        let mut output = report.output[..end].to_vec();
        if !output.ends_with(b"\n") {
            output.push(b'\n');
        }
        output.extend_from_slice(reasons.as_bytes());
        output.extend_from_slice(pages::footer(1, divided.len(), &format!("toto show {id}")).as_bytes());
        if report.output != text.original && !keeper.keep_compacted(&report.output) {
            return None;
        }
        keeper.note(Facts {
            pages: Some(Pages { first: end as u64, bytes: further.bytes, lines: further.lines }),
            ..facts
        });
        Some(Given {
            tokens: tokens::count(&output),
            output,
            shape: report.shape.to_string(),
            filter: report.filter.clone(),
            original_tokens: report.original_tokens,
            estimated: report.estimated,
            left_out: false,
            timings: Timings::default(),
        })
    }

    /// What to give in place of an output that is too large to be looked at as a whole.
    pub(super) fn reduce_unread(
        &self,
        summary: &Summary,
        source: Source,
        run: Run,
        keeper: &mut Keeper<'_>,
    ) -> Option<Given> {
        let limits = self.settings.limits(self.tool, source == Source::Err);
        let given =
            self.summarised(summary, None, run.outcome, limits.mode, self.host(run.beside), keeper)?;
        keeper.note(facts(summary, run.outcome));
        Some(given)
    }

    /// Names the way for programs behind a document that is given whole, where it is long enough to be counted in.
    pub(super) fn name_way(&self, report: &mut Report, original: &[u8], keeper: &mut Keeper<'_>) {
        let is_notation = matches!(report.shape, Shape::Pvfn | Shape::SchemaYaml | Shape::Json);
        if !is_notation || report.output_tokens < WORTH_A_WAY || !self.may_reduce() || !save(keeper, original)
        {
            return;
        }
        let way = format!("{} --raw{}", keeper.recall(), if is_json(original) { " | jq …" } else { "" });
        let output = &mut report.output;
        let left_out = format!(": {})", keeper.recall());
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
        report.output_tokens = tokens::count(output);
    }

    /// The page of this call's host that one stream has, beside so many bytes of the other.
    fn host(&self, beside: u64) -> Host {
        let limit = self.agent.and_then(|agent| agent.output_limit);
        let whole = Page::of_host(limit, self.agent.and_then(|agent| agent.output_lines));
        let beside = usize::try_from(beside).unwrap_or(usize::MAX).min(whole.bytes / 2);
        let given = || call::given_before(&Store::of_session(&self.session), rustix::stdio::stdout());
        let before = if self.shares_page { usize::try_from(given()).unwrap_or(usize::MAX) } else { 0 };
        let page = whole.without(beside.saturating_add(before).saturating_add(RECEIPT_ROOM), RECEIPT_LINES);
        Host { page, is_known: limit.is_some() }
    }

    fn words(&self) -> Vec<String> {
        self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    fn summary_of(&self, text: &Text<'_>, limits: &Limits) -> Summary {
        text.summary.clone().unwrap_or_else(|| Digest::of(text.original, &limits.keywords))
    }

    fn facts_of(&self, text: &Text<'_>, limits: &Limits) -> Facts {
        facts(&self.summary_of(text, limits), text.run.outcome)
    }

    /// What the agent gets, in the way that is asked for.
    fn summarised(
        &self,
        summary: &Summary,
        structured: Option<&str>,
        outcome: Outcome,
        mode: Mode,
        host: Host,
        keeper: &Keeper<'_>,
    ) -> Option<Given> {
        let mut names = Default::default();
        let large = Large {
            summary,
            structured,
            whole: keeper.whole(&mut names),
            failed: outcome != Outcome::Succeeded,
            running: outcome == Outcome::Running,
            room: host.room(),
        };
        let (shape, text) = large.reduced(mode)?;
        Some(Given {
            tokens: tokens::count(text.as_bytes()),
            output: text.into_bytes(),
            shape: shape.to_owned(),
            filter: None,
            original_tokens: summary.tokens as usize,
            estimated: summary.estimated,
            left_out: true,
            timings: Timings::default(),
        })
    }
}

/// How much of one stream its reader's host shows.
#[derive(Clone, Copy)]
struct Host {
    page: Page,
    /// Whether that is its own word: then it cuts what is longer.
    is_known: bool,
}

impl Host {
    /// Bytes that may be written before the host cuts.
    fn room(self) -> usize {
        if self.is_known { self.page.bytes } else { usize::MAX }
    }
}

/// Saves the original; another id where this one is taken.
fn save(keeper: &mut Keeper<'_>, original: &[u8]) -> bool {
    keeper.save(original) || keeper.rename() && keeper.save(original)
}

/// None: it is not large. Else whether it is structured.
fn is_large(report: &Report, limits: &Limits, host: Host, original: &[u8]) -> Option<bool> {
    let fits = !host.is_known || host.page.holds(&report.output);
    let over = |threshold: usize| match limits.mode {
        Mode::Reject => report.output_tokens > threshold,
        // A character is a byte at least.
        _ => report.output.len() > threshold && characters(&report.output) > threshold,
    };
    let text = limits.text.unwrap_or(usize::MAX);
    if fits && !over(text.min(limits.structured)) {
        return None;
    }
    let structured = is_structured(report, original);
    (!fits || over(if structured { limits.structured } else { text })).then_some(structured)
}

fn is_structured(report: &Report, original: &[u8]) -> bool {
    match report.shape {
        Shape::Text => false,
        Shape::Raw => std::str::from_utf8(original).is_ok_and(|text| !matches!(scan(text), Layout::Text)),
        Shape::Pvfn | Shape::SchemaYaml | Shape::Json => true,
    }
}

/// Whether it begins as JSON does: YAML is none.
fn is_json(original: &[u8]) -> bool {
    matches!(original.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count()
}

/// What is written down of a saved output.
pub(super) fn facts(summary: &Summary, outcome: Outcome) -> Facts {
    Facts {
        status: outcome.status(),
        bytes: summary.bytes,
        lines: summary.lines,
        tokens: summary.tokens,
        estimated: summary.estimated,
        pages: None,
    }
}

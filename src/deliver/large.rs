//! Is an output large after everything else, and what does the agent get in its place?

use super::keeper::Keeper;
use super::{Delivery, Given, Outcome, Run, Text};
use crate::agents::Agent;
use crate::config::{Format, Level, Limits, Mode};
use crate::document::{Layout, scan};
use crate::overflow::{Digest, Large, Summary};
use crate::pipeline::{Report, Shape, Timings};
use crate::store::{Facts, Source};
use crate::tokens;

/// Where the original cannot be saved, so much is given rather than cut, in characters.
const UNSAVED: usize = 40_000;
/// What the receipt needs of a host's limit, in bytes.
const RECEIPT_ROOM: usize = 160;
/// The same of a limit in lines, with what a tool may say on standard error.
const RECEIPT_LINES: usize = 20;
/// No host cuts at less; a nonsensical limit is not followed below it.
const LEAST_ROOM: usize = 2_000;

impl Delivery<'_> {
    /// Are large outputs to be reduced at all?
    pub(super) fn may_reduce(&self) -> bool {
        !self.machine_reader && self.settings.level != Level::Lossless && self.settings.format != Format::Raw
    }

    /// What to give in place of what the pipeline made of an output, if that is large.
    pub(super) fn reduce(&self, report: &Report, text: Text<'_>, keeper: &mut Keeper<'_>) -> Option<Given> {
        let Text { source, run, original, summary, .. } = text;
        let limits = self.settings.limits(self.tool, source == Source::Err);
        let room = self.room(run.beside);
        let structured = is_large(report, &limits, &room, original)?;
        // An id that is taken is no reason to give all of it.
        let is_saved = keeper.save(original) || keeper.rename() && keeper.save(original);
        if !is_saved && limits.mode == Mode::Buffer && report.output.len() <= UNSAVED.min(room.bytes) {
            return None;
        }
        // A preview shows lines of the original, by the numbers that they have there.
        let of_original = limits.mode == Mode::Buffer;
        let whole = summary.unwrap_or_else(|| Digest::of(original, &limits.keywords));
        let of_output = (!of_original).then(|| Digest::of(&report.output, &limits.keywords));
        let document = structured.then(|| std::str::from_utf8(original).ok()).flatten();
        let given = summarised(
            of_output.as_ref().unwrap_or(&whole),
            document,
            run.outcome,
            limits.mode,
            room.bytes,
            keeper,
        )?;
        (given.tokens < report.output_tokens).then(|| {
            keeper.note(facts(&whole, run.outcome));
            Given {
                original_tokens: report.original_tokens,
                estimated: report.estimated,
                timings: report.timings,
                ..given
            }
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
        let given = summarised(summary, None, run.outcome, limits.mode, self.room(run.beside).bytes, keeper)?;
        keeper.note(facts(summary, run.outcome));
        Some(given)
    }

    /// What the host takes of one stream.
    fn room(&self, beside: u64) -> Room {
        let least = |limit: u32| {
            let beside = usize::try_from(beside).unwrap_or(usize::MAX).min(limit as usize / 2);
            (limit as usize - beside).saturating_sub(RECEIPT_ROOM).max(LEAST_ROOM)
        };
        let limit = |of: fn(&Agent) -> Option<u32>| self.agent.and_then(of);
        Room {
            bytes: limit(|agent| agent.output_limit).map_or(usize::MAX, least),
            lines: limit(|agent| agent.output_lines).map_or(usize::MAX, |lines| {
                (lines as usize).saturating_sub(RECEIPT_LINES).max(RECEIPT_LINES)
            }),
        }
    }
}

/// How much of one stream a host shows before it cuts by itself.
struct Room {
    bytes: usize,
    lines: usize,
}

impl Room {
    fn holds(&self, output: &[u8]) -> bool {
        // A line is a byte at least.
        output.len() <= self.bytes
            && (output.len() <= self.lines || memchr::memchr_iter(b'\n', output).count() <= self.lines)
    }
}

/// None: it is not large. Else whether it is structured.
fn is_large(report: &Report, limits: &Limits, room: &Room, original: &[u8]) -> Option<bool> {
    let over = |threshold: usize| match limits.mode {
        Mode::Off => false,
        Mode::Reject => report.output_tokens > threshold,
        // A character is a byte at least.
        _ => report.output.len() > threshold && characters(&report.output) > threshold,
    };
    if limits.mode == Mode::Off || !over(limits.text.min(limits.structured)) && room.holds(&report.output) {
        return None;
    }
    let structured = match report.shape {
        Shape::Text | Shape::Lines => false,
        Shape::Raw => std::str::from_utf8(original).is_ok_and(|text| !matches!(scan(text), Layout::Text)),
        _ => true,
    };
    let threshold = if structured { limits.structured } else { limits.text };
    (over(threshold) || !room.holds(&report.output)).then_some(structured)
}

/// What the agent gets, in the way that is asked for.
fn summarised(
    summary: &Summary,
    structured: Option<&str>,
    outcome: Outcome,
    mode: Mode,
    room: usize,
    keeper: &Keeper<'_>,
) -> Option<Given> {
    let mut names = Default::default();
    let large = Large {
        summary,
        structured,
        whole: keeper.whole(&mut names),
        failed: outcome != Outcome::Succeeded,
        running: outcome == Outcome::Running,
        room,
    };
    let (shape, text) = large.reduced(mode)?;
    Some(Given {
        tokens: tokens::count(text.as_bytes()),
        output: text.into_bytes(),
        shape: shape.to_owned(),
        filter: None,
        original_tokens: summary.tokens as usize,
        estimated: summary.estimated,
        timings: Timings::default(),
    })
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
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn a_host_that_counts_lines_is_not_given_more_of_them() {
        let room = Room { bytes: 1_000, lines: 20 };
        assert!(room.holds("a line\n".repeat(20).as_bytes()));
        assert!(!room.holds("a line\n".repeat(21).as_bytes()));
        assert!(!room.holds("x".repeat(1_001).as_bytes()));
    }
}

//! The renderer of all families: totals first, then every failure with place and reason, equal ones told once; other
//! lines as they stand.

mod contents;
mod draft;
mod findings;
mod groups;
mod ids;
mod json;
pub(super) mod names;
mod paths;
mod reason;
mod room;
mod since;
pub(super) mod template;
mod tests;
mod writer;

use std::ops::Range;

use contents::{Contents, Item};
pub use draft::LeftOut;
use draft::{DETAILS, Detail, Draft, ROOMY, Whole, is_rule};
pub use since::Earlier;
use writer::Writer;

use super::json_lines::plain;
use super::reader::{Report, read};
use super::section::Section;
use crate::tokens;

#[derive(Clone, Debug)]
pub struct Options<'a> {
    pub most: usize,
    /// The directory that the tool ran in, with a slash behind it; empty where it is not known.
    pub directory: &'a str,
    /// The command that shows the original, named where something was left out: `toto show k7q2x`.
    pub recall: &'a str,
    /// Only these, counted from 0 in the order of the digest: tests that failed, and findings of any severity.
    pub failures: Option<Range<usize>>,
    /// Tokens up to which failures are told more fully than they need be ([`room`]).
    pub room: usize,
    /// Whether the first failures are rather told in full than all of them in brief.
    pub is_full: bool,
    /// The run before, to tell what changed.
    pub since: Option<Earlier<'a>>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            most: usize::MAX,
            directory: "",
            recall: "",
            failures: None,
            room: 0,
            is_full: false,
            since: None,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// The text: lines of the tool's, marks (`… `) and lines made of records.
    pub text: String,
    /// Lines of the original that the text does not show.
    pub left_out: LeftOut,
    /// The failed tests and the findings that were asked for: as many as [`Options::failures`] can number.
    pub failures: usize,
    /// Whether every group is told with all its ids and places.
    pub complete: bool,
    /// Whether at least half of the original is of records: a report, not a text with a report in it.
    pub is_most: bool,
    /// Whether it says what changed since the run before.
    pub is_since: bool,
}

/// Where more groups of tests than these failed, they are told in this many bytes for each token of [`Options::room`], or
/// each in a line.
const FEW_TESTS: usize = 20;
const FULLER: usize = 7;
/// Characters kept for the last mark.
const RESERVE: usize = 160;

impl Report<'_> {
    /// Writes the digest by the first row of [`DETAILS`] that fits; if none does, as many groups as fit by the last
    /// row.
    pub fn digest(&self, options: &Options<'_>) -> Digest {
        let since = options.since.and_then(|earlier| {
            let earlier = plain(earlier.text);
            self.since(&read(&earlier, &[])?)
        });
        let Some((report, change, left_out)) = since else { return self.written(options, "") };
        let mut told = report.written(options, &change);
        told.left_out.join(left_out);
        Digest { is_since: true, ..told }
    }

    /// The digest behind its first line, which may be empty.
    fn written(&self, options: &Options<'_>, first: &str) -> Digest {
        let parts: Vec<_> =
            self.sections.iter().map(|section| Contents::of(section, options.failures.is_some())).collect();
        let most = options.most.saturating_sub(RESERVE);
        let write = |detail: &Detail, whole, is_last| {
            let draft = Draft { detail: *detail, whole, most, ..Draft::default() };
            let is_several = parts.len() > 1;
            let mut writer = Writer::new(draft, options, is_several, is_last);
            if !first.is_empty() {
                writer.draft.line(0, first, usize::MAX);
            }
            for part in &parts {
                if is_last || !writer.draft.is_full() {
                    writer.part(part);
                }
            }
            writer
        };
        let is_most = self.is_most();
        let [_, full, ..] = &DETAILS;
        if options.is_full {
            return write(full, Whole::default(), true).finish(is_most);
        }
        let [rows @ .., last] = &DETAILS;
        let mut is_hopeless = false;
        let is_test = |(_, item): &&(usize, Item<'_, '_>)| matches!(item, Item::Tests(_));
        let tests = parts.iter().flat_map(|part| &part.items).filter(is_test).count();
        let fuller = if tests > FEW_TESTS && options.room > 0 { options.room * FULLER } else { usize::MAX };
        for detail in rows {
            if is_hopeless && detail.places == usize::MAX {
                continue;
            }
            let writer = write(detail, Whole::default(), false);
            let is_short = detail.is_lean() || writer.draft.text.len() <= fuller;
            if is_short && writer.has_all() {
                let told = writer.finish(is_most);
                let is_short = told.text.len() <= options.room.saturating_mul(room::LONGEST_TOKEN);
                let count = |told: &Digest| tokens::count(told.text.as_bytes());
                let left = if is_short { options.room.saturating_sub(count(&told)) } else { 0 };
                let whole = room::fill(&parts, detail, left);
                let fuller = |detail: &Detail, told: &Digest| {
                    let full = write(detail, whole.clone(), false).finish(is_most);
                    Some(full).filter(|full| full.complete && full != told && count(full) <= options.room)
                };
                let told = (!whole.is_empty()).then(|| fuller(detail, &told)).flatten().unwrap_or(told);
                let has_room = left > 0 && told.left_out.has_gaps();
                return has_room.then(|| fuller(&ROOMY, &told)).flatten().unwrap_or(told);
            }
            // The places alone are too long, so no other row that tells all of them fits.
            is_hopeless |= writer.draft.places > most;
        }
        write(last, Whole::default(), true).finish(is_most)
    }

    fn is_most(&self) -> bool {
        let all = |section: &Section<'_>| section.lines.iter().map(|line| line.raw.len()).sum::<usize>();
        let kept = |section: &Section<'_>| {
            let filled = |at: &usize| !is_rule(section.text(*at));
            section.kept().filter(filled).map(|at| section.lines[at].raw.len()).sum::<usize>()
        };
        self.sections.iter().map(kept).sum::<usize>() * 2 <= self.sections.iter().map(all).sum()
    }
}

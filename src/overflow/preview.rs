//! The telling lines of a large text: its first, its last, and those between that say why it failed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use once_cell::sync::Lazy;
use regex::Regex;

use super::passages::Passage;
use super::summary::Summary;
use crate::failure::{Rank, ascii};
use crate::pipeline::visible::readable;
use crate::plural::counted;
use crate::tokens;

const MOST_TOKENS: usize = 1_000;
/// Tokens kept for what surrounds a preview: where the output is, how to see more.
const FRAME_TOKENS: usize = 100;
/// Tokens of the mark of a gap, or of a count of repetitions.
const GAP_TOKENS: usize = 9;
/// Lines of each passage that come before further lines of any passage.
const DETAILS: usize = 5;
/// Most characters of a line. A longer one is cut, or makes the preview not worth it.
const LONGEST_LINE: usize = 200;
const FIRST: usize = 5;
const LAST: usize = 10;
/// Number of last lines if no passage explains a failure.
const LAST_UNEXPLAINED: usize = 25;

/// Lines that say nothing by themselves: no word and no number, an item that passed or was fetched, dots of tests.
static QUIET: Lazy<Regex> = Lazy::new(|| {
    ascii(concat!(
        r"^[^\p{L}\d]*$|\.\.\. ok$|\bPASS(?:ED)?\b|^\s*(?:✓|√|✔) |^ok \d|^\s*=== (?:RUN|PAUSE|CONT)\b",
        r"|^ *(?:Compiling|Checking|Fresh|Downloaded|Downloading) |^(?:\S+ )?[sxFE*]*\.[.sxFE*]+ *(?:\[ *\d+%\])?$",
    ))
});

/// Lines chosen from a text.
#[derive(Default)]
pub(super) struct Preview {
    /// Each under the number of the first line that it stands for.
    lines: BTreeMap<u64, Line>,
    tokens: usize,
    /// Whether one of the first or last lines is longer than [`LONGEST_LINE`].
    pub(super) has_long_line: bool,
    left_out: u64,
}

struct Line {
    text: String,
    /// Number of the last line that it stands for.
    through: u64,
    /// Number of other places that say the same with other details.
    like: u64,
}

impl Preview {
    /// The first lines, the last lines, and the passages between them.
    pub(super) fn of(summary: &Summary, failed: bool) -> Self {
        let mut preview = Self::default();
        let explained = summary.passages.iter().any(|passage| passage.rank == Rank::Strong);
        let last = if failed && !explained { LAST_UNEXPLAINED } else { LAST };
        preview.first(summary);
        preview.last(summary, last);
        preview.passages(summary, MOST_TOKENS - FRAME_TOKENS);
        preview
    }

    /// The passages, also the last lines if `with_end`.
    pub(super) fn reasons(summary: &Summary, with_end: bool) -> Self {
        let mut preview = Self::default();
        if with_end {
            preview.last(summary, LAST);
        }
        preview.passages(summary, MOST_TOKENS / 2);
        preview
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Characters of the chosen lines, with their newlines.
    pub(super) fn characters(&self) -> u64 {
        self.lines.values().map(|line| line.text.chars().count() as u64 + 1).sum()
    }

    fn first(&mut self, summary: &Summary) {
        let text = readable(&summary.head);
        let whole = summary.head.len() as u64 == summary.bytes;
        let available = text.lines().count() - usize::from(!whole && !text.ends_with('\n'));
        let lines: Vec<(u64, &str)> = (1..).zip(text.lines().take(available.max(1))).collect();
        self.folded(telling(lines).into_iter().take(FIRST));
    }

    /// Adds the last lines, up to `most` that differ from the line below them.
    fn last(&mut self, summary: &Summary, most: usize) {
        let text = readable(&summary.tail);
        // The first of these lines is cut, unless the text begins there.
        let cut = usize::from((summary.tail.len() as u64) < summary.bytes);
        let lines: Vec<&str> = text.lines().skip(cut).collect();
        let before = summary.lines.saturating_sub(lines.len() as u64);
        let mut lines: Vec<(u64, &str)> = (before + 1..).zip(lines).collect();
        // What closes the last of these lines is told with it.
        let is_closing = |(_, line): &&(u64, &str)| line.trim().chars().all(|c| "])}".contains(c));
        let closing = lines.iter().rev().take(LAST).take_while(is_closing).count();
        let closing = lines.split_off(lines.len() - closing);
        let lines = telling(lines);
        let mut from = lines.len();
        let mut different = 0;
        while from > 0 {
            different += usize::from(lines.get(from).map(|next| next.1) != Some(lines[from - 1].1));
            if different > most {
                break;
            }
            from -= 1;
        }
        self.folded(lines[from..].iter().chain(&closing).copied());
    }

    /// Adds lines with their numbers; equal lines that follow each other become one.
    fn folded<'t>(&mut self, lines: impl Iterator<Item = (u64, &'t str)>) {
        let mut lines = lines.peekable();
        while let Some((first, line)) = lines.next() {
            let mut through = first;
            while lines.next_if(|(number, next)| *number == through + 1 && *next == line).is_some() {
                through += 1;
            }
            self.has_long_line |= line.chars().count() > LONGEST_LINE;
            self.add_run(first, through, line);
        }
    }

    /// Adds passages while the whole preview has less than `budget` tokens; weak ones only where there is no strong
    /// one. The order: first lines, their further lines, the first lines of the other passages, and what says the same
    /// again.
    fn passages(&mut self, summary: &Summary, budget: usize) {
        let has_strong = summary.passages.iter().any(|passage| passage.rank == Rank::Strong);
        let rank = if has_strong { Rank::Strong } else { Rank::Weak };
        let is_chosen = |(_, passage): &(_, &Passage)| passage.rank == rank && passage.same_as.is_none();
        let chosen: Vec<(usize, &Passage)> = summary.passages.iter().enumerate().filter(is_chosen).collect();
        // First lines take two thirds at first, so that there is room for the further lines of the first passages.
        let for_heads = self.tokens + budget.saturating_sub(self.tokens) * 2 / 3;
        let first = chosen.iter().take_while(|(_, passage)| self.head(passage, for_heads)).count();
        self.add_all(details(&chosen[..first]), budget);
        // Passages that say something new come before those that say the same again.
        let told =
            first + chosen[first..].iter().take_while(|(_, passage)| self.head(passage, budget)).count();
        self.left_out = (chosen.len() - told) as u64 + if has_strong { 0 } else { summary.more_passages };
        let others = |index| summary.passages.iter().filter(move |passage| passage.same_as == Some(index));
        let again = chosen[..told].iter().flat_map(|(index, _)| others(*index));
        self.add_all(again.flat_map(|passage| &passage.lines), budget);
        for (index, passage) in &chosen[..told] {
            let is_shown = |(number, line): &(u64, String)| line.trim().is_empty() || self.covers(*number);
            let shown = others(*index).filter(|other| other.lines.iter().all(is_shown)).count() as u64;
            self.count_repeated(passage, passage.repeated - shown.min(passage.repeated));
        }
    }

    /// Adds a passage's first line, with the line that it leads to or comes from. Returns whether there was room.
    fn head(&mut self, passage: &Passage, budget: usize) -> bool {
        let first = &passage.lines[0].1;
        let length = if first.ends_with(':') || first.starts_with('>') { 2 } else { 1 };
        self.tokens += if passage.repeated > 0 { GAP_TOKENS } else { 0 };
        self.add_all(passage.lines.iter().take(length), budget)
    }

    /// Whether the line is shown, or another one that stands for it.
    fn covers(&self, number: u64) -> bool {
        self.lines.range(..=number).next_back().is_some_and(|(_, line)| line.through >= number)
    }

    /// Notes at a passage's statement that it was made `times` more.
    fn count_repeated(&mut self, passage: &Passage, times: u64) {
        let statement =
            passage.lines.iter().find(|(_, line)| !line.starts_with('>')).map(|(number, _)| number);
        if let Some(line) = statement.and_then(|number| self.lines.get_mut(number)) {
            line.like += times;
        }
    }

    /// Adds lines until there is no more room; returns whether there was room for all.
    fn add_all<'l>(&mut self, lines: impl Iterator<Item = &'l (u64, String)>, budget: usize) -> bool {
        for (number, line) in lines {
            if self.tokens >= budget {
                return false;
            }
            self.add_run(*number, *number, line);
        }
        true
    }

    fn add_run(&mut self, number: u64, through: u64, line: &str) {
        if number == 0 || self.covers(number) || line.trim().is_empty() {
            return;
        }
        let text = shortened(line);
        let follows =
            self.lines.range(..number).next_back().is_some_and(|(_, line)| line.through + 2 >= number);
        self.tokens += tokens::count(text.as_bytes()) + if follows { 1 } else { GAP_TOKENS };
        self.lines.insert(number, Line { text, through, like: 0 });
    }

    /// Writes the lines in order, with marks for those that are not shown; `lines` is how many the text has.
    pub(super) fn write(&self, out: &mut String, lines: u64) {
        let mut next = 1;
        let gap = |out: &mut String, from: u64, to: u64| match to.saturating_sub(from) {
            0 if to < from => {}
            0 => drop(writeln!(out, "… (line {from})")),
            _ => drop(writeln!(out, "… (lines {from}-{to})")),
        };
        for (number, line) in &self.lines {
            // A single line in between is usually empty.
            if number.saturating_sub(next) > 1 {
                gap(out, next, number - 1);
            } else if *number > next {
                out.push('\n');
            }
            out.push_str(&line.text);
            if line.like > 0 {
                let _ = write!(out, " (and {} like it)", line.like);
            } else if line.through > *number {
                let _ = write!(out, " (×{})", line.through - number + 1);
            }
            out.push('\n');
            next = line.through + 1;
        }
        if next < lines {
            gap(out, next, lines);
        }
        if self.left_out > 0 {
            let _ = writeln!(out, "{}", counted(self.left_out, "more different message"));
        }
    }
}

/// The first [`DETAILS`] lines of every passage, then all their others.
fn details<'a>(chosen: &'a [(usize, &Passage)]) -> impl Iterator<Item = &'a (u64, String)> {
    let first = chosen.iter().flat_map(|(_, passage)| passage.lines.iter().take(DETAILS));
    first.chain(chosen.iter().flat_map(|(_, passage)| passage.lines.iter().skip(DETAILS)))
}

/// The lines that say something, or all of them if none does.
fn telling(lines: Vec<(u64, &str)>) -> Vec<(u64, &str)> {
    if lines.iter().all(|(_, line)| QUIET.is_match(line)) {
        return lines;
    }
    lines.into_iter().filter(|(_, line)| !QUIET.is_match(line)).collect()
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_LINE) {
        Some((cut, _)) => {
            let more = line[cut..].chars().count();
            format!("{}… ({more} characters more)", &line[..cut])
        }
        None => line.trim_end().to_owned(),
    }
}

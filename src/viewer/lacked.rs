//! What a window lacked of what a failing tool said of its failure.

use std::collections::HashSet;
use std::ffi::OsString;

use crate::failure::Rank;
use crate::overflow::{Passage, Summary, readable};
use crate::report::{self, Options, Report};
use crate::tokens;

/// Bytes that a token is taken to have at most: a text too long for its room by this measure is not counted.
const LONGEST_TOKEN: usize = 16;
/// A digest that does not fit its room is written at most this many times, each time for less.
const MOST_WRITTEN: usize = 4;
/// Most tokens where the window shows a report's totals: its reader knows that there is more, and chose not to see it.
pub(super) const BESIDE_TOTALS: usize = 300;
/// Mark of what lies between two passages, and most of its tokens.
const GAP: &str = "  …\n";
const MARK: usize = 3;
/// With this room, in tokens, the first failures are told line by line: marks would need most of that.
const LITTLE: usize = 120;
/// In front of every line, so that none of the tool's passes for a line of ours.
const INDENT: &str = "  ";

/// What is to be said behind a window.
#[derive(Debug, PartialEq, Eq)]
pub enum Lack {
    /// Nothing: the window shows why the tool failed.
    Nothing,
    /// Not known: nothing in the whole output says why.
    Unknown,
    /// These lines, none where there is no room for one; whether they tell all that the window lacks.
    Lines { told: String, is_whole: bool },
}

/// What `window` lacks of what `text`, the output of a tool that failed, says of the failure, in at most `room` tokens:
/// the missing lines of a report's digest; of any other text, the passages that state a failure. `is_said` says that the
/// tool could speak to the agent beside the window; then only what is surely of the failure counts.
pub fn what_the_window_lacked(
    text: &[u8],
    window: &[u8],
    words: &[OsString],
    room: usize,
    is_said: bool,
) -> Lack {
    let (readable_text, readable_window) = (readable(text), readable(window));
    let seen: HashSet<&str> = readable_window.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let (plain, plain_window) = (report::plain(&readable_text), report::plain(&readable_window));
    let has_totals = report::has_totals(&plain_window, words);
    // A report's total may have the name of its suite in front.
    let of_suite =
        |line: &str| line.split_once(": ").is_some_and(|(_, total)| has_totals && seen.contains(total));
    let is_new = |line: &&str| !line.trim().is_empty() && !seen.contains(bare(line)) && !of_suite(line);
    let room = if has_totals { room.min(BESIDE_TOTALS) } else { room };
    // If the window is the beginning or the end of the text, it lacks all the rest, also lines equal to its own.
    let rest = text.strip_suffix(window).or_else(|| text.strip_prefix(window)).filter(|_| !window.is_empty());
    let [all, shown] = [&plain, &plain_window].map(|text| text.lines().count());
    let numbers = match rest {
        Some(_) if text.ends_with(window) => all.saturating_sub(shown) + 1..usize::MAX,
        Some(_) => 1..shown + 1,
        None => 0..0,
    };
    let read = || report::read(&plain, words).filter(|report| report.failures() >= usize::from(is_said));
    if text != window
        && let Some(report) = read()
    {
        let failures = report.failures();
        let report = report.unseen(&plain_window, &numbers);
        if failures > 0 && report.failures() == 0 {
            return Lack::Nothing;
        }
        let (told, is_whole) = digest(&report, has_totals, is_new, room);
        if told.is_empty() && is_whole {
            return Lack::Nothing;
        }
        // With so little room that nothing but marks and headings is left, the passages say more.
        let says = |line: &str| !line.trim_start().starts_with('…') && !line.ends_with(':');
        if told.lines().any(says) {
            return Lack::Lines { told, is_whole };
        }
    }
    let shown = passages(window);
    let is_sure = is_said || shown.iter().any(|passage| passage.rank == Rank::Strong);
    let mut hidden = passages(rest.unwrap_or(text));
    hidden.retain(|passage| passage.rank == Rank::Strong || !is_sure);
    match stated(hidden, is_new, room) {
        Some((told, is_whole)) => Lack::Lines { told, is_whole },
        None if shown.is_empty() && !is_said => Lack::Unknown,
        None => Lack::Nothing,
    }
}

/// A total without the rules that it may stand between, and any other line.
fn bare(line: &str) -> &str {
    if line.starts_with('=') { line.trim_matches(['=', ' ']) } else { line.trim_end() }
}

/// The lines of a digest that are new: what stands below a heading belongs to this heading, whatever the window shows.
fn new_lines(digest: &str, is_new: impl Fn(&&str) -> bool) -> String {
    let is_below = |line: &str| line.starts_with(' ');
    let lines: Vec<&str> = digest.lines().collect();
    let below = lines.iter().skip(1).map(|line| is_below(line)).chain([false]);
    let told =
        lines.iter().zip(below).filter(|(line, has_below)| *has_below || is_below(line) || is_new(line));
    joined(told.map(|(line, _)| *line))
}

/// The new lines of a report's digest that have room, and whether these tell all its failures: whole, without totals, or
/// as many failures as have room; beside totals, where mostly a list of what failed stands, the first in full.
fn digest(
    report: &Report<'_>,
    has_totals: bool,
    is_new: impl Fn(&&str) -> bool,
    room: usize,
) -> (String, bool) {
    let all = || Some(0..report.failures());
    let longest = room.saturating_mul(LONGEST_TOKEN);
    let write = |options: Options<'_>| {
        let told = report.digest(&options);
        (new_lines(&told.text, &is_new), told)
    };
    for failures in [None, all()] {
        let (lines, told) = write(Options { most: longest, failures, ..Options::default() });
        if told.complete && tokens::count(lines.as_bytes()) <= room {
            return (lines, true);
        }
    }
    let mut most = longest;
    let mut lines = String::new();
    for _ in 0..MOST_WRITTEN * usize::from(room > LITTLE) {
        let told;
        (lines, told) = write(Options { most, is_full: has_totals, ..Options::default() });
        let count = tokens::count(lines.as_bytes());
        if count <= room {
            return (lines, false);
        }
        most = told.text.len().min(most) / count * room;
    }
    if room <= LITTLE {
        lines = write(Options {
            most: longest.max(LITTLE * LONGEST_TOKEN),
            failures: all(),
            ..Options::default()
        })
        .0;
    }
    let told = within(
        &lines.lines().map(|line| &line[INDENT.len()..]).collect::<Vec<_>>(),
        room.saturating_sub(MARK),
    );
    (told + GAP, false)
}

/// The different passages of a text that say why something failed, in their order. A line of one word, such as a path,
/// says nothing.
fn passages(text: &[u8]) -> Vec<Passage> {
    let mut found = Summary::of(text, &[]).passages;
    let says = |(_, line): &(u64, String)| line.split_whitespace().nth(1).is_some();
    found.retain(|passage| passage.same_as.is_none() && passage.lines.first().is_some_and(says));
    found
}

/// The new lines of as many passages as there is room for, the surest first, with a mark for what lies between them, and
/// whether these are all; `None` if there is no such line.
fn stated(mut passages: Vec<Passage>, is_new: impl Fn(&&str) -> bool, room: usize) -> Option<(String, bool)> {
    let mut left = room;
    passages.sort_by_key(|passage| passage.rank);
    let mut told = Vec::new();
    let (mut is_any, mut is_whole) = (false, true);
    for passage in &passages {
        let new: Vec<&str> = passage.lines.iter().map(|(_, line)| line.as_str()).filter(&is_new).collect();
        is_any |= !new.is_empty();
        let lines = within(&new, left.saturating_sub(MARK));
        is_whole &= lines.lines().count() == new.len();
        if !lines.is_empty() {
            left -= tokens::count(lines.as_bytes()) + MARK;
            told.push((passage.lines[0].0, lines));
        }
    }
    told.sort();
    let lines: Vec<String> = told.into_iter().map(|(_, lines)| lines).collect();
    is_any.then(|| (lines.join(GAP), is_whole))
}

/// As many of the first lines as there is room for.
fn within(lines: &[&str], room: usize) -> String {
    let mut left = room;
    let mut fits = |line: &&&str| {
        let cost = if line.len() > left.saturating_mul(LONGEST_TOKEN) {
            None
        } else {
            Some(joined(std::iter::once(**line)))
        };
        let rest = cost.and_then(|text| left.checked_sub(tokens::count(text.as_bytes())));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    joined(lines.iter().take_while(|line| fits(line)).copied())
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(|line| [INDENT, line.trim_end(), "\n"]).collect()
}

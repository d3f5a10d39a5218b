//! Drops lines that say nothing new, shortens long lines, and keeps only the first and last lines.

use std::collections::{HashSet, VecDeque};

use super::schema::FilterFile;
use crate::filter::lines::{Cut, Lines, is_mark, is_settled};
use crate::filter::says_why;

/// The tidying that a filter asks for.
#[derive(Debug)]
pub struct Tidy {
    /// Whether blanks around lines are removed.
    pub trim_lines: bool,
    strip_empty_lines: bool,
    collapse_empty_lines: bool,
    /// Number of preceding lines with which a line is compared; an equal one goes.
    window: usize,
    truncate_lines_at: Option<usize>,
}

impl Tidy {
    /// The tidying that `file` asks for.
    pub fn new(file: &FilterFile) -> Self {
        Self {
            trim_lines: file.trim_lines,
            strip_empty_lines: file.strip_empty_lines,
            collapse_empty_lines: file.collapse_empty_lines,
            window: file.dedup_window.unwrap_or(0).max(usize::from(file.dedup)),
            truncate_lines_at: file.truncate_lines_at,
        }
    }

    /// Drops empty lines, by `strip_empty_lines` or `collapse_empty_lines`.
    pub fn empties(&self, lines: &mut Lines<'_>) {
        if !self.strip_empty_lines && !self.collapse_empty_lines {
            return;
        }
        let empty: Vec<bool> = lines.iter().map(|line| line.trim_ascii().is_empty()).collect();
        let goes = |at: usize| empty[at] && (self.strip_empty_lines || at > 0 && empty[at - 1]);
        lines.cut((0..empty.len()).filter(|at| goes(*at)).map(Cut::line).collect());
    }

    /// Drops repeated lines, by `dedup` or `dedup_window`. Only lines that stay count for the window.
    pub fn dedup(&self, lines: &mut Lines<'_>) {
        if self.window == 0 {
            return;
        }
        // Only the lines of the window are held: a set of all lines would not fit the processor's caches.
        let (mut window, mut seen, mut cuts) = (VecDeque::new(), HashSet::new(), Vec::new());
        for (at, line) in lines.iter().enumerate() {
            let compared = (!line.trim_ascii().is_empty() && !is_settled(line)).then_some(line);
            if compared.is_some_and(|line| !seen.insert(line)) {
                cuts.push(Cut::line(at));
                continue;
            }
            window.push_back(compared);
            if window.len() > self.window
                && let Some(Some(old)) = window.pop_front()
            {
                seen.remove(old);
            }
        }
        let went = cuts.len();
        drop((window, seen));
        lines.cut(cuts);
        lines.leave_out(went);
    }

    /// Shortens long lines, by `truncate_lines_at`.
    pub fn truncate(&self, lines: &mut Lines<'_>) {
        let Some(limit) = self.truncate_lines_at else { return };
        for at in 0..lines.len() {
            if let Some(cut) = truncated(lines.get(at), limit) {
                lines.set(at, cut);
                lines.leave_out(1);
            }
        }
    }
}

/// Keeps only the first and last lines. A mark counts the removed lines where they stood. After a failure, lines that
/// may say why stay.
pub fn ends(lines: &mut Lines<'_>, head: Option<usize>, tail: Option<usize>, succeeded: bool) {
    if head.is_none() && tail.is_none() {
        return;
    }
    // Marks do not count as lines, so that an output that was cut is not cut again because of its marks.
    let told = |at: &usize| !is_mark(lines.get(*at));
    let first = head.unwrap_or(0).checked_sub(1).and_then(|last| (0..lines.len()).filter(told).nth(last));
    let start = if head > Some(0) { first.map_or(lines.len(), |at| at + 1) } else { 0 };
    let last =
        tail.unwrap_or(0).checked_sub(1).and_then(|last| (0..lines.len()).rev().filter(told).nth(last));
    let end = if tail > Some(0) { last.unwrap_or(0) } else { lines.len() }.max(start);
    let (mut cuts, mut went, mut from) = (Vec::new(), 0, start);
    for at in start..=end {
        let stays = at == end || is_mark(lines.get(at)) || !succeeded && says_why(lines.get(at));
        if stays {
            if at > from {
                cuts.push(Cut::counted(from, at, at - from, "more lines"));
                went += at - from;
            }
            from = at + 1;
        }
    }
    lines.cut(cuts);
    lines.leave_out(went);
}

/// Whether there are no lines, or only blank ones.
pub fn is_blank(lines: &Lines<'_>) -> bool {
    lines.iter().all(|line| line.trim_ascii().is_empty())
}

/// The line's first `limit` characters, and a mark with the length of the rest; `None` where the rest is no longer than
/// the mark costs.
fn truncated(line: &[u8], limit: usize) -> Option<Vec<u8>> {
    const COST: usize = 24;
    if line.len() <= limit + COST || is_settled(line) {
        return None;
    }
    let end = characters(line).nth(limit)?;
    let rest = characters(&line[end..]).count();
    (rest > COST).then(|| [&line[..end], format!("… {rest} more chars").as_bytes()].concat())
}

/// The positions at which the characters of a text begin.
pub fn characters(text: &[u8]) -> impl Iterator<Item = usize> {
    text.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 != 0x80).map(|(at, _)| at)
}

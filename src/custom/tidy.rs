//! What drops lines that say nothing new, shortens long ones and keeps ends only.

use std::collections::{HashSet, VecDeque};

use super::schema::FilterFile;
use crate::filter::lines::{Cut, Lines, is_mark, is_settled};
use crate::filter::says_why;

/// The tidying that a filter asks for.
#[derive(Debug)]
pub struct Tidy {
    /// Blanks around lines go.
    pub trim_lines: bool,
    strip_empty_lines: bool,
    collapse_empty_lines: bool,
    /// A line goes that is equal to one of this many before it.
    window: usize,
    truncate_lines_at: Option<usize>,
}

impl Tidy {
    /// What `file` asks for.
    pub fn new(file: &FilterFile) -> Self {
        Self {
            trim_lines: file.trim_lines,
            strip_empty_lines: file.strip_empty_lines,
            collapse_empty_lines: file.collapse_empty_lines,
            window: file.dedup_window.unwrap_or(0).max(usize::from(file.dedup)),
            truncate_lines_at: file.truncate_lines_at,
        }
    }

    /// `strip_empty_lines`, `collapse_empty_lines`.
    pub fn empties(&self, lines: &mut Lines<'_>) {
        if !self.strip_empty_lines && !self.collapse_empty_lines {
            return;
        }
        let empty: Vec<bool> = lines.iter().map(|line| line.trim_ascii().is_empty()).collect();
        let goes = |at: usize| empty[at] && (self.strip_empty_lines || at > 0 && empty[at - 1]);
        lines.cut((0..empty.len()).filter(|at| goes(*at)).map(Cut::line).collect());
    }

    /// `dedup`. Counted are the lines that stay.
    pub fn dedup(&self, lines: &mut Lines<'_>) {
        if self.window == 0 {
            return;
        }
        // Only the lines of the window are held: a map of all of them would not fit the processor's caches.
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

    /// `truncate_lines_at`.
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

/// Only the first and last lines stay; what went is counted where it stood, and after a failure what may say why stays.
pub fn ends(lines: &mut Lines<'_>, head: Option<usize>, tail: Option<usize>, succeeded: bool) {
    if head.is_none() && tail.is_none() {
        return;
    }
    // Marks are no lines of the tool's: what is cut once is not cut again because of them.
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

/// Whether nothing is to be read.
pub fn is_blank(lines: &Lines<'_>) -> bool {
    lines.iter().all(|line| line.trim_ascii().is_empty())
}

/// The line's first `limit` characters and what the rest was, where it is longer by more than that costs.
fn truncated(line: &[u8], limit: usize) -> Option<Vec<u8>> {
    const COST: usize = 24;
    if line.len() <= limit + COST || is_settled(line) {
        return None;
    }
    let starts = |(_, byte): &(usize, &u8)| **byte & 0xc0 != 0x80;
    let end = line.iter().enumerate().filter(starts).nth(limit).map(|(at, _)| at)?;
    let rest = line[end..].iter().enumerate().filter(starts).count();
    (rest > COST).then(|| [&line[..end], format!("… {rest} more chars").as_bytes()].concat())
}

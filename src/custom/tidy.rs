//! Drops lines that say nothing new, shortens long lines, and keeps only the first and last lines.

use std::collections::{HashSet, VecDeque};

use crate::failure::says_why;
use crate::filter::lines::{Cut, Lines, is_mark, is_settled};

/// Drops all empty lines, by `strip_empty_lines`, or all but the first of a run, by `collapse_empty_lines`.
pub fn empties(lines: &mut Lines<'_>, strip: bool, collapse: bool) {
    if !strip && !collapse {
        return;
    }
    let empty: Vec<bool> = lines.iter().map(|line| line.trim_ascii().is_empty()).collect();
    let goes = |at: usize| empty[at] && (strip || at > 0 && empty[at - 1]);
    lines.cut((0..empty.len()).filter(|at| goes(*at)).map(Cut::line).collect());
}

/// Drops lines that are equal to one of the `size` lines before them. Only lines that stay count.
pub fn dedup(lines: &mut Lines<'_>, size: usize) {
    if size == 0 {
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
        if window.len() > size
            && let Some(Some(old)) = window.pop_front()
        {
            seen.remove(old);
        }
    }
    lines.cut_out(cuts);
}

/// Shortens long lines, by `truncate_lines_at`.
pub fn truncate(lines: &mut Lines<'_>, limit: Option<usize>) {
    // What the mark costs, in bytes.
    const COST: usize = 24;
    let Some(limit) = limit else { return };
    for at in 0..lines.len() {
        let line = lines.get(at);
        if line.len() <= limit + COST || is_settled(line) {
            continue;
        }
        let Some(end) = characters(line).nth(limit) else { continue };
        let rest = characters(&line[end..]).count();
        if rest > COST {
            let cut = [&line[..end], format!("… {rest} more chars").as_bytes()].concat();
            lines.set(at, cut);
            lines.left_out += 1;
        }
    }
}

/// Keeps the first and last lines, with a mark for the others; after a failure also the lines that may say why.
pub fn ends(lines: &mut Lines<'_>, head: Option<usize>, tail: Option<usize>, succeeded: bool) {
    if head.is_none() && tail.is_none() {
        return;
    }
    // Marks do not count as lines, so that an output that was cut is not cut again because of its marks.
    let told = |at: &usize| !is_mark(lines.get(*at));
    let start = match head.unwrap_or(0).checked_sub(1) {
        Some(last) => (0..lines.len()).filter(told).nth(last).map_or(lines.len(), |at| at + 1),
        None => 0,
    };
    let end = match tail.unwrap_or(0).checked_sub(1) {
        Some(last) => (0..lines.len()).rev().filter(told).nth(last).unwrap_or(0).max(start),
        None => lines.len(),
    };
    let (mut cuts, mut from) = (Vec::new(), start);
    for at in start..=end {
        if at == end || is_mark(lines.get(at)) || !succeeded && says_why(lines.get(at)) {
            if at > from {
                cuts.push(Cut::counted(from, at, at - from, "more lines"));
            }
            from = at + 1;
        }
    }
    lines.cut_out(cuts);
}

/// Whether there are no lines, or only blank ones.
pub fn is_blank(lines: &Lines<'_>) -> bool {
    lines.iter().all(|line| line.trim_ascii().is_empty())
}

/// The positions at which the characters of a text begin.
pub fn characters(text: &[u8]) -> impl Iterator<Item = usize> {
    text.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 != 0x80).map(|(at, _)| at)
}

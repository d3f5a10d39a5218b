//! Rewrites lines (`[[replace]]`, `trim_lines`), drops those that say nothing new, shortens long ones, and keeps only the
//! first and last.

use std::collections::{HashSet, VecDeque};

use regex::bytes::Captures;

use super::schema::Replace;
use super::template::characters;
use super::value::{Budget, capture_names};
use crate::failure::says_why;
use crate::filter::lines::{Cut, Line, Lines, is_mark, is_settled};

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

impl Replace {
    fn apply(&self, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let pattern = self.pattern.get()?;
        let mut captures = pattern.captures_iter(line).peekable();
        captures.peek()?;
        let written = |captures: &Captures<'_>| self.output.with(&capture_names(pattern, captures), budget);
        if !self.all {
            return written(&captures.next()?);
        }
        let (mut out, mut copied) = (Vec::new(), 0);
        for captures in captures {
            let whole = captures.get(0)?;
            out.extend_from_slice(&line[copied..whole.start()]);
            out.extend(written(&captures)?);
            copied = whole.end();
        }
        out.extend_from_slice(&line[copied..]);
        Some(out)
    }
}

/// Runs the rules over every line. A rewritten line that is no part of the old line is flagged for a mark; so is one
/// that would change again, so that filtering twice is the same as filtering once. After a failure a line that may say
/// why stays as it is.
pub fn replace(rules: &[Replace], trim: bool, lines: &mut Lines<'_>, succeeded: bool) {
    if rules.is_empty() && !trim {
        return;
    }
    let budget = Budget::for_input(lines.iter().map(<[u8]>::len).sum());
    for at in 0..lines.len() {
        let line = lines.get(at);
        let fixed = rules.is_empty() || is_settled(line) || !succeeded && says_why(line);
        if let Some(new) = (!fixed).then(|| rewritten(rules, trim, line, &budget)).flatten() {
            let again = rewritten(rules, trim, &new, &budget);
            let is_part = memchr::memmem::find(line, &new).is_some();
            let rewritten = !is_part || again.is_some_and(|again| again != new);
            lines.all[at] = Line { text: new.into(), rewritten };
            lines.left_out += 1;
        } else if trim && line.trim_ascii().len() < line.len() && !is_settled(line) {
            let trimmed = line.trim_ascii().to_vec();
            lines.set(at, trimmed);
        }
    }
}

/// The line as the rules leave it, trimmed in the end; `None` where they do not change it.
fn rewritten(rules: &[Replace], trim: bool, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
    let apply =
        |new: Option<Vec<u8>>, rule: &Replace| rule.apply(new.as_deref().unwrap_or(line), budget).or(new);
    let mut new = rules.iter().fold(None, apply)?;
    for byte in new.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
    if trim || new.trim_ascii().is_empty() {
        new = new.trim_ascii().to_vec();
    }
    (new != line).then_some(new)
}

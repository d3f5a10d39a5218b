//! The notation of text: what lines share is said once (docs/notation.md).

mod again;
mod choice;
mod cost;
mod defaults;
mod drawn;
mod fields;
mod form;
mod forms;
mod grid;
mod headings;
mod keys;
mod names;
mod read;
mod row;
mod runs;
mod section;
mod tails;
mod template;
mod value;
mod ways;

use std::fmt::Write as _;

use super::expand::ends_in_note;
pub use read::{Wrong, is_notation, read};
use section::Part;
use template::MARK;
use ways::Ways;

/// Largest text that is written in the notation, in bytes. Of a larger one the tokens are only estimated, so that no
/// candidate can be compared with it, and no page would hold the result.
const LARGEST: usize = 2 << 20;

/// A line, and how many times it stands there in a row.
#[derive(Clone, Copy, Debug)]
struct Unit<'a> {
    text: &'a str,
    times: usize,
    /// Number of the first of these lines in the text, from 0.
    first: usize,
    /// Whether the line is a reference to `times` lines above.
    is_reference: bool,
}

/// The text in the notation, or `None` where that saves nothing. `why` tells whether a line says why a command failed.
///
/// Without `keep_blanks`, blanks, tabs and `\r` at the ends of lines are left out.
pub fn render(text: &str, keep_blanks: bool, why: fn(&[u8]) -> bool) -> Option<String> {
    if text.len() > LARGEST || text.contains('\0') || text.lines().nth(2).is_none() {
        return None;
    }
    let trimmed;
    let text = if keep_blanks {
        text
    } else {
        trimmed = trim(text);
        &trimmed
    };
    if text.lines().any(|line| line.starts_with('…')) || ends_in_note(text) {
        return None;
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    let units = units(body);
    for checked in [false, true] {
        let job = runs::Job { text, why, checked };
        let out = write(&units, text.ends_with('\n'), job)?;
        // The last row may look like a note although the line that it stands for does not.
        if !ends_in_note(&out) && read(&out, usize::MAX).as_deref() == Ok(text) {
            return Some(out);
        }
    }
    None
}

/// The lines in the notation, or `None` where none of them is part of a section, a tree, a reference or a repetition.
fn write<'a>(units: &[Unit<'a>], ends: bool, job: runs::Job<'a>) -> Option<String> {
    let total = units.last().map_or(0, |unit| unit.first + unit.times);
    let mut out = String::new();
    let mut ways = Ways::for_text(units.iter().map(|unit| unit.text.len() + 1).sum());
    let mut sections = units.iter().filter(|unit| unit.times > 1).count();
    let trees = drawn::find(units, |units| in_sections(units, job));
    let found: Vec<(again::Again, String)> = again::find(units, &trees)
        .into_iter()
        .map(|again| {
            let text = again.describe(units);
            (again, text)
        })
        .collect();
    let (units, places) = again::replace(units, &found);
    let _ = writeln!(out, "{MARK}{total} lines follow:");
    let head = out.len();
    let mut at = 0;
    for tree in &trees {
        sections += runs::write(&mut out, &units[at..places[tree.lines.start]], job, &mut ways);
        out.push_str(&tree.text);
        at = places[tree.lines.end];
    }
    let last = runs::write(&mut out, &units[at..], job, &mut ways);
    sections += last + trees.len() + found.len();
    if sections == 0 {
        return None;
    }
    // A section that is the whole text says itself how many lines there are.
    if trees.is_empty() && last == 1 && read::lines_of_first(&out[head..]) == Some(total as u64) {
        out.drain(..head);
    }
    if !ends {
        out.pop();
    }
    Some(out)
}

/// Estimated tokens of lines when they are written in sections.
fn in_sections(units: &[Unit<'_>], job: runs::Job<'_>) -> usize {
    let mut sections = String::new();
    let mut ways = Ways::for_text(0);
    runs::write(&mut sections, units, job, &mut ways);
    cost::about(&sections) + sections.lines().count()
}

/// The text without blanks, tabs and `\r` at the ends of its lines.
fn trim(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        out.push_str(line.trim_end_matches([' ', '\t', '\r']));
        out.push_str(end);
    }
    out
}

/// The lines of a text; a line that follows an equal one is counted instead of kept.
fn units(body: &str) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    for (number, line) in body.split('\n').enumerate() {
        match units.last_mut() {
            Some(last) if last.text == line && !line.is_empty() => last.times += 1,
            _ => units.push(Unit { text: line, times: 1, first: number, is_reference: false }),
        }
    }
    // Few or short repetitions are not worth a mark.
    let mut out = Vec::with_capacity(units.len());
    for unit in units {
        if unit.times > 1 && (unit.times - 1) * cost::about(unit.text) < 12 {
            out.extend((0..unit.times).map(|more| Unit { times: 1, first: unit.first + more, ..unit }));
        } else {
            out.push(unit);
        }
    }
    out
}

/// Estimated tokens of lines, each written once as it is.
fn about_lines(units: &[Unit<'_>]) -> usize {
    units.iter().map(|unit| cost::about(unit.text) + 1).sum()
}

/// Appends lines as they are, each repetition as a mark.
fn write_units(out: &mut String, units: &[Unit<'_>]) {
    for unit in units {
        out.push_str(unit.text);
        out.push('\n');
        if unit.times > 1 && !unit.is_reference {
            let _ = writeln!(out, "{MARK}×{}", unit.times);
        }
    }
}

impl<'a> Unit<'a> {
    fn part(&self, form: Option<usize>) -> Part<'a> {
        let form = form.filter(|_| !self.is_reference);
        Part { text: self.text, times: self.times, form, is_reference: self.is_reference }
    }
}

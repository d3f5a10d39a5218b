//! The notation of text: what lines share is said once (docs/notation.md).

mod again;
mod cost;
mod drawn;
mod fields;
mod grid;
mod headings;
mod names;
mod read;
mod runs;
mod section;
mod template;
mod value;

use std::fmt::Write as _;
use std::ops::Range;

pub use read::{Wrong, is_notation, read};
use section::Part;
use template::MARK;

/// Most bytes that a text may stand for when it is read back to be checked.
const CHECKED: usize = usize::MAX;

/// A larger text is left alone.
const LARGEST: usize = 1 << 20;

/// A line, and how often it stands one below the other.
#[derive(Clone, Copy, Debug)]
struct Unit<'a> {
    text: &'a str,
    times: usize,
    /// Number of its first line, from 0.
    first: usize,
}

/// Writes a text in the notation, or nothing where that saves nothing. `why` tells lines that say why a command
/// failed.
///
/// Without `keep_blanks` blanks at ends of lines are left out.
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
    if text.lines().any(|line| line.starts_with('…')) {
        return None;
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    let units = units(body);
    let total = units.last().map_or(0, |unit| unit.first + unit.times);
    let mut out = String::with_capacity(text.len() / 2);
    let mut at = 0;
    let mut sections = 0;
    for tree in drawn::find(&units) {
        sections += write_rest(&mut out, &units, at..tree.lines.start, why);
        out.push_str(&tree.text);
        sections += 1;
        at = tree.lines.end;
    }
    sections += write_rest(&mut out, &units, at..units.len(), why);
    if sections == 0 {
        return None;
    }
    let whole = sections == 1 && out.starts_with(MARK) && is_whole(&out, total);
    if !whole {
        let mut head = String::new();
        let _ = writeln!(head, "{MARK}{total} lines");
        out.insert_str(0, &head);
    }
    if !text.ends_with('\n') {
        out.pop();
    }
    (read(&out, CHECKED).as_deref() == Ok(text)).then_some(out)
}

/// Writes lines that are no tree: what stood above by reference, the others in sections; answers how many marks.
fn write_rest(out: &mut String, units: &[Unit<'_>], range: Range<usize>, why: fn(&[u8]) -> bool) -> usize {
    let mut at = range.start;
    let mut sections = 0;
    for again in again::find(&units[..range.end], range.start) {
        sections += runs::write(out, &units[at..again.start], why);
        again.write(out, units);
        sections += 1;
        at = again.end;
    }
    sections + runs::write(out, &units[at..range.end], why)
}

/// Whether the first section is the whole text.
fn is_whole(out: &str, total: usize) -> bool {
    is_notation(out)
        && read(out, CHECKED).is_ok_and(|back| back.bytes().filter(|&byte| byte == b'\n').count() == total)
}

/// The text without blanks at ends of lines.
fn trim(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        out.push_str(line.trim_end_matches([' ', '\t', '\r']));
        out.push_str(end);
    }
    out
}

/// Lines, those that are equal to the one above counted.
fn units(body: &str) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    for (number, line) in body.split('\n').enumerate() {
        match units.last_mut() {
            Some(last) if last.text == line && !line.is_empty() => last.times += 1,
            _ => units.push(Unit { text: line, times: 1, first: number }),
        }
    }
    // Few or short ones are not worth a mark.
    let mut out = Vec::with_capacity(units.len());
    for unit in units {
        if unit.times > 1 && (unit.times - 1) * cost::cost(unit.text) < 12 {
            out.extend((0..unit.times).map(|more| Unit { times: 1, first: unit.first + more, ..unit }));
        } else {
            out.push(unit);
        }
    }
    out
}

/// Appends lines as they are.
fn write_units(out: &mut String, units: &[Unit<'_>]) {
    for unit in units {
        out.push_str(unit.text);
        out.push('\n');
        if unit.times > 1 {
            let _ = writeln!(out, "{MARK}×{}", unit.times);
        }
    }
}

impl<'a> Unit<'a> {
    fn part(&self, form: Option<usize>) -> Part<'a> {
        Part { text: self.text, times: self.times, form }
    }
}

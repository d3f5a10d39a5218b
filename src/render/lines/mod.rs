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
mod read;
mod row;
mod runs;
mod section;
mod tails;
mod template;
mod unit;
mod value;
mod ways;

use std::borrow::Cow;
use std::fmt::Write as _;

use super::note::ends_in_note;
pub use read::{Wrong, is_notation, read};
use template::MARK;
use unit::{Unit, units};
use ways::Ways;

/// Largest text that is written in the notation, in bytes. Of a larger one the tokens are only estimated, so that no
/// candidate can be compared with it, and no page would hold the result.
const LARGEST: usize = 2 << 20;

/// The text in the notation, or `None` where that saves nothing. `why` tells whether a line says why a command failed.
///
/// Without `keep_blanks`, blanks, tabs and `\r` at the ends of lines are left out.
pub fn render(text: &str, keep_blanks: bool, why: fn(&[u8]) -> bool) -> Option<String> {
    if text.len() > LARGEST || text.contains('\0') || text.lines().nth(2).is_none() {
        return None;
    }
    let text = if keep_blanks { Cow::Borrowed(text) } else { Cow::Owned(trim(text)) };
    let text = &*text;
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
    let found = again::find(units, &trees);
    let mut references = found.iter().peekable();
    let _ = writeln!(out, "{MARK}{total} lines follow:");
    let head = out.len();
    let (mut at, mut last) = (0, 0);
    let parts = trees.iter().map(|tree| (tree.lines.clone(), &*tree.text));
    for (tree, text) in parts.chain([(units.len()..units.len(), "")]) {
        let part = again::replace(units, at..tree.start, &mut references);
        last = runs::write(&mut out, &part, job, &mut ways);
        sections += last;
        out.push_str(text);
        at = tree.end;
    }
    sections += trees.len() + found.len();
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
    runs::write(&mut sections, units, job, &mut Ways::for_text(0));
    cost::about(&sections) + sections.lines().count()
}

/// The text without blanks, tabs and `\r` at the ends of its lines.
fn trim(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches([' ', '\t', '\r'])).collect();
    lines.join("\n")
}

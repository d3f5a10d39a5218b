//! Stack traces: a line of one, and traces by themselves, as a program that crashed leaves them: Python, JavaScript, Java,
//! Go, Rust, Ruby.

use std::ops::Range;

use once_cell::sync::Lazy;

use super::super::record::{Part, PartKind, Place, Test, Verdict};
use super::super::section::{Family, Section, indent};
use super::super::table::Table;
use super::body;

include!(concat!(env!("OUT_DIR"), "/frame.rs"));

/// How a frame is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The nearest frame comes first in such a stack.
    First,
    /// It comes last, as in Python.
    Last,
    /// It names a package of a library; the project may be that library itself.
    Library,
}

/// A frame; its place where the line has one.
#[derive(Clone, Copy)]
pub struct Frame<'t> {
    pub place: Option<Place<'t>>,
    act: Act,
}

impl Frame<'_> {
    /// Whether the nearest frame comes last in such a stack.
    pub fn is_nearest_last(&self) -> bool {
        self.act == Act::Last
    }

    /// Whether the frame is in a library or a runtime rather than in the project.
    pub fn is_foreign(&self) -> bool {
        self.act == Act::Library || self.place.is_none_or(|place| place.is_foreign())
    }
}

/// The frame on a line.
pub fn frame(text: &str) -> Option<Frame<'_>> {
    let rule = TABLE.as_ref()?.rule(text)?;
    Some(Frame { place: rule.groups(text).place(), act: rule.act })
}

/// The line above the frames of a traceback of Python's.
pub const TRACEBACK: &str = "Traceback (most recent call last):";

/// The place at the start of a text, if it is in the project.
pub fn own_place(text: &str) -> Option<Place<'_>> {
    Place::parse(text).map(|(place, _)| place).filter(|place| !place.is_foreign())
}

/// Whether a line is the first of a panic of Rust's: `thread 'x' panicked at src/lib.rs:12:5:`.
pub fn is_panic(line: &str) -> bool {
    line.trim_start().starts_with("thread '") && line.contains(" panicked at ")
}

pub fn read(section: &mut Section<'_>, _: &Family) {
    section.each_free(|section, at| {
        if let Some(front) = front(section, at) {
            return Some(behind_front(section, at, front));
        }
        let (lines, test) = trace(section, at)?;
        section.add(lines.clone(), test);
        Some(lines.end)
    });
}

/// The prefix of every line of a traceback: `INTERNALERROR> `, or the bar of a group of exceptions (`  | `).
fn front<'t>(section: &Section<'t>, at: usize) -> Option<&'t str> {
    let before = section.text(at).trim_end().strip_suffix(TRACEBACK)?;
    let next = section.text(at + 1);
    let front = match before.strip_suffix("+ Exception Group ") {
        Some(depth) => next.get(..depth.len() + 2)?,
        None => before,
    };
    (!front.trim().is_empty() && next.starts_with(front)).then_some(front)
}

/// Reads the traces of the lines that have the prefix `front`, without it. Returns the line behind them.
fn behind_front<'t>(section: &mut Section<'t>, start: usize, front: &'t str) -> usize {
    let bare = front.trim_end();
    let end = section.while_free(start + 1, |at| section.text(at).starts_with(bare));
    let mut own = Section::new("", section.lines[start..end].to_vec());
    for line in &mut own.lines {
        line.text = line.text.strip_prefix(front).unwrap_or("");
    }
    // A group's heading has a cross instead of the bar.
    own.lines[0].text = TRACEBACK;
    own.each_free(|own, at| {
        let (lines, mut test) = trace(own, at)?;
        if front.contains(char::is_alphanumeric) {
            test.id.insert_str(0, front.trim_start());
        }
        section.add(start + lines.start..start + lines.end, test);
        Some(lines.end)
    });
    end
}

/// The trace that begins at a line.
fn trace<'t>(section: &Section<'t>, at: usize) -> Option<(Range<usize>, Test<'t>)> {
    crash(section, at).or_else(|| stack(section, at))
}

/// The trace whose first line says what happened.
fn stack<'t>(section: &Section<'t>, at: usize) -> Option<(Range<usize>, Test<'t>)> {
    let line = section.text(at).trim();
    // Robot Framework tells of no frames, too.
    if line == TRACEBACK && section.text(at + 1).trim() != "None" {
        return Some(python(section, at));
    }
    let behind = at + if is_highlighted(section, at) { 4 } else { 1 };
    let next = section.text(behind);
    let is_rust = is_panic(line);
    let is_go = (line.starts_with("panic: ") || line.starts_with("fatal error: "))
        && (at + 1..at + 8).any(|at| section.text(at).starts_with("goroutine "));
    let is_headed = (next.starts_with("    at ") || next.starts_with("\tat ") || next.starts_with("\tfrom "))
        && frame(next).is_some()
        && !line.is_empty()
        && !is_mark(line)
        // The message may be missing.
        && !(line.starts_with("at ") && frame(section.text(at)).is_some());
    if !(is_rust || is_go || is_headed) {
        return None;
    }
    let end = end(section, behind, is_rust, is_go);
    let panicked = line.split_once(" panicked at ").and_then(|(_, behind)| Place::parse(behind));
    let place = panicked.map(|(place, _)| place);
    let mut test = Test { place, ..Test::new(line, Verdict::Error) };
    // Of Ruby's the first line is a frame, too.
    let own = at..at + usize::from(is_headed && line.contains(".rb:"));
    body::read(section, own.chain(behind..end), &mut test);
    test.place = place.or(test.place);
    if behind > at + 1 {
        test.why.insert(0, Part::new(PartKind::Source, section.block(at + 2..at + 3)));
    }
    Some((at..end, test))
}

/// Whether Ruby shows the code at fault below the error on a line: an empty line, the code, and marks below it.
fn is_highlighted(section: &Section<'_>, at: usize) -> bool {
    section.text(at).contains(".rb:") && section.text(at + 1).is_empty() && is_mark(section.text(at + 3))
}

/// Whether a line only points at the one above.
fn is_mark(line: &str) -> bool {
    line.contains('^') && line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'^'))
}

/// An error that nobody caught, as node tells it: its place, the statement, a mark below, an empty line, the error with
/// its stack.
fn crash<'t>(section: &Section<'t>, at: usize) -> Option<(Range<usize>, Test<'t>)> {
    if !is_mark(section.text(at + 2)) || !section.text(at + 3).is_empty() {
        return None;
    }
    let line = section.text(at);
    let place = Place::whole(line.strip_prefix("file://").unwrap_or(line));
    // Of the runtime's own the statement says nothing.
    let is_internal = line.starts_with("node:") && !line.contains(' ');
    if place.is_none() && !is_internal {
        return None;
    }
    let (lines, mut test) = stack(section, at + 4)?;
    test.place = test.place.or(place);
    if !is_internal && test.why.iter().all(|part| part.kind != PartKind::Source) {
        test.why.insert(0, Part::new(PartKind::Source, section.block(at + 1..at + 2)));
    }
    Some((at..lines.end, test))
}

/// The line behind a stack: frames, the functions above their places, the causes.
fn end(section: &Section<'_>, from: usize, is_rust: bool, is_go: bool) -> usize {
    let mut end = from;
    for at in from..section.lines.len() {
        let line = section.text(at);
        let text = line.trim();
        let is_cause =
            text.starts_with("Caused by: ") || text.starts_with("... ") || text.starts_with("Suppressed: ");
        let is_message = is_rust && (at == from || indent(line) > 0 || text.starts_with("stack backtrace:"));
        let is_go = is_go
            && (text.is_empty()
                || line.ends_with(')')
                || line.starts_with(['\t', '['])
                || text.starts_with("goroutine ")
                || text.starts_with("created by "));
        let is_note = is_rust && text.starts_with("note: ");
        if frame(line).is_some() || is_cause || is_message || is_note {
            end = at + 1;
        } else if !is_go {
            break;
        }
    }
    end
}

/// A Python traceback. The exception's line is the first one behind the frames that is not indented more than the
/// heading; traces that led to another are one with it.
fn python<'t>(section: &Section<'t>, start: usize) -> (Range<usize>, Test<'t>) {
    let depth = indent(section.text(start));
    let mut at = start + 1;
    let mut last = start;
    while at < section.lines.len() {
        let line = section.text(at);
        if !line.trim().is_empty() && indent(line) <= depth {
            last = at;
            let next = section.skip_blank(at + 1);
            let is_chain = section.text(next).contains("exception occurred:")
                || section.text(next).contains("was the direct cause");
            let again = section.skip_blank(next + 1);
            if !(is_chain && section.text(again).trim() == TRACEBACK) {
                break;
            }
            at = again;
        }
        at += 1;
    }
    let mut test = Test::new(section.text(last).trim(), Verdict::Error);
    body::read(section, start + 1..last.max(start + 1), &mut test);
    if last > start {
        return (start..last + 1, test);
    }
    // Cut off before its exception.
    let end = at.min(section.lines.len());
    test.add(PartKind::Library, "", section.block(start + 1..end));
    (start..end, test)
}

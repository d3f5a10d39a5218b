//! The lines of a text, each with the number of times that it stands there in a row.

use std::fmt::Write as _;

use super::cost::about;
use super::template::MARK;
use super::value::is_indented;

/// A line, and how many times it stands there in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit<'a> {
    pub(super) text: &'a str,
    pub(super) times: usize,
    /// Number of the first of these lines in the text, from 0.
    pub(super) first: usize,
    /// Whether the line is a reference to `times` lines above.
    pub(super) is_reference: bool,
}

impl Unit<'_> {
    pub(super) fn is_repeated(&self) -> bool {
        self.times > 1 && !self.is_reference
    }

    /// Whether the line needs a mark where it is written whole among rows.
    pub(super) fn needs_mark(&self) -> bool {
        !self.is_reference && !is_indented(self.text)
    }

    /// Appends the mark that says how many times the line stands there, if more than once.
    pub(super) fn write_times(&self, out: &mut String) {
        if self.is_repeated() {
            let _ = writeln!(out, "{MARK}×{}", self.times);
        }
    }
}

/// The lines of a text; a line that follows an equal one is counted instead of kept.
pub(super) fn units(body: &str) -> Vec<Unit<'_>> {
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
        if unit.times > 1 && (unit.times - 1) * about(unit.text) < 12 {
            out.extend((0..unit.times).map(|more| Unit { times: 1, first: unit.first + more, ..unit }));
        } else {
            out.push(unit);
        }
    }
    out
}

/// Estimated tokens of lines, each written once as it is.
pub(super) fn about_lines(units: &[Unit<'_>]) -> usize {
    units.iter().map(|unit| about(unit.text) + 1).sum()
}

/// Appends lines as they are, each repetition as a mark.
pub(super) fn write_units(out: &mut String, units: &[Unit<'_>]) {
    for unit in units {
        out.push_str(unit.text);
        out.push('\n');
        unit.write_times(out);
    }
}

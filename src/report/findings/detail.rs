//! What stands behind a finding's line: its excerpt of the source, notes, more of its message.

use super::super::record::{Finding, Place, Severity};
use super::super::section::{Records, Section, indent};

/// What the indented lines behind a finding are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Indented {
    /// No part of the finding.
    No,
    /// More of the finding's message.
    Message,
    /// Notes.
    Notes,
}

/// What may stand behind the line of a tool's finding.
#[derive(Clone, Copy)]
pub struct Behind {
    /// What indented lines are, other than an excerpt.
    pub indented: Indented,
    /// The prefix of every such line: Maven's `[ERROR] `.
    pub front: &'static str,
    /// Reads a line that may be a note to the finding before it.
    pub note: for<'t> fn(&'t str) -> Option<Finding<'t>>,
    /// The block behind some messages.
    pub block: Option<Block>,
    /// Whether a line leads to a finding (`In file included from …`).
    pub leads: fn(&str) -> bool,
}

/// For a tool whose findings stand alone, or with an excerpt.
pub const PLAIN: Behind =
    Behind { indented: Indented::No, front: "", note: |_| None, block: None, leads: |_| false };

/// A block of lines behind a message: the code that pylint found twice.
#[derive(Clone, Copy)]
pub struct Block {
    /// Beginning of the message.
    pub message: &'static str,
    /// Beginning of those lines of the block that belong to the message.
    pub line: &'static str,
    /// End of the block's last line.
    pub last: &'static str,
}

/// The number and the source of a line of an excerpt: `   40 | int x;`, `      |     ^`.
fn gutter(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches(' ');
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let rest = rest.trim_start_matches(' ').strip_prefix('|')?;
    (line.starts_with(' ') || digits > 0).then_some((number, rest))
}

/// Whether a line marks a part of the line above: blanks, `^`, `~` and labels' bars.
pub fn is_mark(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'^' | b'~' | b'|' | b'-'))
        && line.bytes().any(|byte| matches!(byte, b'^' | b'~'))
}

/// Reads the lines behind a finding at `at`. Returns the first line that is not part of the finding.
pub fn read<'t>(
    section: &Section<'t>,
    records: &Records<'t>,
    at: usize,
    behind: &Behind,
    finding: &mut Finding<'t>,
) -> usize {
    let mut of_note = false;
    let mut at = at + 1;
    if let Some(block) = behind.block.filter(|block| finding.message[0].starts_with(block.message)) {
        return read_block(section, records, at, block, finding);
    }
    while records.is_free(at) {
        let line = section.text(at);
        if let Some((number, source)) = gutter(line) {
            if !of_note && finding.source.is_empty() && !number.is_empty() {
                finding.source.push(section.quote(at, source.trim()));
            }
            at += 1;
        } else if is_mark(section.text(at + 1)) && !line.is_empty() && (behind.note)(line).is_none() {
            if !of_note && finding.source.is_empty() {
                finding.source.push(section.quote(at, line.trim()));
            }
            let mark = indent(section.text(at + 1));
            at += 2;
            // Below the mark: what the tool suggests in its place.
            while records.is_free(at)
                && indent(section.text(at)) >= mark.max(1)
                && !section.text(at).trim().is_empty()
            {
                at += 1;
            }
        } else if let Some(found) = note(section, at, behind) {
            finding.notes.push(section.said(found));
            of_note = true;
            at = found + 1;
        } else if is_detail(line, behind) {
            let said = section.quote(at, line.strip_prefix(behind.front).unwrap_or(line).trim());
            match behind.indented {
                Indented::Message => finding.message.push(said.text.into()),
                _ => finding.notes.push(said),
            }
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Most lines of a block.
const LONGEST: usize = 400;

fn read_block<'t>(
    section: &Section<'t>,
    records: &Records<'t>,
    start: usize,
    block: Block,
    finding: &mut Finding<'t>,
) -> usize {
    let most = section.lines.len().min(start + LONGEST);
    let end = section.find(start, most, |line| line.trim_end().ends_with(block.last));
    if end == most || !(start..=end).all(|at| records.is_free(at)) {
        return start;
    }
    let said = (start..end).map(|at| section.text(at).trim_end()).filter(|line| line.starts_with(block.line));
    finding.message.extend(said.map(Into::into));
    end + 1
}

fn is_detail(line: &str, behind: &Behind) -> bool {
    let line = line.strip_prefix(behind.front).unwrap_or(line);
    behind.indented != Indented::No && line.starts_with([' ', '\t']) && !line.trim().is_empty()
}

/// The line of a note, at `at` or behind lines that only lead to the note.
fn note(section: &Section<'_>, at: usize, behind: &Behind) -> Option<usize> {
    let at = (at..section.lines.len()).find(|at| !(behind.leads)(section.text(*at)))?;
    let is_note = (behind.note)(section.text(at)).is_some_and(|note| note.severity == Severity::Note);
    is_note.then_some(at)
}

/// A finding of these parts.
pub fn finding<'t>(
    place: Option<Place<'t>>,
    word: &'t str,
    severity: Severity,
    code: &'t str,
    message: &'t str,
) -> Finding<'t> {
    Finding {
        place,
        severity,
        word,
        code,
        message: vec![message.into()],
        source: Vec::new(),
        notes: Vec::new(),
    }
}

//! The reader of tools whose findings begin with a line of a known form. Behind that line may stand an excerpt of the
//! source, notes, more of the message.

use super::super::maps::HashSet;
use super::super::record::{Dropped, Finding, Severity, What};
use super::super::section::{Family, Section, indent};
use super::form::Form;
use super::pattern;

/// A tool, or several that write alike.
pub struct Tool {
    /// The forms of a finding, tried on every line in this order.
    pub forms: &'static [Form],
    /// The severity of a finding that has neither a word for it nor a code.
    pub severity: Severity,
    /// What indented lines behind a finding are, other than an excerpt.
    pub indented: Indented,
    /// The prefix of every such line: Maven's `[ERROR] `.
    pub front: &'static str,
    /// Lines that lead to a finding (`In file included from …`). In other locales the words differ, and the lines stay. Of
    /// a tool with such lines one of the first form, with the word `note` and no code, is a note to the finding before it.
    pub leads: &'static [&'static str],
    /// Extensions of the tool's files; empty if the tool reads every kind.
    pub extensions: &'static [&'static str],
    /// Behind such a line, findings that were told before are listed again.
    pub again: &'static [&'static str],
}

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

/// What most tools have in common: findings stand alone, or with an excerpt.
pub const TOOL: Tool = Tool {
    forms: &[],
    severity: Severity::Note,
    indented: Indented::No,
    front: "",
    leads: &[],
    extensions: &[],
    again: &[],
};

impl Tool {
    /// Whether the tool reads files with this path's extension.
    pub fn is_file(&self, path: &str) -> bool {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.extensions.is_empty() || self.extensions.contains(&extension)
    }

    fn is_lead(&self, line: &str) -> bool {
        pattern::is_like_any(line, self.leads)
    }

    fn is_note(&self, line: &str) -> bool {
        // Most lines are no notes, and reading them by the form costs as much as reading a finding.
        let is_note = |finding: Finding<'_>| finding.word == "note" && finding.code.is_empty();
        !self.leads.is_empty()
            && memchr::memmem::find(line.as_bytes(), b": note: ").is_some()
            && self.forms[0].read(line).is_some_and(is_note)
    }
}

/// Reads the findings of a tool, then its totals, and drops its headings.
pub fn read(section: &mut Section<'_>, family: &Family, tool: &Tool) {
    let (mut seen, mut is_again, mut found) = (HashSet::default(), false, false);
    let (mut at, mut behind) = (0, 0);
    while at < section.lines.len() {
        let line = section.text(at);
        let finding = if section.is_free(at) { finding(line, tool) } else { None };
        let Some(mut finding) = finding else {
            is_again |= found && pattern::is_like_any(line.trim_end(), tool.again);
            at += 1;
            continue;
        };
        if finding.place.is_some_and(|place| place.is_foreign() || place.file.starts_with("/usr/")) {
            // Otherwise it would be unknown what included a library's header.
            let is_lead = |at: &usize| tool.is_lead(section.text(*at));
            let led = (behind..at).rev().take_while(is_lead).last().unwrap_or(at);
            let from = (led..at).map(|at| section.said(at)).filter(|said| said.text.contains("from "));
            finding.notes.extend(from);
        }
        let end = details(section, at + 1, tool, &mut finding);
        let is_known =
            !tool.again.is_empty() && !seen.insert((finding.place, finding.code, finding.message[0].clone()));
        let what = if is_again && is_known { What::Dropped(Dropped::Repeated) } else { finding.into() };
        found |= section.add(at..end, what);
        (at, behind) = (end, end);
    }
    section.totals(family.success);
    if found {
        section.drop_headings(|line| tool.is_lead(line));
        section.totals(family.totals);
        section.headings(family.headings);
    }
}

/// The finding on a line, in one of the tool's forms.
pub fn finding<'t>(line: &'t str, tool: &Tool) -> Option<Finding<'t>> {
    let mut found = tool.forms.iter().find_map(|form| form.read(line))?;
    if found.word.is_empty() && found.code.is_empty() {
        found.severity = tool.severity;
    }
    // Behind several blanks stands the line that a search found.
    let is_message = !found.message[0].starts_with(' ');
    (is_message && found.place.is_none_or(|place| tool.is_file(place.file))).then_some(found)
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
        && line.contains(['^', '~'])
}

/// Reads the lines behind a finding, from `at` on. Returns the first line that is not part of the finding.
pub fn details<'t>(section: &Section<'t>, mut at: usize, tool: &Tool, finding: &mut Finding<'t>) -> usize {
    if finding.message[0].starts_with("Similar lines in ") {
        return twins(section, at, finding);
    }
    let (mut of_note, mut is_found) = (false, false);
    let at_fault = finding.place.map(|place| place.line);
    while section.is_free(at) {
        let line = section.text(at);
        if let Some((number, source)) = gutter(line) {
            // Lines around the one at fault may stand in front of that line.
            let is_it = at_fault.is_some() && number.parse().ok() == at_fault;
            if !of_note && !number.is_empty() && (is_it || finding.source.is_empty() && !is_found) {
                let said = Some(source.trim()).filter(|source| !source.is_empty());
                finding.source = said.map(|source| section.quote(at, source)).into_iter().collect();
            }
            is_found |= is_it;
            at += 1;
        } else if is_mark(section.text(at + 1)) && !line.is_empty() && !tool.is_note(line) {
            if !of_note && finding.source.is_empty() {
                finding.source.push(section.quote(at, line.trim()));
            }
            let mark = indent(section.text(at + 1)).max(1);
            // Below the mark: what the tool suggests in its place, or parentheses around it.
            let is_around = |line: &str| indent(line) > 0 && line.bytes().all(|byte| b" ()".contains(&byte));
            at = section.while_free(at + 2, |at| {
                let line = section.text(at);
                !line.trim().is_empty() && (indent(line) >= mark || is_around(line))
            });
        } else if let Some(found) = note(section, at, tool) {
            finding.notes.push(section.said(found));
            of_note = true;
            at = found + 1;
        } else if is_detail(line, tool) {
            let said = section.quote(at, line.strip_prefix(tool.front).unwrap_or(line).trim());
            match tool.indented {
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

/// Most lines of code found twice.
const LONGEST: usize = 400;

/// pylint's: adds the files of code found twice to the message, and skips the code. Returns the line behind it.
fn twins<'t>(section: &Section<'t>, start: usize, finding: &mut Finding<'t>) -> usize {
    let most = section.lines.len().min(start + LONGEST);
    let end = section.find(start, most, |line| line.trim_end().ends_with("(duplicate-code)"));
    if end == most || section.while_free(start, |at| at <= end) <= end {
        return start;
    }
    let said = (start..end).map(|at| section.text(at).trim_end()).filter(|line| line.starts_with("=="));
    finding.message.extend(said.map(Into::into));
    end + 1
}

fn is_detail(line: &str, tool: &Tool) -> bool {
    tool.indented != Indented::No && {
        let line = line.strip_prefix(tool.front).unwrap_or(line);
        line.starts_with([' ', '\t']) && !line.trim().is_empty()
    }
}

/// The line of a note, at `at` or behind lines that only lead to the note.
fn note(section: &Section<'_>, at: usize, tool: &Tool) -> Option<usize> {
    let at = (at..section.lines.len()).find(|at| !tool.is_lead(section.text(*at)))?;
    tool.is_note(section.text(at)).then_some(at)
}

//! Terraform and `OpenTofu`, `CMake`: a headline, then a place and sentences below.

use std::borrow::Cow;

use super::super::record::{Finding, Place, Severity, number};
use super::super::section::{Family, Section, indent};
use super::{form, word};

/// A line without the box that Terraform draws on a terminal.
fn unboxed(line: &str) -> &str {
    line.strip_prefix("│ ").or_else(|| line.strip_prefix('│')).unwrap_or(line)
}

pub fn terraform(section: &mut Section<'_>, family: &Family) {
    section.each_free(|section, at| {
        let mut finding = headline(unboxed(section.text(at)))?;
        let is_boxed = section.text(at).starts_with('│');
        let end = section.while_free(at + 1, |at| terraform_line(section, at, is_boxed, &mut finding));
        // A headline alone is a line of a log.
        if finding.place.is_some() || is_boxed {
            section.add(at..end, finding);
        }
        Some(end)
    });
    section.drop_headings(|line| matches!(line.trim(), "╷" | "╵"));
    section.totals(family.totals);
}

/// Reads a line below a headline; returns whether the line belongs to the finding. Sentences without a box end at the
/// first empty line.
fn terraform_line<'t>(section: &Section<'t>, at: usize, is_boxed: bool, finding: &mut Finding<'t>) -> bool {
    let line = section.text(at);
    let text = unboxed(line);
    if is_boxed && !line.starts_with('│')
        || !is_boxed && headline(line).is_some()
        || line.starts_with(['╵', '╷'])
        || line.contains(".tftest.hcl... ")
    {
        return false;
    }
    if let Some(place) = on_line(text) {
        finding.place = Some(place);
    } else if let Some((_, source)) =
        number(text.trim_start()).filter(|(_, rest)| rest.starts_with(": ") && indent(text) > 0)
    {
        if finding.source.is_empty() {
            finding.source.push(section.quote(at, source[2..].trim()));
        }
    } else if let Some(value) = text.trim_start().strip_prefix("│ ").filter(|_| indent(text) > 2) {
        finding.notes.push(section.quote(at, value.trim()));
    } else if let Some(resource) = text.strip_prefix("  with ") {
        finding.notes.push(section.quote(at, resource.trim_end().trim_end_matches(',')));
    } else if text.trim().is_empty() {
        return is_boxed || finding.message.len() == 1;
    } else if !text.trim_start().starts_with('├') {
        // Sentences that were wrapped to the terminal's width.
        match finding.message.get_mut(1) {
            Some(said) => said.to_mut().extend([" ", text.trim()]),
            None => finding.message.push(Cow::Borrowed(text.trim())),
        }
    }
    true
}

fn headline(line: &str) -> Option<Finding<'_>> {
    let (word, message) = line.split_once(": ").filter(|(word, _)| matches!(*word, "Error" | "Warning"))?;
    Some(Finding::new(None, word, word::severity(word)?, "", message.trim_end()))
}

/// `  on main.tf line 5, in resource "terraform_data" "web":`.
fn on_line(text: &str) -> Option<Place<'_>> {
    let (file, rest) = text.strip_prefix("  on ")?.split_once(" line ")?;
    let (line, rest) = number(rest)?;
    rest.starts_with([',', ':']).then_some(Place { file, line, column: None })
}

pub fn cmake(section: &mut Section<'_>, family: &Family) {
    let found = section.each_finding(|section, at| {
        let mut finding = cmake_head(section.text(at))?;
        let end = paragraphs(section, at + 1, &mut finding);
        let end = stack(section, end, &mut finding);
        Some((finding, end))
    });
    let configured = section.lines.iter().any(|line| line.text.starts_with("-- Configuring "));
    section.totals(family.totals);
    if found || configured {
        section.headings(family.headings);
    }
}

/// Reads paragraphs, which are indented by two, wrapped to a width and parted by empty lines. Returns the line behind
/// them.
fn paragraphs<'t>(section: &Section<'t>, at: usize, finding: &mut Finding<'t>) -> usize {
    let is_of = |line: &str| line.trim().is_empty() || line.starts_with("  ");
    let mut end = section.while_free(at, |at| is_of(section.text(at)));
    while end > at && section.text(end - 1).trim().is_empty() {
        end -= 1;
    }
    let said: Vec<_> = (at..end).map(|at| section.text(at).trim()).collect();
    let paragraphs = said.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    finding.message.extend(paragraphs.map(|lines| Cow::Owned(lines.join(" "))));
    end
}

/// Reads the call stack, and `CMake`'s remark on warnings for developers. Returns the line behind them.
fn stack<'t>(section: &Section<'t>, mut at: usize, finding: &mut Finding<'t>) -> usize {
    if section.text(at).starts_with("Call Stack (most recent call first):") {
        let end = section.while_free(at + 1, |at| section.text(at).starts_with("  "));
        finding.notes.extend((at + 1..end).map(|at| section.quote(at, section.text(at).trim())));
        at = end;
    }
    at + usize::from(section.text(at).starts_with("This warning is for project developers."))
}

/// `CMake`'s words for a severity; the longer word first.
const KINDS: &[(&str, Severity)] = &[
    ("Deprecation Error", Severity::Error),
    ("Deprecation Warning", Severity::Warning),
    ("Error", Severity::Error),
    ("Warning", Severity::Warning),
];

/// `CMake Error at CMakeLists.txt:3 (find_package):`, `CMake Error: …`.
fn cmake_head(line: &str) -> Option<Finding<'_>> {
    let rest = line.strip_prefix("CMake ")?;
    let (word, severity) = *KINDS.iter().find(|(word, _)| rest.starts_with(word))?;
    let rest = &rest[word.len()..];
    if let Some(message) = rest.strip_prefix(": ") {
        return Some(Finding::new(None, word, severity, "", message));
    }
    let (place, rest) = form::colons(rest.strip_prefix(" (dev)").unwrap_or(rest).strip_prefix(" at ")?)?;
    let command = rest.trim().strip_prefix('(')?.strip_suffix("):")?;
    Some(Finding { place: Some(place), word, severity, code: command, ..Finding::default() })
}

//! Terraform and `OpenTofu`, `CMake`: a headline, then a place and sentences below.

use std::borrow::Cow;

use super::super::family::Family;
use super::super::record::{Finding, Place, Severity, number};
use super::super::section::{Records, Section, indent};
use super::form;
use super::pattern;

/// terraform, tofu: validate, plan, apply.
pub const TERRAFORM: Family = Family {
    name: "terraform",
    signs: &["Error: ", "Warning: ", "Success! The configuration is valid"],
    read: terraform,
};
/// cmake.
pub const CMAKE: Family = Family {
    name: "cmake",
    signs: &["CMake Error", "CMake Warning", "CMake Deprecation Warning", "-- Configuring done"],
    read: cmake,
};

/// A line without the box that Terraform draws on a terminal.
fn unboxed(line: &str) -> &str {
    line.strip_prefix("│ ").or_else(|| line.strip_prefix('│')).unwrap_or(line)
}

fn terraform<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    records.each_free(|records, at| {
        let mut finding = headline(unboxed(section.text(at)))?;
        let is_boxed = section.text(at).starts_with('│');
        let mut end = at + 1;
        while records.is_free(end) && terraform_line(section, end, is_boxed, &mut finding) {
            end += 1;
        }
        // A headline alone is a line of a log.
        if finding.place.is_some() || is_boxed {
            records.add(at..end, finding);
        }
        Some(end)
    });
    records.drop_headings(section, |line| matches!(line.trim(), "╷" | "╵"));
    pattern::totals(section, records, &["Success! The configuration is valid*"]);
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
    if let Some((place, _)) = on_line(text) {
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
            Some(said) => *said = Cow::Owned(format!("{said} {}", text.trim())),
            None => finding.message.push(Cow::Borrowed(text.trim())),
        }
    }
    true
}

fn headline(line: &str) -> Option<Finding<'_>> {
    let (word, severity) = [("Error", Severity::Error), ("Warning", Severity::Warning)]
        .into_iter()
        .find(|(word, _)| line.starts_with(word))?;
    let message = line[word.len()..].strip_prefix(": ")?.trim_end();
    Some(super::detail::finding(None, word, severity, "", message))
}

/// `  on main.tf line 5, in resource "terraform_data" "web":`.
fn on_line(text: &str) -> Option<(Place<'_>, &str)> {
    let (file, rest) = text.strip_prefix("  on ")?.split_once(" line ")?;
    let (line, rest) = number(rest)?;
    (rest.starts_with([',', ':'])).then_some((Place { file, line, column: None }, rest))
}

fn cmake<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let mut found = false;
    records.each_free(|records, at| {
        let mut finding = cmake_head(section.text(at))?;
        let end = paragraphs(section, records, at + 1, &mut finding);
        let end = stack(section, records, end, &mut finding);
        found |= records.add(at..end, finding);
        Some(end)
    });
    let configured = section.lines.iter().any(|line| line.text.starts_with("-- Configuring "));
    pattern::totals(
        section,
        records,
        &[
            "-- Configuring incomplete, errors occurred!",
            "-- Configuring done*",
            "-- Generating done*",
            "-- Build files have been written to: *",
        ],
    );
    if found || configured {
        pattern::headings(
            section,
            records,
            &[
                "-- The * compiler identification is *",
                "-- Detecting *",
                "-- Check for working *",
                "-- Looking for * - found",
                "-- Performing Test * - Success",
                "See also \"*",
            ],
        );
    }
}

/// Reads paragraphs, which are indented by two, wrapped to a width and parted by empty lines. Returns the line behind
/// them.
fn paragraphs<'t>(
    section: &Section<'t>,
    records: &Records<'t>,
    mut at: usize,
    finding: &mut Finding<'t>,
) -> usize {
    let mut is_new = true;
    let mut next = at;
    while records.is_free(next) {
        let line = section.text(next);
        if line.trim().is_empty() {
            is_new = true;
        } else if line.starts_with("  ") {
            match finding.message.last_mut() {
                Some(last) if !is_new => *last = Cow::Owned(format!("{last} {}", line.trim())),
                _ => finding.message.push(Cow::Borrowed(line.trim())),
            }
            is_new = false;
            at = next + 1;
        } else {
            break;
        }
        next += 1;
    }
    at
}

/// Reads the call stack, and `CMake`'s remark on warnings for developers. Returns the line behind them.
fn stack<'t>(
    section: &Section<'t>,
    records: &Records<'t>,
    mut at: usize,
    finding: &mut Finding<'t>,
) -> usize {
    if section.text(at).starts_with("Call Stack (most recent call first):") {
        at += 1;
        while records.is_free(at) && section.text(at).starts_with("  ") {
            finding.notes.push(section.quote(at, section.text(at).trim()));
            at += 1;
        }
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
        return Some(super::detail::finding(None, word, severity, "", message));
    }
    let (place, rest) = form::colons(rest.strip_prefix(" (dev)").unwrap_or(rest).strip_prefix(" at ")?)?;
    let command = rest.trim().strip_prefix('(')?.strip_suffix("):")?;
    let mut finding = super::detail::finding(Some(place), word, severity, command, "");
    finding.message.clear();
    Some(finding)
}

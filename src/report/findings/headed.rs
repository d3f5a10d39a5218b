//! A file's name, and below it a line for each finding: eslint's and stylelint's `stylish`, yamllint, ruff's `grouped`,
//! pyright.

use std::borrow::Cow;

use super::super::record::{self, Dropped, Finding, Place};
use super::super::section::{Family, Section, indent};
use super::form::{self, Form, form, is_error_number};
use super::word;

/// eslint, stylelint, standard, yamllint, ruff: each row begins with a position.
pub const TABLE: Family =
    Family { name: "table", signs: &["  error  ", "  warning  ", " problem", "[*] "], read: table };
/// pyright, basedpyright.
pub const PYRIGHT: Family = Family {
    name: "pyright",
    signs: &[" - error: ", " - warning: ", " - information: ", "0 errors, 0 warnings"],
    read: pyright,
};

const TABLE_TOTALS: &[&str] = &[
    "* # problem* (# error*, # warning*)",
    "# error* potentially fixable *",
    "# warning* potentially fixable *",
    "Found # error*",
    "[*] # fixable *",
    "# error*, # warning*, # info*",
    "# fixable with *",
    "# hidden fix*",
];
const PYRIGHT_TOTALS: &[&str] = &[
    "# error*, # warning*, # information*",
    "# error*, # warning*, # note*",
    "No configuration file found*",
];

fn table(section: &mut Section<'_>) {
    let mut file = None;
    let found = section.each_free(|section, at| {
        let line = section.text(at);
        if !line.is_empty() && indent(line) == 0 {
            file = heading(section, at).map(|name| (name, at));
            return None;
        }
        let (name, heading) = file?;
        let finding = row(name, line)?;
        section.drop_lines(heading..heading + 1, Dropped::Heading);
        section.add(at..at + 1, finding);
        Some(at + 1)
    });
    if found {
        section.totals(TABLE_TOTALS);
    }
}

/// The file that a line names, if a finding stands below.
fn heading<'t>(section: &Section<'t>, at: usize) -> Option<&'t str> {
    let line = section.text(at).trim_end();
    let name = line.strip_suffix(':').unwrap_or(line);
    let below = section.text(at + 1);
    let is_row = section.is_free(at + 1) && indent(below) > 0 && position(below).is_some();
    (is_row && form::is_path(name)).then_some(name)
}

/// `  12:5  error  message  rule`, `  12:5 E501 [*] message`.
fn row<'t>(file: &'t str, line: &'t str) -> Option<Finding<'t>> {
    let (place, rest) = position(line)?;
    let place = Place { file, ..place };
    let trimmed = rest.trim();
    let (first, behind) = trimmed.split_once(' ')?;
    let Some(severity) = word::severity(first).filter(|_| behind.starts_with(' ') || rest.starts_with("  "))
    else {
        return RUFF.read(trimmed).map(|finding| Finding { place: Some(place), ..finding });
    };
    let behind = behind.trim_start();
    // eslint ends in a column of rules, yamllint in a rule in brackets.
    let (message, code) = match behind.rsplit_once("  ") {
        Some((message, code)) if !code.contains(' ') => (message.trim_end(), code),
        _ => (behind, ""),
    };
    let code = code.strip_prefix('(').and_then(|code| code.strip_suffix(')')).unwrap_or(code);
    let (message, code) = match message.strip_suffix(')').and_then(|message| message.rsplit_once(" (")) {
        Some((message, rule)) if code.is_empty() && !rule.contains(' ') => (message, rule),
        _ => (message, code),
    };
    Some(Finding::new(Some(place), first, severity, code, message))
}

const RUFF: Form = form("{code} ‹[*] ›{message}", is_error_number);
const PYRIGHT_FORM: Form = form("{place} - {word}: {message}", |_| true);

/// `  12:5`, and the rest of the line.
fn position(line: &str) -> Option<(Place<'_>, &str)> {
    let (line, column, rest) = record::position(line.trim_start())?;
    (column.is_some() && rest.starts_with(' ')).then_some((Place { file: "", line, column }, rest))
}

fn pyright(section: &mut Section<'_>) {
    let found = section.each_free(|section, at| {
        let line = section.text(at);
        let mut finding = line.starts_with("  ").then(|| PYRIGHT_FORM.read(line.trim_start()))??;
        let is_more = |line| is_detail(line) && PYRIGHT_FORM.read(line.trim_start()).is_none();
        let end = section.while_free(at + 1, |at| is_more(section.text(at)));
        finding.message.extend((at + 1..end).map(|at| Cow::Borrowed(section.text(at).trim())));
        take_code(&mut finding);
        let file = finding.place.map_or("", |place| place.file);
        if at > 0 && section.is_free(at - 1) && section.text(at - 1).trim_end().trim_end_matches(':') == file
        {
            section.drop_lines(at - 1..at, Dropped::Heading);
        }
        section.add(at..end, finding);
        Some(end)
    });
    let totals = if found { PYRIGHT_TOTALS } else { &PYRIGHT_TOTALS[..2] };
    section.totals(totals);
}

/// Whether a line continues a message: pyright indents with blanks, and with non-breaking blanks.
fn is_detail(line: &str) -> bool {
    line.chars().take_while(|c| c.is_whitespace()).count() >= 4 && !line.trim().is_empty()
}

/// Moves `… (reportReturnType)` from the end of the message to the finding's code.
fn take_code(finding: &mut Finding<'_>) {
    if let Some(Cow::Borrowed(last)) = finding.message.last_mut()
        && let Some((message, code)) = last.strip_suffix(')').and_then(|last| last.rsplit_once(" (report"))
    {
        finding.code = &last[last.len() - 1 - code.len() - "report".len()..last.len() - 1];
        *last = message;
    }
}

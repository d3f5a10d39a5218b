//! A file's name, and below it a line for each finding: eslint's and stylelint's `stylish`, yamllint, ruff's `grouped`,
//! pyright.

use std::borrow::Cow;

use super::super::record::{self, Dropped, Finding, Place, Severity};
use super::super::section::{Family, Section, indent};
use super::form::{self, Form, form, is_error_number};
use super::learned::code;
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

/// sqlfluff, phpcs.
pub const BARRED: Family =
    Family { name: "barred", signs: &[" | P: ", " | ERROR ", " | WARNING "], read: barred };

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
    // eslint ends in a column of rules, yamllint in a rule in brackets.
    let (code, message) = code(behind.trim_start(), true);
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

/// `== [a.sql] FAIL`, then `L:   1 | P:  14 | LT09 | message`; `FILE: a.php`, then ` 12 | ERROR   | message`; messages go on
/// behind bars.
fn barred(section: &mut Section<'_>) {
    let mut file = None;
    section.each_free(|section, at| {
        let line = section.text(at);
        let of_sqlfluff = line.strip_prefix("== [").and_then(|rest| rest.strip_suffix("] FAIL"));
        if let Some(name) = of_sqlfluff.or_else(|| line.strip_prefix("FILE: ")) {
            file = Some((name.trim_end(), at));
            return None;
        }
        let (name, heading) = file?;
        let (number, rest) = line.split_once('|')?;
        let (second, first) = rest.split_once('|')?;
        let (number, second) = (number.trim().trim_start_matches(['L', ':', ' ']), second.trim());
        let place = Place { file: name, line: number.parse().ok()?, column: None };
        let mut finding = match second.strip_prefix("P:") {
            Some(column) => {
                let (code, first) = first.split_once('|')?;
                let place = Place { column: column.trim().parse().ok(), ..place };
                Finding::new(Some(place), "", Severity::Note, code.trim(), first.trim())
            }
            None => Finding::new(Some(place), second, word::severity(second)?, "", first.trim()),
        };
        let end = section.while_free(at + 1, |at| section.text(at).trim_start().starts_with('|'));
        for at in at + 1..end {
            let more = section.text(at).trim_matches(['|', ' ']);
            finding.message[0] = format!("{} {more}", finding.message[0]).into();
        }
        section.drop_lines(heading..heading + 1, Dropped::Heading);
        section.add(at..end, finding);
        Some(end)
    });
}

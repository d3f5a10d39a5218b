//! mypy's `--pretty`: a message that is wrapped to the terminal's width, then the line at fault.

use std::borrow::Cow;

use once_cell::sync::Lazy;

use super::super::family::Family;
use super::super::record::Finding;
use super::super::section::{Records, Section};
use super::detail;
use super::form::{Form, Reader, is_rule};
use super::pattern;
use super::tool::{TOOL, Tool, form};

const MYPY: Tool = Tool {
    forms: &[
        form("{place}: {word}: {message}‹  [{code}]›", is_rule),
        form("{file}: {word}: {message}‹  [{code}]›", is_rule),
    ],
    extensions: &["py", "pyi"],
    totals: &[
        "Found # error* in # file* (checked # source file*)",
        "Found # error* in # file* (errors prevented further checking)",
    ],
    success: &["Success: no issues found in # source file*"],
    ..TOOL
};

/// mypy, plain and pretty.
pub const FAMILY: Family =
    Family { name: "mypy", signs: &[".py:", ".pyi:", "Success: no issues found in "], read };

/// Most lines of a message.
const LONGEST: usize = 24;
static NOTE: Lazy<Reader> =
    Lazy::new(|| Form { template: "{place}: note: {message}", is_code: |_| true }.reader());
static FORMS: Lazy<Vec<Reader>> = Lazy::new(|| MYPY.forms.iter().map(Form::reader).collect());

fn read<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let mut found = false;
    records.each_free(|records, at| {
        let mut finding = begin(section.text(at))?;
        let mut end = unwrap(section, records, at, &mut finding);
        let mut behind = detail::read(section, records, end - 1, &detail::PLAIN, &mut finding);
        // Notes on the same line of the source belong to the finding.
        while let Some(note) = NOTE.read(section.text(behind)).filter(|_| records.is_free(behind)) {
            if finding.word == "note"
                || note.place.map(|place| (place.file, place.line))
                    != finding.place.map(|place| (place.file, place.line))
            {
                break;
            }
            if let Some(Cow::Borrowed(said)) = note.message.first() {
                finding.notes.push(section.quote(behind, said));
            }
            behind += 1;
        }
        end = behind.max(end);
        found |= records.add(at..end, finding);
        Some(end)
    });
    if found {
        records.drop_headings(section, is_context);
    }
    pattern::totals(section, records, MYPY.totals);
    pattern::totals(section, records, MYPY.success);
}

/// Whether a line only says where the next findings are: `a.py: note: In function "f":`.
fn is_context(line: &str) -> bool {
    line.split_once(": note: ").is_some_and(|(file, rest)| {
        MYPY.is_file(file) && rest.ends_with(':') && (rest.starts_with("In ") || rest.starts_with("At "))
    })
}

fn begin(line: &str) -> Option<Finding<'_>> {
    if is_context(line) {
        return None;
    }
    let finding = FORMS.iter().find_map(|form| form.read(line))?;
    finding.place.is_some_and(|place| MYPY.is_file(place.file)).then_some(finding)
}

/// Joins a message that goes on in the next lines, up to its `[code]`. Returns the line behind it.
fn unwrap<'t>(section: &Section<'t>, records: &Records<'t>, at: usize, finding: &mut Finding<'t>) -> usize {
    if !finding.code.is_empty() {
        return at + 1;
    }
    for end in at + 1..(at + LONGEST).min(section.lines.len()) {
        let line = section.text(end).trim_end();
        let goes_on = records.is_free(end) && !line.is_empty() && !line.starts_with([' ', '\t']);
        if !goes_on || begin(line).is_some() || pattern::is_like_any(line, MYPY.totals) {
            break;
        }
        let Some((rest, code)) = code_at_end(line) else { continue };
        let lines = (at + 1..end).map(|at| section.text(at).trim()).chain([rest]);
        let joined = lines
            .filter(|line| !line.is_empty())
            .fold(finding.message[0].to_string(), |message, line| message + " " + line);
        finding.message[0] = Cow::Owned(joined);
        finding.code = code;
        return end + 1;
    }
    at + 1
}

/// The text before the code at the end of a line, and the code: `type annotation  [no-untyped-def]`, `[type-arg]`.
fn code_at_end(line: &str) -> Option<(&str, &str)> {
    let (rest, code) = line.strip_suffix(']')?.rsplit_once('[')?;
    let is_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (is_code && (rest.is_empty() || rest.ends_with("  "))).then(|| (rest.trim_end(), code))
}

//! mypy: a finding on one line, or with `--pretty` a message that is wrapped to the terminal's width, and below it the line
//! at fault.

use std::borrow::Cow;

use super::super::record::Finding;
use super::super::section::{Family, Section};
use super::form::{Form, form, is_rule};
use super::pattern;
use super::tool::{self, TOOL, Tool, details};

const MYPY_TOOL: Tool = Tool {
    forms: &[
        form("{place}: {word}: {message}‹  [{code}]›", is_rule),
        form("{file}: {word}: {message}‹  [{code}]›", is_rule),
    ],
    extensions: &["py", "pyi"],
    ..TOOL
};
/// Most lines of a message.
const LONGEST: usize = 24;
/// Where a finding is that is in no function or class, as one is of which nothing is said.
const TOP: &str = "At top level";
const MYPY_NOTE: Form = form("{place}: note: {message}", |_| true);

pub fn read(section: &mut Section<'_>, family: &Family) {
    let mut within = None;
    let found = section.each_finding(|section, at| {
        within = context(section.text(at)).map(|(file, words)| (file, section.quote(at, words))).or(within);
        let mut finding = begin(section.text(at))?;
        let of_file = |(file, _): &(&str, _)| finding.place.is_some_and(|place| place.file == *file);
        finding
            .notes
            .extend(within.filter(of_file).map(|(_, words)| words).filter(|words| words.text != TOP));
        let end = unwrap(section, at, &mut finding, family);
        let end = details(section, end, &TOOL, &mut finding);
        // Notes on the same line of the source belong to the finding.
        let end = section.while_free(end, |at| {
            let Some(note) = MYPY_NOTE.read(section.text(at)).filter(|_| finding.word != "note") else {
                return false;
            };
            let places = note.place.zip(finding.place);
            let is_of_finding =
                places.is_some_and(|(one, other)| (one.file, one.line) == (other.file, other.line));
            if let Some(Cow::Borrowed(said)) = note.message.first().filter(|_| is_of_finding) {
                finding.notes.push(section.quote(at, said));
            }
            is_of_finding
        });
        Some((finding, end))
    });
    if found {
        section.drop_headings(|line| context(line).is_some());
    }
    section.totals(family.totals);
    section.totals(family.success);
}

/// The file, and where in it the next findings are: `a.py: note: In function "f":`.
fn context(line: &str) -> Option<(&str, &str)> {
    let (file, rest) = line.split_once(": note: ")?;
    let words = rest.strip_suffix(':')?;
    (MYPY_TOOL.is_file(file) && (words.starts_with("In ") || words == TOP)).then_some((file, words))
}

fn begin(line: &str) -> Option<Finding<'_>> {
    if context(line).is_some() { None } else { tool::finding(line, &MYPY_TOOL) }
}

/// Joins a message that goes on in the next lines, up to its `[code]`. Returns the line behind it.
fn unwrap<'t>(section: &Section<'t>, at: usize, finding: &mut Finding<'t>, family: &Family) -> usize {
    if !finding.code.is_empty() {
        return at + 1;
    }
    for end in at + 1..(at + LONGEST).min(section.lines.len()) {
        let line = section.text(end).trim_end();
        // A code that is wrapped alone may keep the blank in front; the source has four.
        let is_source = line.starts_with([' ', '\t']) && !line.starts_with(" [");
        let goes_on = section.is_free(end) && !line.is_empty() && !is_source;
        if !goes_on || begin(line).is_some() || pattern::is_like_any(line, family.totals) {
            break;
        }
        let Some((rest, code)) = code_at_end(line.trim_start()) else { continue };
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

//! `path:line:col: severity: message`: a finding a line, as of many linters (`gcc -fno-diagnostics-show-caret`,
//! `yamllint -f parsable`, `eslint -f unix`, `cpplint`), where no family of its own reads the tool.

use super::super::families::Family;
use super::super::record::{Finding, Place, Severity, What};
use super::super::section::{Records, Section};

/// Asked last among the linters: its signs are the words of a severity behind a colon.
pub const FAMILY: Family = Family {
    name: "plain",
    signs: &[": error: ", ": warning: ", ": fatal error: ", ": note: ", ": info: "],
    read,
};

/// The words of a severity.
const WORDS: &[(&str, Severity)] = &[
    ("fatal error", Severity::Error),
    ("error", Severity::Error),
    ("warning", Severity::Warning),
    ("note", Severity::Note),
    ("info", Severity::Note),
];

fn read<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    for at in 0..section.lines.len() {
        if !records.is_free(at) {
            continue;
        }
        if let Some(finding) = finding(section.text(at)) {
            records.add(at..at + 1, What::Finding(finding));
        }
    }
}

/// A line that is a finding.
fn finding(line: &str) -> Option<Finding<'_>> {
    if line.starts_with([' ', '\t']) {
        return None;
    }
    let (place, rest) = Place::parse(line)?;
    let rest = rest.strip_prefix(": ")?;
    let (word, severity) = *WORDS.iter().find(|(word, _)| rest.starts_with(word))?;
    let message = rest[word.len()..].strip_prefix(": ")?.trim_end();
    Some(Finding {
        place: Some(place),
        severity,
        word,
        code: "",
        message: vec![message],
        source: Vec::new(),
        notes: Vec::new(),
    })
}

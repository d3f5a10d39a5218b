//! `::error file=a.py,line=3,col=1::message`: GitHub's commands, as linters write them in its runners.

use super::super::family::Family;
use super::super::record::{Finding, Place};
use super::super::section::{Records, Section};
use super::detail;
use super::form;
use super::{pattern, word};

/// Every linter that writes for GitHub's runners.
pub const FAMILY: Family = Family { name: "github", signs: &["::error ", "::warning ", "::notice "], read };

fn read<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    let mut found = false;
    for at in 0..section.lines.len() {
        if records.is_free(at)
            && let Some(finding) = finding(section.text(at).trim_end())
        {
            found |= records.add(at..at + 1, finding);
        }
    }
    if found {
        pattern::headings(section, records, &["::group::*", "::endgroup::"]);
    }
}

fn finding(line: &str) -> Option<Finding<'_>> {
    let (command, message) = line.strip_prefix("::")?.split_once("::")?;
    let (word, parameters) = command.split_once(' ')?;
    let severity = word::severity(word)?;
    let value = |key: &str| {
        parameters.split(',').find_map(|parameter| parameter.strip_prefix(key)?.strip_prefix('='))
    };
    let place = value("file").map(|file| Place {
        file,
        line: value("line").and_then(|line| line.parse().ok()).unwrap_or(0),
        column: value("col").and_then(|column| column.parse().ok()),
    });
    let code = value("title").and_then(|title| title.split_once(" (")?.1.strip_suffix(')')).unwrap_or("");
    // The message repeats the place: `a.py:1:8: …`, `1:8 …`.
    let message = match form::colons(message) {
        Some((_, rest)) if rest.starts_with(": ") => &rest[2..],
        _ => message,
    };
    let message = message
        .split_once(' ')
        .filter(|(position, _)| is_position(position))
        .map_or(message, |(_, rest)| rest);
    let message = message.strip_prefix(code).map_or(message, str::trim_start);
    Some(detail::finding(place, word, severity, code, message))
}

fn is_position(text: &str) -> bool {
    text.contains(':') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

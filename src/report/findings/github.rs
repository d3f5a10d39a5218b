//! `::error file=a.py,line=3,col=1::message`: GitHub's commands, as linters write them in its runners.

use super::super::record::{Finding, Place};
use super::super::section::{Family, Section};
use super::{form, word};

pub fn read(section: &mut Section<'_>, family: &Family) {
    if section.each_finding(|section, at| Some((finding(section.text(at).trim_end())?, at + 1))) {
        section.headings(family.headings);
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
    let message = match message.split_once(' ') {
        Some((position, rest)) if is_position(position) => rest,
        _ => message,
    };
    let message = message.strip_prefix(code).map_or(message, str::trim_start);
    Some(Finding::new(place, word, severity, code, message))
}

fn is_position(text: &str) -> bool {
    text.contains(':') && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
}

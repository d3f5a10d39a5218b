//! Readers of the text below a heading of TAP (testanything.org): YAML blocks, and comments as Perl's `prove` prints them.

use std::ops::Range;

use super::super::record::{PartKind, Place, Test};
use super::super::section::{Section, dedent, indent, parts};
use super::super::words::SILENT_OF_TAP;
use super::traces::{frame, own_place};

/// Most lines between a test and the line of what it is a part of.
pub const FAR: usize = 200;

/// TAP: a YAML block, or lines that are indented more; the stack and the times are told by their line numbers alone.
pub fn read<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    let is_silent = |text: &str| {
        let is_key = text.split_once(':').is_some_and(|(key, _)| SILENT_OF_TAP.contains(&key));
        is_key || matches!(text, "---" | "...") || text.starts_with("code: 'ERR_ASS")
    };
    if let Some(name) = subtest(section, lines.start) {
        test.id = format!("{name} > {}", test.id);
    }
    let (mut reason, mut library) = (Vec::new(), Vec::new());
    let mut hidden = None;
    let mut place = Place::of_file("");
    for at in lines {
        let (text, depth) = (section.text(at).trim(), indent(section.text(at)));
        let is_of_place = match text.split_once(": ") {
            Some(("line" | "lineNumber", line)) => line.parse().map(|line| place.line = line).is_ok(),
            Some(("column" | "columnNumber", column)) => {
                column.parse().map(|column| place.column = Some(column)).is_ok()
            }
            Some(("file" | "fileName", file)) => {
                place.file = file;
                true
            }
            _ => false,
        };
        if is_of_place || hidden.is_some_and(|hidden| depth > hidden || text.is_empty()) {
            let own =
                frame(section.text(at)).and_then(|frame| frame.place).filter(|place| !place.is_foreign());
            test.place = test.place.or(own);
            library.push(section.said(at));
            continue;
        }
        hidden = None;
        let quoted = text.strip_prefix("location: ").or_else(|| text.strip_prefix("at: "));
        if let Some(quoted) = quoted.filter(|quoted| !quoted.starts_with(['>', '|'])) {
            let quoted = quoted.rsplit('(').next().unwrap_or(quoted);
            test.place = own_place(quoted.trim_matches(['\'', '"', ')'])).or(test.place);
        } else if is_silent(text) {
            hidden = (text.ends_with([':', '-', '|', '>', '+']) && text != "---").then_some(depth);
            library.push(section.said(at));
        } else if let Some(frame) = frame(section.text(at)) {
            test.place = test.place.or(frame.place.filter(|place| !place.is_foreign()));
            library.push(section.said(at));
        } else if !text.is_empty() {
            reason.push(section.said(at));
        }
    }
    test.place = test.place.or_else(|| (place.line > 0 && !place.file.is_empty()).then_some(place));
    test.why.extend(parts([(PartKind::Reason, reason), (PartKind::Library, library)]));
}

/// The name of the subtest, or of vitest's suite, in which the line above `at` stands, indented more.
fn subtest<'t>(section: &Section<'t>, at: usize) -> Option<&'t str> {
    let depth = indent(section.text(at.checked_sub(1)?));
    let suite = |text: &'t str| text.strip_suffix(" {")?.split_once(" - ")?.1.rsplit_once(" # time=");
    let name = |at| {
        let text = section.text(at);
        let subtest = text.trim_start().strip_prefix("# Subtest: ");
        subtest.or_else(|| suite(text).map(|(name, _)| name)).filter(|_| indent(text) + 4 == depth)
    };
    (at.saturating_sub(FAR)..at).rev().find_map(name)
}

/// prove: `#   at t/price.t line 3.`, then what was got and expected, all behind `#`.
pub fn prove<'t>(section: &Section<'t>, lines: Range<usize>, test: &mut Test<'t>) {
    // The subtests of a test stand above its own line.
    let title = |at| section.text(at).trim_start().strip_prefix("#   Failed test '")?.strip_suffix('\'');
    let mut depth = lines.start.checked_sub(1).map_or(0, |at| indent(section.text(at)));
    for at in lines.start..(lines.start + FAR).min(section.lines.len()) {
        if depth == 0 {
            break;
        }
        if let Some(title) = title(at).filter(|_| indent(section.text(at)) < depth) {
            depth = indent(section.text(at));
            test.id = format!("{title} > {}", test.id);
        }
    }
    let (mut reason, mut noted) = (Vec::new(), Vec::new());
    let mut is_open = false;
    for at in lines {
        let said = section.text(at).trim_start().trim_start_matches('#');
        // A note (`diag`) has one blank in front, as has what goes on with a value of several lines.
        if !is_open && !said.starts_with("  ") {
            noted.push(section.quote(at, said));
            continue;
        }
        let value = said.split_once(": '").map_or(said, |(_, value)| value);
        is_open = (is_open || value.len() < said.len()) && !value.ends_with('\'');
        let place = said.trim().strip_prefix("at ").and_then(|rest| rest.strip_suffix('.'));
        if let Some((file, line)) = place.and_then(|place| place.rsplit_once(" line "))
            && test.place.is_none()
            && let Ok(line) = line.parse()
        {
            test.place = Some(Place { file, line, column: None });
        } else {
            reason.push(section.quote(at, said));
        }
    }
    test.why.extend(parts([(PartKind::Reason, reason)]));
    dedent(&mut noted);
    test.add(PartKind::Captured, "printed", noted);
}

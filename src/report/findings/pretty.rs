//! tsc's `--pretty`: `src/a.ts:2:1 - error TS6192: …`, an empty line, the line at fault behind its number, marks below.

use std::borrow::Cow;

use once_cell::sync::Lazy;

use super::super::family::Family;
use super::super::record::{Dropped, number};
use super::super::section::{Records, Section};
use super::form::{Form, Reader};
use super::pattern;

/// tsc on a terminal.
pub const FAMILY: Family =
    Family { name: "tsc pretty", signs: &[" - error TS", " - warning TS", " - message TS"], read };

static FORM: Lazy<Reader> = Lazy::new(|| {
    Form { template: "{place} - {word} {code}: {message}", is_code: |code| code.starts_with("TS") }.reader()
});
const TOTALS: &[&str] = &["Found # error*"];

fn read<'t>(section: &Section<'t>, records: &mut Records<'t>) {
    records.each_free(|records, at| {
        let mut finding = FORM.read(section.text(at))?;
        let mut end = at + 1;
        // More of the message is indented, and stands before the empty line.
        while records.is_free(end) && section.text(end).starts_with("  ") {
            finding.message.push(Cow::Borrowed(section.text(end).trim()));
            end += 1;
        }
        let mut last = end;
        while records.is_free(end) && FORM.read(section.text(end)).is_none() {
            let line = section.text(end);
            if line.trim().is_empty() || is_marks(line) {
            } else if let Some((_, source)) =
                number(line.trim_start()).filter(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
            {
                if finding.source.is_empty() {
                    finding.source.push(section.quote(end, source.trim()));
                }
            } else if line.starts_with("  ") {
                finding.notes.push(section.quote(end, line.trim()));
            } else {
                break;
            }
            end += 1;
            last = end;
        }
        records.add(at..last, finding);
        Some(last)
    });
    pattern::totals(section, records, TOTALS);
    let table =
        (0..section.lines.len()).find(|at| pattern::is_like(section.text(*at).trim_end(), "Errors  Files"));
    for at in table.into_iter().flat_map(|at| at..section.lines.len()) {
        let is_row = at == table.unwrap_or(0)
            || number(section.text(at).trim_start()).is_some_and(|(_, rest)| rest.starts_with("  "));
        if records.is_free(at) && is_row {
            records.drop_lines(at..at + 1, Dropped::Repeated);
        }
    }
}

fn is_marks(line: &str) -> bool {
    line.contains('~') && line.bytes().all(|byte| matches!(byte, b' ' | b'~'))
}

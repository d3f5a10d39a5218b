//! A file's name, and below it a line for each finding: pyright, sqlfluff, phpcs.

use std::borrow::Cow;

use super::super::record::{Dropped, Finding, Place, Severity};
use super::super::section::{Family, Section};
use super::form::{Form, form};
use super::word;

const PYRIGHT_FORM: Form = form("{place} - {word}: {message}", |_| true);

pub fn pyright(section: &mut Section<'_>, family: &Family) {
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
    section.totals(family.success);
    if found {
        section.totals(family.totals);
    }
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
pub fn barred(section: &mut Section<'_>, _: &Family) {
    let mut file = None;
    section.each_free(|section, at| {
        let line = section.text(at);
        let of_sqlfluff = line.strip_prefix("== [").and_then(|rest| rest.strip_suffix("] FAIL"));
        if let Some(name) = of_sqlfluff.or_else(|| line.strip_prefix("FILE: ")) {
            file = Some((name.trim_end(), at));
        }
        let (name, heading) = file?;
        let (number, rest) = line.split_once('|')?;
        let (second, first) = rest.split_once('|')?;
        let (number, second) = (number.trim().trim_start_matches(['L', ':', ' ']), second.trim());
        let column = second.strip_prefix("P:").and_then(|column| column.trim().parse().ok());
        let place = Place { file: name, line: number.parse().ok()?, column };
        let (word, severity, code, first) = match column {
            Some(_) => first.split_once('|').map(|(code, first)| ("", Severity::Note, code.trim(), first))?,
            None => (second, word::severity(second)?, "", first),
        };
        let mut finding = Finding::new(Some(place), word, severity, code, first.trim());
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

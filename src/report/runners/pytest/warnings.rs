//! pytest's summary of warnings: tests that met a warning, then the warning with its place, then the line at fault.

use super::super::super::record::{Dropped, Finding, Place, Severity};
use super::super::super::section::{Section, indent};

/// Reads the warning that begins at a line, if one does. Returns the line behind it.
pub fn read(section: &mut Section<'_>, at: usize) -> usize {
    let line = section.text(at).trim_end();
    if line.starts_with("-- Docs: ") {
        section.drop_lines(at..at + 1, Dropped::Heading);
        return at + 1;
    }
    let body = section.find(at, section.lines.len(), |line| indent(line) > 0 || line.trim().is_empty());
    if body == at || indent(section.text(body)) != 2 {
        return at + 1;
    }
    let end = section.find(body, section.lines.len(), |line| line.trim().is_empty() || indent(line) == 0);
    let Some((place, rest)) = Place::parse(section.text(body).trim()) else { return end };
    let rest = rest.strip_prefix(": ").unwrap_or(rest);
    let (code, message) = rest.split_once(": ").filter(|(code, _)| !code.contains(' ')).unwrap_or(("", rest));
    let has_source = end > body + 1 && indent(section.text(end - 1)) >= 4;
    let behind = end - usize::from(has_source);
    let mut finding = Finding::new(Some(place), "warning", Severity::Warning, code, message);
    finding.message.extend((body + 1..behind).map(|at| section.text(at).trim().into()));
    finding.source = section.block(behind..end);
    finding.notes = (at..body).map(|at| section.said(at)).collect();
    section.add(at..end, finding);
    end
}

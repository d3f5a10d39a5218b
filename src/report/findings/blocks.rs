//! Findings that are blocks of lines in a form of the tool's own: bandit, biome, shellcheck.

use super::super::record::{Dropped, Finding, Place, What};
use super::super::section::{Family, Section};
use super::word;

pub fn shellcheck(section: &mut Section<'_>, _: &Family) {
    let found = section.each_free(|section, at| {
        let head = section.text(at).strip_prefix("In ")?.trim_end().strip_suffix(':')?;
        let (file, line) = head.rsplit_once(" line ")?;
        let line = line.parse().ok()?;
        let source = section.quote(at + 1, section.text(at + 1).trim());
        let mut end = at + 2;
        while section.is_free(end)
            && let Some(finding) = shellcheck_mark(section.text(end), file, line)
        {
            section.add(end..end + 1, Finding { source: vec![source], ..finding });
            end += 1;
        }
        if end > at + 2 {
            end = did_you_mean(section, end);
            section.drop_lines(at..at + 2, Dropped::Heading);
        }
        Some(end)
    });
    let more = section.lines.iter().position(|line| line.text.starts_with("For more information:"));
    if let Some(more) = more.filter(|_| found) {
        let end = section.find(more + 1, section.lines.len(), |line| !line.starts_with("  https://"));
        section.drop_lines(more..end, Dropped::Repeated);
    }
}

/// `     ^--^ SC2086 (info): Double quote …`.
fn shellcheck_mark<'t>(text: &'t str, file: &'t str, line: u32) -> Option<Finding<'t>> {
    let mark = text.trim_start_matches(' ');
    let column = u32::try_from(text.len() - mark.len() + 1).ok();
    let rest = mark.strip_prefix('^')?.trim_start_matches('-').trim_start_matches('^').strip_prefix(' ')?;
    let (code, rest) = rest.split_once(" (").filter(|(code, _)| code.starts_with("SC"))?;
    let (word, message) = rest.split_once("): ")?;
    let place = Some(Place { file, line, column });
    Some(Finding::new(place, word, word::severity(word)?, code, message.trim_end()))
}

/// Adds the lines below `Did you mean:` to the notes of the last record, a finding. Returns the line behind them.
fn did_you_mean(section: &mut Section<'_>, at: usize) -> usize {
    let start = section.skip_blank(at);
    if !section.text(start).starts_with("Did you mean:") || start > at + 1 {
        return at;
    }
    let end = section.find(start + 1, section.lines.len(), |line| line.trim().is_empty());
    let said: Vec<_> = (start + 1..end).map(|at| section.quote(at, section.text(at).trim())).collect();
    if let Some(What::Finding(finding)) = section.records.last_mut().map(|record| &mut record.what) {
        finding.notes.extend(said);
    }
    section.drop_lines(start..end, Dropped::Heading);
    end
}

#[cfg(test)]
#[path = "../../../tests/unit/report/findings/blocks.rs"]
mod tests;

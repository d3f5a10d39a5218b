//! Findings that are blocks of lines in a form of the tool's own: bandit, biome, shellcheck.

use std::borrow::Cow;

use super::super::record::{Dropped, Finding, Place, Severity, What, number};
use super::super::section::{Family, Section};
use super::form;
use super::word;

pub fn bandit(section: &mut Section<'_>, family: &Family) {
    let found = section.each_finding(bandit_issue);
    let is_clean = !found && section.lines.iter().any(|line| line.text.trim() == "No issues identified.");
    if found {
        section.totals(family.totals);
    } else {
        section.totals(&["No issues identified."]);
    }
    if found || is_clean {
        section.headings(family.headings);
    }
    if is_clean {
        // Without issues these totals say nothing.
        let kinds =
            ["Total issues (by *):", "Undefined: 0", "Low: 0", "Medium: 0", "High: 0", "Files skipped (0):"];
        section.headings(&kinds);
    }
}

/// An issue, its facts and its excerpt; and the line behind it.
fn bandit_issue<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let (code, message) = section.text(at).strip_prefix(">> Issue: [")?.split_once("] ")?;
    let mut finding = Finding::new(None, "", Severity::Note, code, message.trim_end());
    let end = section.while_free(at + 1, |at| section.text(at).starts_with("   "));
    for at in at + 1..end {
        let line = section.text(at).trim();
        if let Some(rest) = line.strip_prefix("Severity: ") {
            finding.word = rest.split(' ').next().unwrap_or("");
            finding.severity = word::severity(finding.word).unwrap_or(Severity::Note);
            if let Some(start) = rest.find("Confidence: ").filter(|start| !rest[*start..].ends_with("High")) {
                finding.notes.push(section.quote(at, &rest[start..]));
            }
        } else if let Some((place, _)) = line.strip_prefix("Location: ").and_then(form::colons) {
            finding.place = Some(place);
        }
    }
    // The excerpt: numbered lines.
    let line = finding.place.map_or(0, |place| place.line);
    let end = section.while_free(end, |at| {
        let shown = number(section.text(at)).filter(|(_, rest)| rest.is_empty() || rest.starts_with('\t'));
        let source = shown.filter(|(shown, _)| *shown == line);
        finding.source.extend(source.map(|(_, source)| section.quote(at, source.trim())));
        shown.is_some()
    });
    Some((finding, end))
}

pub fn biome(section: &mut Section<'_>, family: &Family) {
    section.each_free(|section, at| {
        // A summary's headings have no place, and what stands below them stays.
        let (place, code) =
            biome_head(section.text(at)).filter(|(place, code)| place.is_some() || !code.contains('/'))?;
        let mut finding = Finding { place, severity: Severity::Error, code, ..Finding::default() };
        let line = place.map_or(0, |place| place.line);
        let is_more = |line: &str| line.trim().is_empty() || line.starts_with("  ");
        let end = section.while_free(at + 1, |at| is_more(section.text(at)));
        (at + 1..end).for_each(|at| biome_line(section, at, line, &mut finding));
        if finding.message.is_empty() {
            // Below a head among these lines there is no message either.
            return Some(end);
        }
        if place.is_none() {
            section.drop_lines(at..end, Dropped::Repeated);
        } else {
            section.add(at..end, finding);
        }
        Some(end)
    });
    section.totals(family.totals);
}

/// `src/a.ts:4:17 lint/suspicious/noExplicitAny  FIXABLE  ━━━━`, `src/a.ts format ━━━━`, `lint ━━━━` of the whole run.
fn biome_head(line: &str) -> Option<(Option<Place<'_>>, &str)> {
    let head = line.trim_end().strip_suffix('━')?.trim_end_matches('━').trim_end();
    let head = head.strip_suffix("FIXABLE").unwrap_or(head).trim_end();
    let head = head.strip_suffix("DEPRECATED").unwrap_or(head).trim_end();
    match head.rsplit_once(' ') {
        Some((place, code)) => {
            let found = form::colons(place).filter(|(_, rest)| rest.is_empty()).map(|(place, _)| place);
            Some((Some(found.unwrap_or(Place::of_file(place))), code))
        }
        None => Some((None, head)),
    }
}

fn biome_line<'t>(section: &Section<'t>, at: usize, line: u32, finding: &mut Finding<'t>) {
    let text = section.text(at).trim();
    let said = |sign: &str| text.strip_prefix(sign).map(str::trim);
    if let Some(message) =
        said("× ").or_else(|| said("✖ ")).or_else(|| said("! ")).filter(|_| finding.message.is_empty())
    {
        if text.starts_with('!') {
            (finding.severity, finding.word) = (Severity::Warning, "");
        }
        finding.message.push(Cow::Borrowed(message));
    } else if let Some(note) = said("i ").or_else(|| said("ℹ ")) {
        if finding.message.is_empty() {
            finding.severity = Severity::Note;
            finding.message.push(Cow::Borrowed(note));
        } else {
            finding.notes.push(section.quote(at, note));
        }
    } else if let Some(source) = said("> ").and_then(|rest| rest.split_once(" │ ")) {
        if finding.source.is_empty() && source.0.trim().parse() == Ok(line) {
            finding.source.push(section.quote(at, source.1.trim()));
        }
    } else if let Some((_, change)) = text.split_once("│ + ") {
        finding.notes.push(section.quote(at, &text[text.len() - change.len() - 2..]));
    }
}

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

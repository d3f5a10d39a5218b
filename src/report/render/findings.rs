//! Findings: one line each, those of the same words once with all their places by file.

use super::super::record::{Finding, Place};
use super::page::{Detail, Page};

const INDENT: usize = 2;

/// A group of findings of the same words.
pub fn group(page: &mut Page, findings: &[&Finding<'_>], detail: &Detail) {
    let Some(first) = findings.first() else { return };
    if let [finding] = findings {
        let place = finding.place.map(|place| super::place(place) + " ").unwrap_or_default();
        page.words(&place, usize::MAX);
        message(page, finding, detail);
        page.lines(INDENT, &finding.source, detail.source, detail.width);
    } else {
        page.words(&format!("{}× ", findings.len()), usize::MAX);
        message(page, first, detail);
        let places: Vec<_> = findings.iter().filter_map(|finding| finding.place).collect();
        by_file(page, &places, detail);
        let is_one_source = findings.iter().all(|finding| source(finding) == source(first));
        if is_one_source {
            page.lines(INDENT, &first.source, detail.source, detail.width);
        } else {
            page.left_out += findings.iter().map(|finding| finding.source.len()).sum::<usize>();
        }
    }
    page.lines(INDENT, &first.notes, detail.reason, detail.width);
}

fn source<'t>(finding: &Finding<'t>) -> Vec<&'t str> {
    finding.source.iter().map(|said| said.text.trim()).collect()
}

/// `error E0308 mismatched types`, its first line behind what stands there already.
fn message(page: &mut Page, finding: &Finding<'_>, detail: &Detail) {
    let head: Vec<_> = [finding.word, finding.code].into_iter().filter(|word| !word.is_empty()).collect();
    let head = if head.is_empty() { String::new() } else { head.join(" ") + ": " };
    let mut lines = finding.message.iter();
    page.line(0, &format!("{head}{}", lines.next().map_or("", |line| line.as_ref())), detail.width.max(1000));
    for line in lines.clone().take(detail.reason) {
        page.line(INDENT, line, detail.width);
    }
    page.left_out += lines.len().saturating_sub(detail.reason);
    if lines.len() > detail.reason {
        page.line(INDENT, &format!("… {} more lines", lines.len() - detail.reason), usize::MAX);
    }
}

/// `src/a.ts:12:40,77:3 src/b.ts:1:1`, a line a file.
fn by_file(page: &mut Page, places: &[Place<'_>], detail: &Detail) {
    let shown = detail.places.min(places.len());
    let mut file = None;
    for place in &places[..shown] {
        if file == Some(place.file) {
            page.words(&format!(",{}", super::position(*place)), usize::MAX);
            continue;
        }
        if file.is_some() {
            page.text.push('\n');
        }
        file = Some(place.file);
        page.words(&format!("  {}", super::place(*place)), usize::MAX);
    }
    if file.is_some() {
        page.text.push('\n');
    }
    if shown < places.len() {
        page.line(INDENT, &format!("… {} more places", places.len() - shown), usize::MAX);
    }
}

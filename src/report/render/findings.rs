//! Findings: one line each; findings of the same words are told once, with all their places by file. Below an error
//! stand the line at fault and the notes; below any other finding, whose words and place say what to do, the first note
//! and, if there is much room, the line at fault.
//!
//! A column is written where a finding stands alone, and where only the column tells two places of a line apart.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use super::super::record::{Finding, Place, Said, Severity};
use super::page::{self, INDENT, Omission, Page, say_same};
use super::template::Template;

/// Most lines of a source span that is told whole, and number of lines told of a longer one.
const SPAN: usize = 8;
const SPAN_BEGINNING: usize = 3;
/// Lines of notes below an error.
const NOTES: usize = 5;

/// Source lines that were shown already: a line with several errors is shown once.
pub type Shown<'t> = HashSet<(&'t str, u32), RandomState>;
/// A map in the order of insertion.
type IndexMap<K, V> = indexmap::IndexMap<K, V, RandomState>;

/// Writes a group of findings of the same words, or of words that share a template.
pub fn group<'t>(page: &mut Page, findings: &[&Finding<'t>], shown: &mut Shown<'t>) {
    match findings {
        [] => {}
        [finding] => {
            let place = finding.place.map(|place| page::place(place) + " ").unwrap_or_default();
            page.words(&place, usize::MAX);
            message(page, finding, None);
            source(page, INDENT, finding, shown);
            notes(page, INDENT, &finding.notes, finding.severity);
        }
        [first, rest @ ..] => {
            let differ = rest.iter().any(|finding| finding.message != first.message);
            let template = differ.then(|| Template::of(findings)).flatten();
            if differ && template.is_none() {
                // A part of a group may have no template of its own.
                return findings.iter().for_each(|finding| group(page, &[finding], shown));
            }
            page.words(&format!("{}× ", findings.len()), usize::MAX);
            message(page, first, template.as_ref().map(|template| template.text.as_str()));
            if let Some(template) = template {
                let values = |at: usize| template.values.get(at).map(String::as_str);
                by_file(page, INDENT, findings, values);
            } else {
                places(page, findings, shown);
            }
        }
    }
}

/// Writes the places of findings of the same words; notes that differ stay with their places.
fn places<'t>(page: &mut Page, findings: &[&Finding<'t>], shown: &mut Shown<'t>) {
    let first = findings[0];
    if findings.iter().all(|finding| say_same(&finding.notes, &first.notes)) {
        return places_of(page, INDENT, findings, shown);
    }
    if first.severity != Severity::Error {
        by_file(page, INDENT, findings, |_| None);
        page.left_out.add(Omission::Note, findings.iter().map(|finding| finding.notes.len()).sum());
        page.left_out.add(Omission::Source, findings.iter().map(|finding| finding.source.len()).sum());
        return;
    }
    let mut by_notes: IndexMap<Vec<&str>, Vec<&Finding<'t>>> = IndexMap::default();
    for finding in findings {
        by_notes.entry(finding.notes.iter().map(|said| said.text).collect()).or_default().push(finding);
    }
    for same in by_notes.values() {
        places_of(page, 2 * INDENT, same, shown);
    }
}

/// Writes the places of findings that say the same, then the source and the notes that they share.
fn places_of<'t>(page: &mut Page, below: usize, same: &[&Finding<'t>], shown: &mut Shown<'t>) {
    if same.len() <= page.detail.at_fault
        && same[0].severity != Severity::Error
        && same.iter().any(|finding| !finding.source.is_empty())
    {
        for finding in same {
            by_file(page, INDENT, &[finding], |_| None);
            source(page, 2 * INDENT, finding, shown);
        }
        return notes(page, below, &same[0].notes, same[0].severity);
    }
    by_file(page, INDENT, same, |_| None);
    if same.iter().all(|finding| say_same(&finding.source, &same[0].source)) {
        source(page, below, same[0], shown);
    } else {
        page.left_out.add(Omission::Source, same.iter().map(|finding| finding.source.len()).sum());
    }
    notes(page, below, &same[0].notes, same[0].severity);
}

/// Writes the lines at fault.
fn source<'t>(page: &mut Page, indent: usize, finding: &Finding<'t>, shown: &mut Shown<'t>) {
    let line = finding.place.map(|place| (place.file, place.line));
    let is_error = finding.severity == Severity::Error;
    let most = if is_error { page.detail.source } else { page.detail.at_fault };
    if most > 0 && line.is_none_or(|line| shown.insert(line)) {
        // A span may be a whole function. A mark with numbers of the output's lines would be taken for the source's
        // numbers.
        let lines = finding.source.len();
        let told = if is_error || lines <= SPAN { lines } else { SPAN_BEGINNING };
        page.lines(indent, &finding.source[..told], most, page.detail.width);
        more_lines(page, indent, Omission::Source, lines - told);
    } else {
        page.left_out.add(Omission::Source, finding.source.len());
    }
}

fn notes(page: &mut Page, indent: usize, said: &[Said<'_>], severity: Severity) {
    if severity == Severity::Error {
        page.lines(indent, said, page.detail.reason.min(NOTES), page.detail.width);
    } else {
        let shown = said.len().min(page.detail.source).min(1);
        page.lines(indent, &said[..shown], shown, page.detail.width);
        page.left_out.add(Omission::Note, said.len() - shown);
    }
}

/// Writes a message (`error E0308: mismatched types`), its first line behind what stands on the page's line already.
fn message(page: &mut Page, finding: &Finding<'_>, template: Option<&str>) {
    let first = template.or(finding.message.first().map(AsRef::as_ref)).unwrap_or_default();
    let head: Vec<_> = [finding.word, finding.code].into_iter().filter(|word| !word.is_empty()).collect();
    let head = if head.is_empty() { String::new() } else { head.join(" ") + ": " };
    page.line(0, &format!("{head}{first}"), page.detail.width.max(1000));
    let rest = finding.message.get(1..).unwrap_or_default();
    for line in rest.iter().take(page.detail.reason) {
        page.line(INDENT, line, page.detail.width);
    }
    more_lines(page, INDENT, Omission::Marked, rest.len().saturating_sub(page.detail.reason));
}

fn more_lines(page: &mut Page, indent: usize, why: Omission, lines: usize) {
    if lines > 0 {
        page.left_out.add(why, lines);
        page.line(indent, &format!("… {lines} more lines"), usize::MAX);
    }
}

/// A line, a column, and the values told behind them.
type Row<'r> = (u32, Option<u32>, Option<&'r str>);

/// Writes places, a line a file: `src/a.ts:12,77`; values stand behind their lines: `src/a.ts:12 x; 77 y`.
fn by_file<'v>(
    page: &mut Page,
    indent: usize,
    findings: &[&Finding<'_>],
    values: impl Fn(usize) -> Option<&'v str>,
) {
    let start = page.text.len();
    let mut files: IndexMap<&str, Vec<Row<'v>>> = IndexMap::default();
    for (at, finding) in findings.iter().enumerate().take(page.detail.places) {
        let Some(Place { file, line, column }) = finding.place else { continue };
        files.entry(file).or_default().push((line, column, values(at)));
    }
    let is_of_file = |rows: &Vec<Row<'_>>| rows.iter().all(|row| row.0 == 0 && row.2.is_none());
    let is_first_line = |rows: &Vec<Row<'_>>| matches!(rows.as_slice(), [(1, _, None)]);
    if files.values().all(is_of_file) || files.len() >= WHOLE_FILES && files.values().all(is_first_line) {
        directories(page, indent, &files);
    } else {
        // A place that stands alone keeps its column.
        if let [finding] = findings
            && let Some(place) = finding.place.filter(|_| values(0).is_none())
        {
            return page.line(indent, &page::place(place), usize::MAX);
        }
        for (file, rows) in &mut files {
            // A full page is thrown away, or cut at its end.
            if page.is_full() {
                break;
            }
            rows.sort_by_key(|(line, column, _)| (*line, *column));
            page.line(indent, &format!("{file}{}", positions(rows)), usize::MAX);
        }
    }
    page.places += page.text.len() - start;
    page.mark_more(indent, findings.len().saturating_sub(page.detail.places), " places");
}

/// From this many consecutive lines on, only the first and the last are told.
const RUN: usize = 4;

/// The positions in one file, in their order: `:12,77:3,77:9`, `:12 x; 77 y`, `:12,12×3`, `:1-39`.
fn positions(rows: &[Row<'_>]) -> String {
    let has_values = rows.iter().any(|(.., value)| value.is_some());
    let mut counted: IndexMap<String, usize> = IndexMap::default();
    for on_line in rows.chunk_by(|one, other| one.0 == other.0) {
        let is_shared = !has_values && on_line.iter().any(|(_, column, _)| *column != on_line[0].1);
        for (line, column, value) in on_line {
            let line = if *line == 0 { String::new() } else { line.to_string() };
            let column = column.filter(|_| is_shared).map_or(String::new(), |column| format!(":{column}"));
            let value = value.map_or(String::new(), |value| format!(" {value}"));
            *counted.entry(line + &column + &value).or_default() += 1;
        }
    }
    let mut out = String::new();
    for (row, count) in in_runs(counted) {
        let before = match out.as_str() {
            "" if row.starts_with(|c: char| c.is_ascii_digit()) => ":",
            "" => "",
            _ if has_values => "; ",
            _ => ",",
        };
        out += before;
        out += &row;
        if count > 1 {
            out += &format!("×{count}");
        }
    }
    out
}

/// Joins consecutive lines, each with one finding and nothing more to tell of it: `1-39`.
fn in_runs(rows: IndexMap<String, usize>) -> Vec<(String, usize)> {
    let line = |(row, count): &(String, usize)| row.parse::<u32>().ok().filter(|_| *count == 1);
    let rows: Vec<_> = rows.into_iter().collect();
    let mut out = Vec::new();
    let follows = |a: &(String, usize), b: &(String, usize)| {
        line(a).zip(line(b)).is_some_and(|(a, b)| a.checked_add(1) == Some(b))
    };
    for run in rows.chunk_by(follows) {
        match run {
            [first, .., last] if run.len() >= RUN => out.push((format!("{}-{}", first.0, last.0), 1)),
            _ => out.extend_from_slice(run),
        }
    }
    out
}

/// Findings on the first lines of this many files, or more, are about the files.
const WHOLE_FILES: usize = 4;

/// Writes files without a line, or with line 1, a line a directory: `src/: a.ts, b.ts:1`.
fn directories(page: &mut Page, indent: usize, files: &IndexMap<&str, Vec<Row<'_>>>) {
    let mut directories: IndexMap<&str, Vec<String>> = IndexMap::default();
    for (file, rows) in files {
        let (directory, name) = file.split_at(file.rfind('/').map_or(0, |at| at + 1));
        let count = if rows.len() > 1 { format!("×{}", rows.len()) } else { String::new() };
        let line = if rows.iter().all(|row| row.0 == 0) { "" } else { ":1" };
        directories.entry(directory).or_default().push(format!("{name}{line}{count}"));
    }
    for (directory, names) in directories {
        let line = match names.as_slice() {
            [name] => format!("{directory}{name}"),
            names if directory.is_empty() => names.join(", "),
            names => format!("{directory}: {}", names.join(", ")),
        };
        page.line(indent, &line, usize::MAX);
    }
}

//! Findings: one line each; findings of the same words are told once, with all their places by file. Below an error
//! stand the line at fault and the notes; below any other finding, whose words and place say what to do, the first note
//! and, if there is much room, the line at fault.

use std::fmt::Write as _;
use std::ops::Range;

use super::super::maps::{HashSet, IndexMap};
use super::super::record::{Finding, Place, Said, Severity};
use super::draft::{self, Draft, INDENT, Omission, same_lines};
use super::groups;
use super::template::Template;
use crate::marks;

/// Most lines of a source span that is told whole, and number of lines told of a longer one.
const SPAN: usize = 16;
const SPAN_BEGINNING: usize = 3;
/// Findings of the same words, or nearly, that are told one by one.
const FEW: usize = 3;
/// Lines of notes below an error.
const NOTES: usize = 8;

/// Source lines that were shown already: a line with several errors is shown once.
pub type Shown<'t> = HashSet<(&'t str, u32)>;

/// Writes the findings of a group that are asked for: of the same words, or of words that share a template, with each
/// finding's own.
pub fn group<'t>(
    draft: &mut Draft<'_>,
    group: &groups::Findings<'_, 't>,
    asked: Range<usize>,
    shown: &mut Shown<'t>,
) {
    let findings = &group.all[asked.clone()];
    let [first, rest @ ..] = findings else { return };
    let is_template = |_: &&Template| rest.iter().any(|finding| finding.message != first.message);
    let template = group.template.as_ref().filter(is_template);
    let has_lines = first.severity == Severity::Error && !first.source.is_empty();
    // A few errors keep their lines.
    if rest.is_empty() || template.is_some() && has_lines && findings.len() <= FEW {
        for finding in findings {
            let place = finding.place.map(|place| draft::place(place) + " ").unwrap_or_default();
            alone(draft, 0, &place, finding, shown);
        }
        return;
    }
    draft.words(&format!("{}× ", findings.len()), usize::MAX);
    let column = first.place.and_then(|place| place.column);
    let is_shared = |finding: &&Finding<'_>| finding.place.and_then(|place| place.column) == column;
    draft.column = column.filter(|_| findings.len() >= SHARED && findings.iter().all(is_shared));
    if let Some(column) = draft.column {
        draft.words(&format!("at column {column} "), usize::MAX);
    }
    message(draft, 0, first, template.map(|template| template.text.as_str()));
    match template {
        Some(template) => with_values(draft, findings, &template.values[asked]),
        None => places(draft, findings, shown),
    }
    draft.column = None;
}

/// Writes findings of one file, each of its own words, below the file's name: `src/a.ts:`, then `  12:5 message`.
pub fn of_file<'t>(draft: &mut Draft<'_>, findings: &[&Finding<'t>], shown: &mut Shown<'t>) {
    for (at, finding) in findings.iter().enumerate() {
        let Some(place) = finding.place else { continue };
        if at == 0 {
            draft.line(0, &format!("{}:", place.file), usize::MAX);
        }
        let position = draft::place(Place { file: "", ..place });
        alone(draft, INDENT, &format!("{} ", &position[1..]), finding, shown);
    }
}

/// The file of a finding that may stand below its file's name.
pub fn file_of<'t>(group: &[&Finding<'t>]) -> Option<&'t str> {
    let [finding] = group else { return None };
    finding.place.filter(|place| place.line > 0).map(|place| place.file)
}

/// Writes a finding alone, behind its place.
fn alone<'t>(
    draft: &mut Draft<'_>,
    indent: usize,
    place: &str,
    finding: &Finding<'t>,
    shown: &mut Shown<'t>,
) {
    draft.text.extend(std::iter::repeat_n(' ', indent));
    draft.words(place, usize::MAX);
    message(draft, indent, finding, None);
    source(draft, indent + INDENT, finding, shown);
    notes(draft, indent + INDENT, &finding.notes, finding.severity);
}

/// Writes the places of findings of the same words; notes that differ stay with their places.
fn places<'t>(draft: &mut Draft<'_>, findings: &[&Finding<'t>], shown: &mut Shown<'t>) {
    let first = findings[0];
    if findings.iter().all(|finding| same_lines(&finding.notes, &first.notes)) {
        return places_of(draft, INDENT, findings, shown);
    }
    if first.severity != Severity::Error {
        by_file(draft, INDENT, findings, |_| None);
        draft.left_out.add(Omission::Note, findings.iter().map(|finding| finding.notes.len()).sum());
        draft.left_out.add(Omission::Source, findings.iter().map(|finding| finding.source.len()).sum());
        return;
    }
    let mut by_notes: IndexMap<Vec<&str>, Vec<&Finding<'t>>> = IndexMap::default();
    for finding in findings {
        by_notes.entry(finding.notes.iter().map(|said| said.text).collect()).or_default().push(finding);
    }
    // A macro stands in one place, and is at fault wherever it is expanded.
    let mut by_place: IndexMap<_, Vec<Vec<&Finding<'t>>>> = IndexMap::default();
    for (at, same) in by_notes.into_values().enumerate() {
        let first = same[0];
        let is_macro =
            first.notes.iter().any(is_of_macro) && same.iter().all(|finding| finding.place == first.place);
        by_place.entry(if is_macro { (first.place, 0) } else { (None, at) }).or_default().push(same);
    }
    for expansions in by_place.values() {
        places_of(draft, 2 * INDENT, &expansions[0], shown);
        for same in &expansions[1..] {
            notes(draft, 2 * INDENT, &same[0].notes, Severity::Error);
            draft.left_out.add(Omission::Repeat, same.iter().map(|finding| finding.source.len()).sum());
        }
    }
}

/// Writes the places of findings that say the same, then the source and the notes that they share.
fn places_of<'t>(draft: &mut Draft<'_>, below: usize, same: &[&Finding<'t>], shown: &mut Shown<'t>) {
    let is_told = match same[0].severity {
        // An error's line is often all that mends it.
        Severity::Error => same.len() <= draft.detail.source.min(FEW),
        _ => same.len() <= draft.detail.at_fault,
    };
    let is_shared = same.iter().all(|finding| same_lines(&finding.source, &same[0].source));
    if is_told && (!is_shared || same[0].severity != Severity::Error && !same[0].source.is_empty()) {
        for finding in same {
            by_file(draft, INDENT, &[finding], |_| None);
            source(draft, 2 * INDENT, finding, shown);
        }
        return notes(draft, below, &same[0].notes, same[0].severity);
    }
    by_file(draft, INDENT, same, |_| None);
    if is_shared {
        source(draft, below, same[0], shown);
    } else {
        draft.left_out.add(Omission::Source, same.iter().map(|finding| finding.source.len()).sum());
    }
    notes(draft, below, &same[0].notes, same[0].severity);
}

/// Writes the lines at fault.
fn source<'t>(draft: &mut Draft<'_>, indent: usize, finding: &Finding<'t>, shown: &mut Shown<'t>) {
    let line = finding.place.map(|place| (place.file, place.line));
    let is_error = finding.severity == Severity::Error;
    let most = if is_error { draft.detail.source } else { SPAN * draft.detail.at_fault.min(1) };
    if most > 0 && line.is_none_or(|line| shown.insert(line)) {
        // A span may be a whole function. A mark with numbers of the output's lines would be taken for the source's
        // numbers.
        let lines = finding.source.len();
        let told = if is_error || lines <= SPAN { lines } else { SPAN_BEGINNING };
        draft.lines(indent, &finding.source[..told], most, draft.detail.width);
        more_lines(draft, indent, Omission::Source, lines - told);
    } else {
        draft.left_out.add(Omission::Source, finding.source.len());
    }
}

/// Whether a note names the macro in which its finding stands.
fn is_of_macro(note: &Said<'_>) -> bool {
    note.text.contains("in expansion of macro")
}

fn notes(draft: &mut Draft<'_>, indent: usize, said: &[Said<'_>], severity: Severity) {
    if severity == Severity::Error {
        draft.lines(indent, said, draft.detail.reason.min(NOTES), draft.detail.width);
    } else {
        // A help, and what it suggests; where a macro stands says less.
        let most = draft.detail.source.min(if draft.detail.at_fault > 0 { 2 } else { 1 });
        let (mut shown, macros): (Vec<_>, Vec<_>) = said.iter().copied().partition(|said| !is_of_macro(said));
        shown.extend(macros.into_iter().rev());
        // What only leads to the next line (`Did you mean:`) says nothing without it.
        let is_lead = most > 0 && shown.first().is_some_and(|said| said.text.ends_with(':'));
        shown.truncate(most.max(2 * usize::from(is_lead)));
        draft.lines(indent, &shown, shown.len(), draft.detail.width);
        draft.left_out.add(Omission::Note, said.len() - shown.len());
    }
}

/// Writes a message (`error E0308: mismatched types`), its first line behind what stands on the draft's line already.
fn message(draft: &mut Draft<'_>, indent: usize, finding: &Finding<'_>, template: Option<&str>) {
    let mut lines: Vec<&str> = finding.message.iter().map(AsRef::as_ref).collect();
    // The message may be cut off.
    if lines.is_empty() {
        lines.push("");
    }
    // The last link of a chain of types says what is wrong: `Property 'x' is missing in type …`.
    if finding.code.starts_with("TS") && lines[0].contains(" is not assignable to ") {
        lines.rotate_right(1);
    }
    if let Some(template) = template {
        lines[0] = template;
    }
    let head: Vec<_> = [finding.word, finding.code].into_iter().filter(|word| !word.is_empty()).collect();
    let head = if head.is_empty() { String::new() } else { head.join(" ") + ": " };
    let first = draft.names.called(lines[0]);
    draft.line(0, &format!("{head}{first}"), draft.detail.width.max(1000));
    let rest = &lines[1..];
    for line in rest.iter().take(draft.detail.reason) {
        let line = draft.names.called(line);
        draft.line(indent + INDENT, &line, draft.detail.width);
    }
    more_lines(draft, indent + INDENT, Omission::Marked, rest.len().saturating_sub(draft.detail.reason));
}

fn more_lines(draft: &mut Draft<'_>, indent: usize, why: Omission, lines: usize) {
    if lines > 0 {
        draft.left_out.add(why, lines);
        draft.line(indent, &format!("… {lines} more lines"), usize::MAX);
    }
}

/// Most bytes of a line of several files with values, and of a value that shares its line with others.
const BESIDE: usize = 400;
const SHORT: usize = 32;

/// A line, a column, and the values told behind them.
type Row<'r> = (u32, Option<u32>, Option<&'r str>);
/// A file's name, and its rows.
type InFile<'n, 'r> = (&'n str, Vec<Row<'r>>);

/// Writes findings that differ in the words in the place of the stars: places behind their value where values come
/// again (`Observer<any>: src/a.ts:3:5,9:1`), else values behind their places.
fn with_values(draft: &mut Draft<'_>, findings: &[&Finding<'_>], values: &[String]) {
    let mut same: IndexMap<&str, Vec<&Finding<'_>>> = IndexMap::default();
    for (finding, value) in findings.iter().zip(values) {
        same.entry(value).or_default().push(finding);
    }
    // A value that reads like a line of toto's begins none.
    let is_ours = |value: &&str| marks::is_ours(value.as_bytes());
    if same.len() * 2 > findings.len() || same.keys().any(is_ours) {
        return by_file(draft, INDENT, findings, |at| values.get(at).map(String::as_str));
    }
    same.sort_by(|_, some, _, others| others.len().cmp(&some.len()));
    let start = draft.text.len();
    let mut room = draft.detail.places;
    for (value, findings) in same {
        if room == 0 || draft.is_full() {
            break;
        }
        let told = findings.len().min(room);
        match &lines_by_file(draft, &findings[..told], |_| None)[..] {
            [line] => draft.line(INDENT, &format!("{value}: {line}"), usize::MAX),
            lines => {
                draft.line(INDENT, &format!("{value}:"), usize::MAX);
                for line in lines {
                    draft.line(2 * INDENT, line, usize::MAX);
                }
            }
        }
        room -= told;
    }
    draft.places += draft.text.len() - start;
    draft.mark_more(INDENT, findings.len().saturating_sub(draft.detail.places), " places");
}

/// Writes places, a line a directory (`src/: a.ts:12:5,77:3 b.ts:9:1`) or a file; short values stand behind their
/// places, a line a file (`src/a.ts:12:5 x; 77:3 y`), others a line each.
fn by_file<'v>(
    draft: &mut Draft<'_>,
    indent: usize,
    findings: &[&Finding<'_>],
    values: impl Fn(usize) -> Option<&'v str>,
) {
    let start = draft.text.len();
    let told = &findings[..findings.len().min(draft.detail.places)];
    for line in lines_by_file(draft, told, values) {
        draft.line(indent, &line, usize::MAX);
    }
    draft.places += draft.text.len() - start;
    draft.mark_more(indent, findings.len() - told.len(), " places");
}

/// The lines of a file, each with its value: `src/a.ts:12:5 x`, or several below the file's name.
fn rows_of_file(file: &str, mut rows: Vec<Row<'_>>) -> Vec<String> {
    rows.sort_by_key(|(line, column, _)| (*line, *column));
    let row = |row: &Row<'_>| {
        let mut out = String::new();
        positions(&mut out, std::slice::from_ref(row));
        out
    };
    match &rows[..] {
        [alone] => vec![format!("{file}{}", row(alone))],
        rows => {
            let below = rows.iter().map(|position| format!("  {}", row(position).trim_start_matches(':')));
            [format!("{file}:")].into_iter().chain(below).collect()
        }
    }
}

fn lines_by_file<'v>(
    draft: &Draft<'_>,
    findings: &[&Finding<'_>],
    values: impl Fn(usize) -> Option<&'v str>,
) -> Vec<String> {
    let mut files: IndexMap<&str, Vec<Row<'v>>> = IndexMap::default();
    for (at, finding) in findings.iter().enumerate() {
        let Some(Place { file, line, column }) = finding.place else { continue };
        let column = column.filter(|_| draft.column.is_none());
        let row = (line, column, values(at));
        // Findings of a file mostly stand side by side.
        match files.last_mut().filter(|(last, _)| **last == file) {
            Some((_, rows)) => rows.push(row),
            None => files.entry(file).or_default().push(row),
        }
    }
    let is_long = |row: &Row<'_>| row.2.is_some_and(|value| value.len() > SHORT);
    if files.values().flatten().any(is_long) {
        return files.into_iter().flat_map(|(file, rows)| rows_of_file(file, rows)).collect();
    }
    let mut directories: IndexMap<(&str, usize), Vec<InFile<'_, 'v>>> = IndexMap::default();
    for (at, (file, rows)) in files.into_iter().enumerate() {
        let directory = file.rfind('/').map_or("", |end| &file[..=end]);
        let is_alone = file.contains(' ') || rows.iter().any(|row| row.2.is_some());
        let key = (directory, if is_alone { at } else { usize::MAX });
        directories.entry(key).or_default().push((&file[directory.len()..], rows));
    }
    let mut lines: Vec<String> = Vec::new();
    let mut may_join = false;
    for ((directory, _), names) in directories {
        let has_values = names.iter().any(|(_, rows)| rows.iter().any(|row| row.2.is_some()));
        let colon = if names.len() > 1 && !directory.is_empty() { ":" } else { "" };
        // Most lines are of this length at least.
        let mut line = String::with_capacity(BESIDE / 2);
        line += directory;
        line += colon;
        for (name, mut rows) in names {
            rows.sort_by_key(|(line, column, _)| (*line, *column));
            line += if line.len() > directory.len() { " " } else { "" };
            line += name;
            positions(&mut line, &rows);
        }
        // Short rows of values share a line.
        match lines.last_mut() {
            Some(last) if has_values && may_join && last.len() + line.len() <= BESIDE => {
                last.push_str("; ");
                last.push_str(&line);
            }
            _ => lines.push(line),
        }
        may_join = has_values;
    }
    lines
}

/// From this many findings on, a column that they share is told once.
const SHARED: usize = 8;
/// From this many consecutive lines on, only the first and the last are told.
const RUN: usize = 4;

/// Writes the positions in one file, in their order: `:12:5,77:3`, `:12:5 x; 77:3 y`, `:12,12×3`, `:1-39:5`.
fn positions(out: &mut String, rows: &[Row<'_>]) {
    let start = out.len();
    let has_values = rows.iter().any(|(.., value)| value.is_some());
    let mut counted: Vec<(Row<'_>, usize)> = Vec::with_capacity(rows.len());
    for same_place in rows.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let mut values: IndexMap<_, usize> = IndexMap::default();
        match same_place {
            [row] => counted.push((*row, 1)),
            rows => {
                for row in rows {
                    *values.entry(*row).or_default() += 1;
                }
                counted.extend(values);
            }
        }
    }
    // Consecutive lines, each with one finding at one column and nothing more to tell of it.
    let follows = |(one, count): &(Row<'_>, usize), (other, more): &(Row<'_>, usize)| {
        (*count, *more, one.2, other.2, one.1) == (1, 1, None, None, other.1)
            && one.0.checked_add(1) == Some(other.0)
    };
    for run in counted.chunk_by(follows) {
        let (told, last) = if run.len() >= RUN { (&run[..1], run.last()) } else { (run, None) };
        for ((line, column, value), count) in told {
            *out += match (out.len() == start, *line == 0, has_values) {
                (true, true, _) => "",
                (true, false, _) => ":",
                (false, _, true) => "; ",
                (false, _, false) => ",",
            };
            if *line > 0 {
                let _ = write!(out, "{line}");
            }
            if let Some(((last, ..), _)) = last {
                let _ = write!(out, "-{last}");
            }
            if let Some(column) = column.filter(|_| *line > 0) {
                let _ = write!(out, ":{column}");
            }
            if let Some(value) = value {
                let _ = write!(out, " {value}");
            }
            if *count > 1 {
                let _ = write!(out, "×{count}");
            }
        }
    }
}

//! `error[E0308]: mismatched types`, then `  --> src/a.rs:3:5` and an excerpt behind a gutter: rustc, clippy, and
//! ruff's `full` and `format --check`.

use std::borrow::Cow;
use std::ops::Range;

use super::super::maps::HashMap;
use super::super::record::{Finding, Place, Said, Severity, What, number};
use super::super::section::{Family, Section};
use super::form::{colons, is_error_number};

pub fn rustc(section: &mut Section<'_>, family: &Family) {
    let mut codes = HashMap::default();
    let found = section.each_finding(|section, at| {
        let (mut finding, behind) = head(section, at)?;
        let end = body(section, behind, &mut finding);
        // A lint is named only where it is found first; equal messages come from the same lint.
        let words = finding.message.clone();
        if finding.code.is_empty() {
            finding.code = codes.get(&words).copied().unwrap_or("");
        } else {
            codes.entry(words).or_insert(finding.code);
        }
        Some((finding, end))
    });
    section.totals(family.totals);
    let closing = ["error: could not compile *", "error: aborting due to *", "error: build failed"];
    section.add_totals(&closing, true);
    // If a program ran after its build, the program's output is what was asked for.
    if !section.lines.iter().any(|line| line.text.trim_start().starts_with("Running `")) {
        section.totals(&["Finished * target(s) in *"]);
    }
    if found || section.records.iter().any(|record| matches!(record.what, What::Total(_))) {
        section.headings(family.headings);
    }
}

/// A finding (`error[E0308]: mismatched types`) with an arrow or a gutter below, and the line behind its place.
fn head<'t>(section: &Section<'t>, at: usize) -> Option<(Finding<'t>, usize)> {
    let line = section.text(at);
    let levels = [("error", Severity::Error), ("warning", Severity::Warning)];
    let (word, severity) = levels.into_iter().find(|(word, _)| line.starts_with(word))?;
    let mut rest = &line[word.len()..];
    let mut code = "";
    if let Some((found, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        (code, rest) = (found, behind);
    }
    let mut message = Cow::Borrowed(rest.strip_prefix(": ")?.trim_end());
    let mut behind = at + 1;
    // A message of several lines.
    while behind < at + 12
        && section.text(behind).starts_with("       ")
        && arrow(section.text(behind)).is_none()
    {
        message = Cow::Owned(format!("{message} {}", section.text(behind).trim()));
        behind += 1;
    }
    let place = arrow(section.text(behind));
    if place.is_none() && !is_gutter(section.text(behind)) {
        return None;
    }
    let behind = behind + usize::from(place.is_some());
    Some((Finding::new(place, word, severity, code, message), behind))
}

/// The place of a line `  --> src/a.rs:3:5`.
fn arrow(line: &str) -> Option<Place<'_>> {
    let rest = line.trim_start().strip_prefix("--> ")?;
    Some(colons(rest.trim_end()).map_or(Place::of_file(rest.trim_end()), |(place, _)| place))
}

/// Whether a line is one of an excerpt or of a note: `   |`, `12 | let x;`, `...`.
fn is_gutter(line: &str) -> bool {
    let rest = line.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let behind = rest[digits..].trim_start();
    rest.strip_prefix("...").is_some_and(|rest| rest.is_empty() || rest.trim_start().starts_with('|'))
        || behind.starts_with('|')
        || (line.starts_with(' ') || digits > 0)
            && (behind.starts_with("= ") || behind.starts_with(['+', '-', '~']) && digits > 0)
}

/// Reads the lines below a place: the excerpt, notes, help. Returns the first line that is not the finding's.
fn body<'t>(section: &Section<'t>, start: usize, finding: &mut Finding<'t>) -> usize {
    let mut notes = None;
    let end = section.while_free(start, |at| {
        let line = section.text(at);
        let rest = line.trim_start();
        let named = || is_named(line).then_some(line);
        if let Some(said) = rest.strip_prefix("= ").filter(|_| line.starts_with(' ')).or_else(named) {
            notes.get_or_insert(at);
            note(section.quote(at, said.trim_end()), finding);
        } else if notes.is_none() {
            return is_gutter(line) || rest.starts_with("::: ");
        } else if let Some(place) = rest.strip_prefix("::: ").or_else(|| rest.strip_prefix("--> ")) {
            // The place that a note points at stands below the note's words.
            if !is_level(section.text(at - 1)) {
                finding.notes.push(section.quote(at, place.trim_end()));
            }
        } else if is_gutter(line) {
            finding.notes.extend(suggestion(section, at));
        } else if line.starts_with("     ") {
            finding.notes.push(section.quote(at, rest.trim_end()));
        } else {
            return false;
        }
        true
    });
    excerpt(section, start..notes.unwrap_or(end), finding);
    end
}

/// Whether a note or a help begins on a line.
fn is_named(line: &str) -> bool {
    ["note: ", "help: ", "info: "].iter().any(|word| line.starts_with(word))
}

/// Reads an excerpt: the line at fault, or the lines of a span (`/` in front of the first, `|` of the others), and the
/// words behind the marks below, which are added to the message: ``^^^^^ expected `u32`, found `&str` ``. Other lines with
/// words below them are notes, the words behind one mark.
fn excerpt<'t>(section: &Section<'t>, lines: Range<usize>, finding: &mut Finding<'t>) {
    let fault = finding.place.map_or(0, |place| place.line);
    let (mut is_at, mut is_span, mut is_elsewhere, mut label) = (false, false, false, "");
    let (mut of_label, mut labels, mut beside, mut marked) = (None, Vec::new(), Vec::new(), "");
    for at in lines {
        let line = section.text(at).trim();
        if let Some((shown, rest)) = number(line) {
            let Some(source) = rest.trim_start().strip_prefix('|') else { continue };
            (is_at, marked) = (shown == fault && !is_elsewhere, "");
            of_label = Some(section.quote(at, line)).filter(|_| !is_at);
            if is_at && finding.source.is_empty() {
                let span = source.trim_start().strip_prefix("/ ");
                is_span = span.is_some();
                finding.source.push(section.quote(at, span.map_or(source.trim(), str::trim_end)));
            } else if is_span {
                let span = source.trim_start().strip_prefix('|');
                is_span = span.is_some();
                let said = span.map(|span| span.strip_prefix(' ').unwrap_or(span).trim_end());
                finding.source.extend(said.map(|said| section.quote(at, said)));
            }
        } else if let Some(place) = line.strip_prefix("::: ") {
            (is_elsewhere, is_at, of_label) = (true, false, None);
            labels.push(section.quote(at, place));
        } else if let Some(marks) = line.strip_prefix('|') {
            let words = marks.trim_start_matches([' ', '|', '_', '-', '^']);
            let drawn = &marks[..marks.len() - words.len()];
            // Words stand behind the last mark, or below theirs.
            let is_own = if drawn.contains(['^', '-']) {
                marked = drawn;
                drawn.trim_end().ends_with('^')
            } else {
                marked.as_bytes().get(drawn.len()) == Some(&b'^')
            };
            if (is_at || is_span) && label.is_empty() && is_own {
                label = words.split("  ").next().unwrap_or("").trim_end_matches([' ', '|', '-']);
                // `|  _____^`: the span begins within the line above, and its words stand below its last line.
                is_span |= is_at && label.is_empty() && marks.contains('_');
            } else if is_at && !words.is_empty() {
                beside.push(section.quote(at, words));
            } else if !is_at && !words.is_empty() {
                labels.extend(of_label.take());
                let from = line.len().checked_sub(words.len() + 2);
                let with_mark = from.and_then(|from| line.get(from..)).unwrap_or(words);
                labels.push(section.quote(at, with_mark.trim_start()));
            }
        }
    }
    // Words at another mark of the line, whose place is not told.
    beside.retain(|said| label.is_empty() || said.text.contains('`'));
    labels.append(&mut beside);
    finding.notes.splice(0..0, labels);
    let message = &mut finding.message[0];
    if !label.is_empty() && !message.contains(label) {
        *message = Cow::Owned(format!("{message}: {label}"));
    }
}

/// Whether a note says no more than where the project set the level of a lint; its place stands below.
fn is_level(line: &str) -> bool {
    line.trim_end() == "note: the lint level is defined here"
}

/// Adds a note or a help. One that only names the lint gives the finding its code instead.
fn note<'t>(said: Said<'t>, finding: &mut Finding<'t>) {
    let is_silent =
        is_level(said.text) || said.text.starts_with("note: `-D ") && said.text.contains("` implied by `-D ");
    match lint(said.text) {
        None if is_silent => {}
        None => finding.notes.push(said),
        Some(lint) if finding.code.is_empty() => finding.code = lint,
        Some(_) => {}
    }
}

/// The lint that a note names: `… rust-clippy/master/index.html#needless_return`,
/// ``note: `#[warn(unused_imports)]` on by default``, ``help: to override `-D warnings` add `#[allow(unused)]` ``.
fn lint(text: &str) -> Option<&str> {
    if let Some((_, lint)) = text.split_once("rust-clippy/").and_then(|(_, rest)| rest.split_once('#')) {
        return Some(lint.trim_end());
    }
    let rest = text.strip_prefix("note: `#[").or_else(|| text.strip_prefix("help: to override "))?;
    let (_, rest) = rest.split_once('(')?;
    Some(rest.split_once(')')?.0.trim_start_matches("clippy::"))
}

/// The line that a help suggests, marked by `+` or `~` in front or below.
fn suggestion<'t>(section: &Section<'t>, at: usize) -> Option<Said<'t>> {
    let (_, rest) = number(section.text(at).trim_start())?;
    let rest = rest.trim_start();
    let is_marked = |marks: &str| {
        marks.contains(['+', '~']) && marks.bytes().all(|byte| matches!(byte, b' ' | b'+' | b'~' | b'|'))
    };
    let below = section.text(at + 1).trim_start();
    let said = match rest.strip_prefix('|') {
        Some(source) if below.starts_with('|') && is_marked(below) => source.trim(),
        None if rest.starts_with("+ ") || rest.starts_with("~ ") => rest.trim_end(),
        _ => return None,
    };
    Some(section.quote(at, said))
}

/// ruff's excerpts.
pub fn ruff(section: &mut Section<'_>, _: &Family) {
    let is_ruff =
        |code: &str| matches!(code, "invalid-syntax" | "unformatted" | "error") || is_error_number(code);
    section.each_finding(|section, at| {
        let place = arrow(section.text(at + 1))?;
        let line = section.text(at).trim_end();
        let (code, rest) = line.split_once([' ', ':']).filter(|(code, _)| is_ruff(code))?;
        let message = rest.trim_start().trim_start_matches("[*] ");
        let (word, code) = if code == "error" { (code, "") } else { ("", code) };
        let mut finding = Finding::new(Some(place), word, Severity::Note, code, message);
        let mut notes = None;
        let end = section.while_free(at + 2, |at| {
            let line = section.text(at);
            if is_named(line) {
                notes.get_or_insert(at);
                finding.notes.push(section.quote(at, line.trim_end()));
                return true;
            }
            line.starts_with(|c: char| matches!(c, ' ' | '-') || c.is_ascii_digit()) || is_gutter(line)
        });
        if code != "unformatted" {
            excerpt(section, at + 2..notes.unwrap_or(end), &mut finding);
        }
        Some((finding, end))
    });
}

//! Known forms: a text is written in forms that are recognised at sight, in which every word is whole (docs/notation.md).

mod again;
mod paths;
mod plain;
mod search;

use std::borrow::Cow;

use super::expand::ExpandError;
use super::expand::printed::{TableReader, is_head};
use super::pvfn::printed::TableWriter;
use super::pvfn::scalar::estimate;
use crate::document::tables::{self, Part, Tables};
use crate::marks::{self, ends_in_note};

/// Fewest tokens, estimated, that the forms of a text's tables save on average; else the tables stand as they were printed.
const WORTH_OF_TABLE: u32 = 40;
/// Parts of a text beyond which its tables stand between other lines.
const MIXED: usize = 4;

/// The text in the forms that save tokens, or `None` where none does.
///
/// With `exact`, a form is used only where [`read`] gives the text back byte for byte; else what only fills up is left out:
/// blanks at ends of lines and in front of aligned values, the strokes of trees.
pub fn render(text: &str, exact: bool) -> Option<String> {
    // A line that reads like the head of a table is none.
    if text.contains('\0') || text.lines().any(is_head) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    if let Some(tables) = tables::read(text) {
        let is_mixed = tables.parts.len() > MIXED;
        let forms = table_forms(&tables, exact);
        let (mut forms, mut sources) = (forms.into_iter(), tables.lines.iter());
        for part in &tables.parts {
            match part {
                Part::Text(text) => lines(text, exact, &mut out),
                Part::Table(_) => {
                    let (form, source) =
                        (forms.next().flatten(), sources.next().copied().unwrap_or_default());
                    out.extend_from_slice(form.as_deref().unwrap_or(source.as_bytes()));
                }
            }
        }
        // Lines between tables may come again: together with those of the tables that may save more.
        if is_mixed {
            let mut all = Vec::new();
            lines(text, exact, &mut all);
            if estimate(&all) <= estimate(&out) {
                out = all;
            }
        }
    } else {
        lines(text, exact, &mut out);
    }
    let out = String::from_utf8(out).ok()?;
    let is_read_back = || !exact || read(&out, text.len()).as_deref() == Some(text);
    (out != text && !ends_in_note(&out) && is_read_back()).then_some(out)
}

/// The form of each table that has fewer tokens than its lines; none at all where a table saves less than
/// [`WORTH_OF_TABLE`] on average, so that tables of one output look alike.
fn table_forms(tables: &Tables<'_>, exact: bool) -> Vec<Option<Vec<u8>>> {
    let mut printed = TableWriter::of(&tables.document, &tables.heads, exact);
    let mut saved = Vec::new();
    let ids =
        tables.parts.iter().filter_map(|part| if let Part::Table(id) = part { Some(*id) } else { None });
    let forms = ids.zip(&tables.lines).map(|(id, source)| {
        let mut form = Vec::new();
        printed.write(id, &mut form);
        let saves = estimate(source).saturating_sub(estimate(&form));
        if saves == 0 {
            printed.forget();
            return None;
        }
        saved.push(saves);
        Some(form)
    });
    let mut forms: Vec<_> = forms.collect();
    if saved.iter().sum::<u32>() < WORTH_OF_TABLE * saved.len() as u32 {
        forms.fill(None);
    }
    forms
}

/// Appends lines that are no table.
fn lines(text: &str, exact: bool, out: &mut Vec<u8>) {
    // An entry without its strokes, or names on one line, could be a line of toto's.
    let could_be_ours =
        |text: &str| text.lines().any(|line| line.starts_with(' ') && marks::is_ours(line.as_bytes()));
    let smooth = (!exact).then(|| plain::smooth(text)).filter(|smooth| !could_be_ours(smooth));
    let smooth = smooth.map_or(Cow::Borrowed(text), Cow::Owned);
    let short = again::write(&places(&smooth));
    // A line that reads like a form but is none: nothing is said in forms.
    let is_read = !could_be_ours(&short) && read_lines(&short, smooth.len()).as_deref() == Some(&*smooth);
    out.extend_from_slice(if is_read { short.as_bytes() } else { smooth.as_bytes() });
}

/// The text that stands in forms; `None` where it is longer than `most` bytes, or a table breaks off.
pub fn read(text: &str, most: usize) -> Option<String> {
    parse(text, most).ok().flatten()
}

/// The same; fails where a table breaks off.
pub fn parse(text: &str, most: usize) -> Result<Option<String>, ExpandError> {
    let mut out = Vec::new();
    let mut tables = TableReader::new(text, most);
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let end =
            memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |newline| at + newline + 1);
        if is_head(&text[at..end]) {
            let Some(lines) = read_lines(&text[from..at], most) else { return Ok(None) };
            out.extend_from_slice(lines.as_bytes());
            let (table, behind) = tables.read(at)?;
            if !table.print(most.saturating_sub(out.len()), &mut out) {
                return Ok(None);
            }
            (from, at) = (behind, behind);
        } else {
            at = end;
        }
    }
    let Some(lines) = read_lines(&text[from..], most) else { return Ok(None) };
    out.extend_from_slice(lines.as_bytes());
    Ok(String::from_utf8(out).ok().filter(|out| out.len() <= most))
}

/// The lines that stand in forms; `None` where they are longer than `most` bytes.
fn read_lines(text: &str, most: usize) -> Option<String> {
    let text = again::read(text, most)?;
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    let mut at = 0;
    // Whether only empty lines stand between here and search results above.
    let mut is_below = false;
    while at < lines.len() {
        let rest = &lines[at..];
        let from = out.len();
        let mut length = search::read(&mut out, rest);
        if length > 0 && is_below {
            out.remove(from - 1);
        }
        is_below = length > 0 || is_below && rest[0].is_empty();
        if length == 0 {
            length = paths::read(&mut out, rest);
        }
        if length == 0 {
            out.push_str(rest[0]);
            out.push('\n');
        }
        at += length.max(1);
        if out.len() > most.saturating_add(1) {
            return None;
        }
    }
    out.truncate(out.len() - usize::from(!text.ends_with('\n') && !out.is_empty()));
    Some(out)
}

/// The text with search results and paths in their forms.
fn places(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut is_below = false;
    while at < lines.len() {
        let rest = &lines[at..];
        let found = search::group(rest);
        // Below a line that says the same a heading would be that line once more.
        let is_told = |(length, path): &(usize, &str)| *length > 1 && (at == 0 || lines[at - 1] != *path);
        let (length, is_search) = if let Some((length, path)) = found.filter(is_told) {
            out.push_str(if is_below { "\n" } else { "" });
            search::write(&mut out, &rest[..length], path);
            (length, true)
        } else if found.is_some() {
            // A single match is no path.
            out.extend([rest[0], "\n"]);
            (1, false)
        } else {
            (paths::write(&mut out, rest), is_below && rest[0].is_empty())
        };
        (at, is_below) = (at + length, is_search);
    }
    out.truncate(out.len() - usize::from(!text.ends_with('\n') && !out.is_empty()));
    out
}

//! Takes out again what was put into TOML.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Item, TableLike};

use super::super::change::{Place, Undo, mentions};
use super::super::splice::{Splice, apply, line_end, top};
use super::reading::{Way, follow, is_value, json_of, parse, to_json};
use crate::mistake::Mistake;

pub fn undo(text: &str, place: &Place<'_>, undo: &Undo) -> Result<String, Mistake> {
    let document = parse(text)?;
    let Place { at, value, mark } = *place;
    let Ok(way) = follow(text, &document, at) else { return Ok(text.to_owned()) };
    let Some(item) = way.item else { return Ok(text.to_owned()) };
    let splices = match (mark, item.span()) {
        (Some(mark), _) => without_element(text, &way, item, (value, mark), undo.existing),
        (None, Some(range)) if is_value(&text[range.clone()], value) => match &undo.old {
            Some(old) => vec![Splice { range, new: old.clone() }],
            None => vec![without_key(text, &way, range, undo.existing)],
        },
        _ => Vec::new(),
    };
    Ok(apply(text, &splices))
}

/// The splice that takes out a key with its value, and the header above it where the key is the table's only one.
fn without_key(text: &str, way: &Way, value: Range<usize>, existing: usize) -> Splice {
    let (table, depth) = way.innermost();
    if let Some(span) = way.inline_span(depth) {
        let key = table.get_key_value(&way.at[depth]).and_then(|(key, _)| key.span());
        return entry(text, span, key.map_or(value.start, |key| key.start)..value.end);
    }
    let line = whole_lines(text, value);
    match way.header(depth) {
        Some(header) if table.len() == 1 && depth >= existing && !table.is_dotted() => {
            block(text, whole_lines(text, header).start..line.end)
        }
        _ => {
            let gap = text[line.end..].starts_with(line_end(text)) && line.start == top(text);
            Splice::delete(line.start..line.end + if gap { line_end(text).len() } else { 0 })
        }
    }
}

/// The splice that takes out an entry of an inline table or array, with the comma between it and a neighbour.
fn entry(text: &str, container: Range<usize>, entry: Range<usize>) -> Splice {
    let blank = |text: &str| text.len() - text.trim_start().len();
    let before = container.start + text[container.start..entry.start].trim_end().len();
    let behind = entry.end + blank(&text[entry.end..container.end]);
    if text[..before].ends_with(',') {
        Splice::delete(before - 1..entry.end)
    } else if text[behind..].starts_with(',') {
        Splice::delete(entry.start..behind + 1 + blank(&text[behind + 1..container.end]))
    } else {
        Splice::delete(before..behind)
    }
}

/// The whole lines of a span, with the line break of the last. Where other text, such as a comment, follows the span on
/// its last line, that text stays.
fn whole_lines(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(top(text), |newline| newline + 1);
    let rest = &text[span.end..];
    let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
    let end = if line.trim().is_empty() { span.end + line.len() } else { span.end };
    start..end
}

/// The splice that takes out a block of lines, with the blank line above that came with it.
fn block(text: &str, lines: Range<usize>) -> Splice {
    let above = &text[..lines.start];
    let newline = line_end(text);
    let gap = above.strip_suffix(newline).is_some_and(|rest| rest.is_empty() || rest.ends_with('\n'));
    Splice::delete(lines.start - if gap { newline.len() } else { 0 }..lines.end)
}

fn without_element(
    text: &str,
    way: &Way,
    item: &Item,
    (element, mark): (&Value, &str),
    existing: usize,
) -> Vec<Splice> {
    if let Some(list) = item.as_array_of_tables() {
        let all = || list.iter().map(|table| (table, to_json(text, table)));
        let found = all()
            .find(|(_, value)| value == element)
            .or_else(|| all().find(|(_, value)| mentions(value, mark)));
        return found.and_then(|(table, _)| Some(block(text, extent(text, table)?))).into_iter().collect();
    }
    let (Some(array), Some(span)) = (item.as_array(), item.span()) else { return Vec::new() };
    let value = |span: Option<Range<usize>>| span.and_then(|span| json_of(&text[span]));
    let ours = array
        .iter()
        .find(|item| value(item.span()).as_ref() == Some(element))
        .or_else(|| array.iter().find(|item| value(item.span()).is_some_and(|value| mentions(&value, mark))));
    match ours.and_then(toml_edit::Value::span) {
        Some(_) if array.len() == 1 && existing <= way.tables.len() => {
            vec![without_key(text, way, span, existing)]
        }
        Some(ours) => vec![entry(text, span, ours)],
        None => Vec::new(),
    }
}

/// The whole lines of a table with a header, and of everything in the table.
fn extent(text: &str, table: &toml_edit::Table) -> Option<Range<usize>> {
    let start = table.span()?;
    let mut end = start.end;
    let mut open: Vec<&dyn TableLike> = vec![table];
    while let Some(table) = open.pop() {
        for (_, item) in table.iter() {
            end = end.max(item.span().map_or(0, |span| span.end));
            open.extend(item.as_table_like());
            open.extend(item.as_array_of_tables().into_iter().flatten().map(|table| table as &dyn TableLike));
        }
    }
    Some(whole_lines(text, start.start..end))
}

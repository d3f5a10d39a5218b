//! Takes out again what was put into TOML.

use std::ops::Range;

use serde_json::Value;
use toml_edit::TableLike;

use super::super::change::{Place, Undo, mentions};
use super::super::splice::{Splice, apply, line_end, top};
use super::reading::{Way, follow, own_ends, parse};
use crate::mistake::Mistake;

pub fn undo(text: &str, place: &Place<'_>, undo: &Undo) -> Result<String, Mistake> {
    let document = parse(text)?;
    let Ok(way) = follow(text, &document, place.at) else { return Ok(text.to_owned()) };
    let splice = if let Some(mark) = place.mark {
        element(text, &way, place.value, mark, undo.existing)
    } else {
        way.value_span().filter(|_| way.value == *place.value).map(|range| match &undo.old {
            Some(old) => (range, old.clone()),
            None => (key_with_header(text, &way, range, undo.existing), String::new()),
        })
    };
    Ok(apply(text, splice.as_slice()))
}

/// A key with its value, and the header above it where the key is the table's only one.
fn key_with_header(text: &str, way: &Way, value: Range<usize>, existing: usize) -> Range<usize> {
    let (table, depth) = way.innermost();
    if let Some(span) = way.inline_span(way.written()) {
        let start = key_start(text, way, value.start, &span);
        return entry(text, span, start..value.end);
    }
    let line = whole_lines(text, value);
    match way.header(depth) {
        Some(header) if table.len() == 1 && depth >= existing && !table.is_dotted() => {
            block(text, whole_lines(text, header).start..line.end)
        }
        _ => {
            let gap = text[line.end..].starts_with(line_end(text)) && line.start == top(text);
            line.start..line.end + if gap { line_end(text).len() } else { 0 }
        }
    }
}

/// The start of the dotted key, in the inline table of this span, whose value starts at `value`.
fn key_start(text: &str, way: &Way, value: usize, inline: &Range<usize>) -> usize {
    let ends = own_ends(way.tables[way.written()]).into_iter().filter(|end| *end <= value);
    let before = &text[ends.max().unwrap_or(inline.start + 1)..value];
    // A key is on the line of its value.
    let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    value - line.strip_prefix(',').unwrap_or(line).trim_start().len()
}

/// An entry of an inline table or array, with the comma between it and a neighbour.
fn entry(text: &str, container: Range<usize>, entry: Range<usize>) -> Range<usize> {
    let blank = |text: &str| text.len() - text.trim_start().len();
    let before = container.start + text[container.start..entry.start].trim_end().len();
    let behind = entry.end + blank(&text[entry.end..container.end]);
    if text[..before].ends_with(',') {
        before - 1..entry.end
    } else if text[behind..].starts_with(',') {
        entry.start..behind + 1 + blank(&text[behind + 1..container.end])
    } else {
        // The line break may end a comment, of which the bracket must not become a part.
        if before == container.start + 1 { before..behind } else { entry.start..behind }
    }
}

/// The whole lines of a span, with the last line break. Other text behind the span, such as a comment, stays.
fn whole_lines(text: &str, span: Range<usize>) -> Range<usize> {
    let start = text[..span.start].rfind('\n').map_or(top(text), |newline| newline + 1);
    let rest = &text[span.end..];
    let line = rest.find('\n').map_or(rest, |newline| &rest[..=newline]);
    let end = if line.trim().is_empty() { span.end + line.len() } else { span.end };
    start..end
}

/// A block of lines, with the blank line above that came with it.
fn block(text: &str, lines: Range<usize>) -> Range<usize> {
    let above = &text[..lines.start];
    let newline = line_end(text);
    let gap = above.strip_suffix(newline).is_some_and(|rest| rest.is_empty() || rest.ends_with('\n'));
    lines.start - if gap { newline.len() } else { 0 }..lines.end
}

fn element(text: &str, way: &Way, element: &Value, mark: &str, existing: usize) -> Option<Splice> {
    let (item, values) = (way.item?, way.value.as_array()?);
    let equal = values.iter().position(|value| value == element);
    let ours = equal.or_else(|| values.iter().position(|value| mentions(value, mark)))?;
    let range = if let Some(tables) = item.as_array_of_tables() {
        block(text, extent(text, tables.get(ours)?)?)
    } else if values.len() == 1 && existing <= way.tables.len() {
        key_with_header(text, way, item.span()?, existing)
    } else {
        entry(text, item.span()?, item.as_array()?.get(ours)?.span()?)
    };
    Some((range, String::new()))
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

//! Edits TOML 1.0: puts lines and inline entries in at places that the parser reports, and takes them out again.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, InlineTable, Item, Table, TableLike};

use super::change::{Place, Splice, Undo, apply, line_end, mentions};
use crate::mistake::Mistake;

pub fn edit(text: &str, place: &Place<'_>) -> Result<(String, Undo), Mistake> {
    let Place { at, value, mark } = *place;
    let document = parse(text)?;
    let way = follow(text, &document, at)?;
    let existing = way.tables.len();
    let inserted = |splice, existing| Ok((apply(text, &[splice]), Undo { added: true, existing, old: None }));
    if mark.is_none() {
        let Some(item) = way.item else {
            return inserted(insert(text, &way, &print(text, value)?), existing);
        };
        let span = way.value_span().ok_or_else(|| wrong(text, item, at, "a single value"))?;
        if way.value == *value {
            return Ok((text.to_owned(), Undo::NOTHING));
        }
        let old = Some(text[span.clone()].to_owned());
        return Ok((apply(text, &[(span, print(text, value)?)]), Undo { added: true, existing, old }));
    }
    if way.value.as_array().is_some_and(|values| values.contains(value)) {
        return Ok((text.to_owned(), Undo::NOTHING));
    }
    if let Some((array, span)) = way.item.and_then(|item| Some((item.as_array()?, item.span()?))) {
        let printed = print(text, value)?;
        let splice = match array.iter().last().and_then(toml_edit::Value::span) {
            Some(last) => (last.end..last.end, format!(", {printed}")),
            None => (span.start + 1..span.start + 1, printed),
        };
        return inserted(splice, at.len() + 1);
    }
    if let Some(item) = way.item.filter(|item| !item.is_array_of_tables() || !value.is_object()) {
        return Err(wrong(text, item, at, "an array"));
    }
    let (_, depth) = way.innermost();
    let may_have_header = way.inline_span(depth).is_none() && way.written() == depth;
    let Some(members) = value.as_object().filter(|_| may_have_header) else {
        let printed = print(text, &Value::Array(vec![value.clone()]))?;
        return inserted(insert(text, &way, &printed), existing);
    };
    let newline = line_end(text);
    let mut block = format!("[[{}]]", key(at));
    for (name, value) in members {
        block += &format!("{newline}{} = {}", key(std::slice::from_ref(name)), print(text, value)?);
    }
    inserted(at_end(text, &block, newline), existing)
}

/// The splice that puts a new key into the innermost existing table, in the form in which that table is written.
fn insert(text: &str, way: &Way, printed: &str) -> Splice {
    let (table, depth) = way.innermost();
    let newline = line_end(text);
    // A table made by dotted keys gets one more of them.
    let entry = format!("{} = {printed}", key(&way.at[way.written()..]));
    let own_end = own_ends(table).into_iter().max();
    if let Some(span) = way.inline_span(way.written()) {
        return match own_end {
            Some(end) => (end..end, format!(", {entry}")),
            None => (span.start + 1..span.start + 1, format!(" {entry} ")),
        };
    }
    if way.written() < depth {
        return below(text, own_end.unwrap_or(text.len()), &entry, newline);
    }
    // Keys may follow the table's own header, or stand at the top.
    let is_explicit = !way.table(depth).and_then(Item::as_table).is_some_and(Table::is_implicit);
    if is_explicit && (depth > 0 || way.at.len() == 1) {
        let Some(end) = own_end.or(way.header(depth).map(|span| span.end)) else {
            let gap = if text[top(text)..].trim().is_empty() { "" } else { newline };
            return (top(text)..top(text), format!("{entry}{newline}{gap}"));
        };
        return below(text, end, &entry, newline);
    }
    let (tables, last) = way.at.split_at(way.at.len().saturating_sub(1));
    at_end(text, &format!("[{}]{newline}{} = {printed}", key(tables), key(last)), newline)
}

/// The splice that puts a line below the line of this byte.
fn below(text: &str, at: usize, line: &str, newline: &str) -> Splice {
    match text[at..].find('\n') {
        Some(end) => (at + end + 1..at + end + 1, format!("{line}{newline}")),
        None => (text.len()..text.len(), format!("{newline}{line}")),
    }
}

fn at_end(text: &str, block: &str, newline: &str) -> Splice {
    let gap = match text {
        _ if text.trim_start_matches('\u{feff}').is_empty() => String::new(),
        _ if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    (text.len()..text.len(), format!("{gap}{block}{newline}"))
}

/// A value on one line. An error where TOML cannot hold the value: it has no null.
fn print(text: &str, value: &Value) -> Result<String, Mistake> {
    toml::Value::try_from(value)
        .map(|value| value.to_string())
        .map_err(|_| Mistake::at(text, 0, "TOML cannot hold this value"))
}

/// A dotted key, quoted where it has to be.
fn key(keys: &[String]) -> String {
    let bare = |key: &str| {
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
    };
    let quoted =
        |key: &String| if bare(key) { key.clone() } else { toml::Value::String(key.clone()).to_string() };
    keys.iter().map(quoted).collect::<Vec<_>>().join(".")
}

fn parse(text: &str) -> Result<Document<&str>, Mistake> {
    Document::parse(text)
        .map_err(|error| Mistake::at(text, error.span().map_or(0, |span| span.start), error.message()))
}

/// The existing tables on the way to a place, the outermost first, and what is at the place if it exists.
struct Way<'a> {
    at: &'a [String],
    tables: Vec<&'a dyn TableLike>,
    item: Option<&'a Item>,
    /// The item as JSON; null where there is none.
    value: Value,
}

impl<'a> Way<'a> {
    /// The innermost existing table, and its depth: 0 for the document.
    fn innermost(&self) -> (&'a dyn TableLike, usize) {
        let depth = self.tables.len() - 1;
        (self.tables[depth], depth)
    }

    /// The depth of the innermost existing table that is not made by dotted keys alone.
    fn written(&self) -> usize {
        (1..self.tables.len()).rfind(|depth| !self.tables[*depth].is_dotted()).unwrap_or(0)
    }

    /// The span of the item, if it is a value that dotted keys do not make.
    fn value_span(&self) -> Option<Range<usize>> {
        let value = self.item?.as_value()?;
        value.span().filter(|_| !value.as_inline_table().is_some_and(InlineTable::is_dotted))
    }

    /// The item that the table of this depth is; `None` for the document.
    fn table(&self, depth: usize) -> Option<&'a Item> {
        self.tables[depth.checked_sub(1)?].get(&self.at[depth - 1])
    }

    /// The span of the table of this depth, if it is an inline table.
    fn inline_span(&self, depth: usize) -> Option<Range<usize>> {
        self.table(depth)?.as_inline_table()?.span()
    }

    /// The span of the header of the table of this depth.
    fn header(&self, depth: usize) -> Option<Range<usize>> {
        self.table(depth)?.as_table()?.span()
    }
}

fn follow<'a>(text: &str, document: &'a Document<&str>, at: &'a [String]) -> Result<Way<'a>, Mistake> {
    let mut value = toml::from_str(text).ok().and_then(|table: toml::Table| serde_json::to_value(table).ok());
    for key in at {
        value = value.and_then(|mut value| Some(value.get_mut(key)?.take()));
    }
    let value = value.unwrap_or_default();
    let mut way = Way { at, tables: vec![document.as_table()], item: None, value };
    for (depth, key) in at.iter().enumerate() {
        let Some(item) = way.tables[depth].get(key) else { break };
        if depth + 1 == at.len() {
            way.item = Some(item);
            break;
        }
        way.tables.push(item.as_table_like().ok_or_else(|| wrong(text, item, &at[..=depth], "a table"))?);
    }
    Ok(way)
}

fn wrong(text: &str, item: &Item, at: &[String], what: &str) -> Mistake {
    let place = item.span().map_or(0, |span| span.start);
    Mistake::at(text, place, format!("`{}` is not {what}", at.join(".")))
}

/// The ends of the values in the table itself or in its dotted keys; tables with headers of their own do not count.
fn own_ends(table: &dyn TableLike) -> Vec<usize> {
    let (mut open, mut ends) = (vec![table], Vec::new());
    while let Some(table) = open.pop() {
        for (_, item) in table.iter() {
            match item {
                Item::Value(value) if value.as_inline_table().is_some_and(InlineTable::is_dotted) => {
                    open.extend(item.as_table_like());
                }
                Item::Value(value) => ends.extend(value.span().map(|span| span.end)),
                Item::Table(inner) if inner.is_dotted() => open.push(inner),
                _ => {}
            }
        }
    }
    ends
}

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
fn extent(text: &str, table: &Table) -> Option<Range<usize>> {
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

/// The start of the text, behind the byte-order mark.
fn top(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

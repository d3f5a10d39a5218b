//! Edits TOML 1.0: puts lines and inline entries in at places that the parser reports, and takes them out again.

use serde_json::Value;
use toml_edit::Item;

mod reading;
mod removal;

pub use removal::undo;

use self::reading::{Parsed, Way, follow, own_ends, parse, wrong};
use super::change::{Place, Undo};
use super::splice::{Splice, apply, line_end, top};
use crate::mistake::Mistake;

pub fn edit(text: &str, place: &Place<'_>) -> Result<(String, Undo), Mistake> {
    let document = parse(text)?;
    let edit = if place.mark.is_some() { append } else { set };
    edit(text, &document, place.at, place.value)
}

fn set(text: &str, document: &Parsed, at: &[String], value: &Value) -> Result<(String, Undo), Mistake> {
    let way = follow(text, document, at)?;
    let printed = print(text, value)?;
    let inserted = Undo { added: true, existing: way.tables.len(), old: None };
    let Some(item) = way.item else {
        return Ok((apply(text, &[insert(text, &way, &printed)]), inserted));
    };
    let span = way.value_span().ok_or_else(|| wrong(text, item, at, "a single value"))?;
    if way.value == *value {
        return Ok((text.to_owned(), Undo::NOTHING));
    }
    let undo = Undo { old: Some(text[span.clone()].to_owned()), ..inserted };
    Ok((apply(text, &[(span, printed)]), undo))
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
            Some(end) => inserted_at(end, format!(", {entry}")),
            None => inserted_at(span.start + 1, format!(" {entry} ")),
        };
    }
    if way.written() < depth {
        return below(text, own_end.unwrap_or(text.len()), &entry, newline);
    }
    // Keys may follow the table's own header, or stand at the top.
    let is_explicit = !way.table(depth).and_then(Item::as_table).is_some_and(toml_edit::Table::is_implicit);
    if is_explicit && (depth > 0 || way.at.len() == 1) {
        if let Some(end) = own_end.or(way.header(depth).map(|span| span.end)) {
            return below(text, end, &entry, newline);
        }
        let gap = if text[top(text)..].trim().is_empty() { "" } else { newline };
        return inserted_at(top(text), format!("{entry}{newline}{gap}"));
    }
    let (tables, last) = way.at.split_at(way.at.len().saturating_sub(1));
    at_end(text, &format!("[{}]{newline}{} = {printed}", key(tables), key(last)), newline)
}

/// The splice that puts a line below the line of this byte.
fn below(text: &str, at: usize, line: &str, newline: &str) -> Splice {
    match text[at..].find('\n') {
        Some(end) => inserted_at(at + end + 1, format!("{line}{newline}")),
        None => inserted_at(text.len(), format!("{newline}{line}")),
    }
}

fn inserted_at(at: usize, new: String) -> Splice {
    (at..at, new)
}

fn at_end(text: &str, block: &str, newline: &str) -> Splice {
    let gap = match text {
        _ if text.trim_start_matches('\u{feff}').is_empty() => String::new(),
        _ if text.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    inserted_at(text.len(), format!("{gap}{block}{newline}"))
}

fn append(text: &str, document: &Parsed, at: &[String], element: &Value) -> Result<(String, Undo), Mistake> {
    let way = follow(text, document, at)?;
    let inserted = Undo { added: true, existing: way.tables.len(), old: None };
    if way.value.as_array().is_some_and(|values| values.contains(element)) {
        return Ok((text.to_owned(), Undo::NOTHING));
    }
    if let Some((array, span)) = way.item.and_then(|item| Some((item.as_array()?, item.span()?))) {
        let printed = print(text, element)?;
        let splice = match array.iter().last().and_then(toml_edit::Value::span) {
            Some(last) => inserted_at(last.end, format!(", {printed}")),
            None => inserted_at(span.start + 1, printed),
        };
        return Ok((apply(text, &[splice]), Undo { existing: at.len() + 1, ..inserted }));
    }
    if let Some(item) = way.item.filter(|item| !item.is_array_of_tables() || !element.is_object()) {
        return Err(wrong(text, item, at, "an array"));
    }
    let (_, depth) = way.innermost();
    let may_have_header = way.inline_span(depth).is_none() && way.written() == depth;
    let Some(members) = element.as_object().filter(|_| may_have_header) else {
        let printed = print(text, &Value::Array(vec![element.clone()]))?;
        return Ok((apply(text, &[insert(text, &way, &printed)]), inserted));
    };
    let newline = line_end(text);
    let mut block = format!("[[{}]]", key(at));
    for (name, value) in members {
        block += &format!("{newline}{} = {}", key(std::slice::from_ref(name)), print(text, value)?);
    }
    Ok((apply(text, &[at_end(text, &block, newline)]), inserted))
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

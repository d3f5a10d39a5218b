//! Reads TOML: the tables on the way to a place, and values as JSON.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use crate::mistake::Mistake;

pub(super) type Parsed<'a> = Document<&'a str>;

pub(super) fn parse(text: &str) -> Result<Parsed<'_>, Mistake> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        Mistake::at(text, at, error.message())
    })
}

/// The existing tables on the way to a place, the outermost first, and what is at the place if it exists.
pub(super) struct Way<'a> {
    pub(super) at: &'a [String],
    pub(super) tables: Vec<&'a dyn TableLike>,
    pub(super) item: Option<&'a Item>,
    /// The item as JSON; null where there is none.
    pub(super) value: Value,
}

impl<'a> Way<'a> {
    /// The innermost existing table, and its depth: 0 for the document.
    pub(super) fn innermost(&self) -> (&'a dyn TableLike, usize) {
        let depth = self.tables.len() - 1;
        (self.tables[depth], depth)
    }

    /// The item that the table of this depth is; `None` for the document.
    pub(super) fn table(&self, depth: usize) -> Option<&'a Item> {
        self.tables[depth.checked_sub(1)?].get(&self.at[depth - 1])
    }

    /// The span of the table of this depth, if it is an inline table.
    pub(super) fn inline_span(&self, depth: usize) -> Option<Range<usize>> {
        self.table(depth)?.as_inline_table()?.span()
    }

    /// The span of the header of the table of this depth.
    pub(super) fn header(&self, depth: usize) -> Option<Range<usize>> {
        self.table(depth)?.as_table()?.span()
    }
}

pub(super) fn follow<'a>(text: &str, document: &'a Parsed, at: &'a [String]) -> Result<Way<'a>, Mistake> {
    let value = value_at(text, at).unwrap_or_default();
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

pub(super) fn wrong(text: &str, item: &Item, at: &[String], what: &str) -> Mistake {
    let place = item.span().map_or(0, |span| span.start);
    Mistake::at(text, place, format!("`{}` is not {what}", at.join(".")))
}

fn value_at(text: &str, at: &[String]) -> Option<Value> {
    let table: toml::Table = toml::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    let mut value = serde_json::to_value(table).ok()?;
    for key in at {
        value = value.get_mut(key)?.take();
    }
    Some(value)
}

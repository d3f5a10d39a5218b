//! Reads TOML: the tables on the way to a place, and values as JSON.

use std::ops::Range;

use serde_json::Value;
use toml_edit::{Document, InlineTable, Item, TableLike};

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

    /// The depth of the innermost existing table that is not made by dotted keys alone.
    pub(super) fn written(&self) -> usize {
        (1..self.tables.len()).rfind(|depth| !self.tables[*depth].is_dotted()).unwrap_or(0)
    }

    /// The span of the item, if it is a value that dotted keys do not make.
    pub(super) fn value_span(&self) -> Option<Range<usize>> {
        let value = self.item?.as_value()?;
        value.span().filter(|_| !value.as_inline_table().is_some_and(InlineTable::is_dotted))
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

pub(super) fn wrong(text: &str, item: &Item, at: &[String], what: &str) -> Mistake {
    let place = item.span().map_or(0, |span| span.start);
    Mistake::at(text, place, format!("`{}` is not {what}", at.join(".")))
}

/// The ends of the values in the table itself or in its dotted keys; tables with headers of their own do not count.
pub(super) fn own_ends(table: &dyn TableLike) -> Vec<usize> {
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

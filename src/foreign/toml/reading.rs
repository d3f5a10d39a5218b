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

/// The existing tables on the way to a place, the outermost first, and the item at the place if it exists.
pub(super) struct Way<'a> {
    pub(super) at: &'a [String],
    pub(super) tables: Vec<&'a dyn TableLike>,
    pub(super) item: Option<&'a Item>,
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
    let mut way = Way { at, tables: vec![document.as_table()], item: None };
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

pub(super) fn is_value(text: &str, value: &Value) -> bool {
    json_of(text).as_ref() == Some(value)
}

pub(super) fn json_of(text: &str) -> Option<Value> {
    let table: toml::Table = toml::from_str(&format!("v = {text}")).ok()?;
    serde_json::to_value(table.get("v")?).ok()
}

/// A table as JSON. The parser bounds the depth.
pub(super) fn to_json(text: &str, table: &dyn TableLike) -> Value {
    let list = |tables: &toml_edit::ArrayOfTables| tables.iter().map(|table| to_json(text, table)).collect();
    let member = |(name, item): (&str, &Item)| {
        let value = match item {
            Item::Value(value) => value.span().and_then(|span| json_of(&text[span])),
            Item::Table(table) => Some(to_json(text, table)),
            Item::ArrayOfTables(tables) => Some(Value::Array(list(tables))),
            Item::None => None,
        };
        (name.to_owned(), value.unwrap_or_default())
    };
    Value::Object(table.iter().map(member).collect())
}

//! Schema-YAML read back: the `schema:` line and the `data:` rows that toto writes, not YAML at large.

use indexmap::IndexMap;

use super::error::{ExpandError, fault};
use super::value::{Step, Value};
use crate::render::unquoted;

pub const START: &str = "schema: [";

pub fn read(text: &str) -> Result<Value, ExpandError> {
    let mut lines = text.lines().enumerate();
    let schema = lines.next().and_then(|(_, line)| line.strip_prefix(START)?.strip_suffix(']'));
    let schema = schema.ok_or_else(|| fault(1, "\"schema: [a, b]\" expected"))?;
    let mut keys = Vec::new();
    for key in cells(schema).map_err(|what| fault(1, what))? {
        match key {
            Value::Text(key) | Value::Literal(key) => keys.push(Step::Key(key)),
            _ => return Err(fault(1, "a key expected")),
        }
    }
    if lines.next().is_none_or(|(_, line)| line != "data:") {
        return Err(fault(2, "\"data:\" expected"));
    }
    let mut list = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !(line.is_empty() || line.starts_with('('))) {
        let row = line.strip_prefix("- [").and_then(|row| row.strip_suffix(']'));
        let row = row.ok_or_else(|| fault(at + 1, "a row \"- [a, b]\" expected"))?;
        let values = cells(row).map_err(|what| fault(at + 1, what))?;
        if values.len() != keys.len() {
            return Err(fault(at + 1, format!("{} values expected, {} found", keys.len(), values.len())));
        }
        list.push(Value::Tree(keys.iter().cloned().zip(values).collect::<IndexMap<_, _>>()));
    }
    Ok(Value::List(list))
}

/// `a, "b, c", 1`
fn cells(text: &str) -> Result<Vec<Value>, String> {
    let mut cells = Vec::new();
    let mut rest = text;
    loop {
        let end = if rest.starts_with('"') {
            let (text, end) = unquoted(rest, 0)?;
            cells.push(Value::Text(text.into_owned()));
            end
        } else {
            let end = rest.find(", ").unwrap_or(rest.len());
            cells.push(Value::bare(&rest[..end]));
            end
        };
        rest = &rest[end..];
        match rest.strip_prefix(", ") {
            Some(more) => rest = more,
            None if rest.is_empty() => return Ok(cells),
            None => return Err(format!("a comma expected before {rest:?}")),
        }
    }
}

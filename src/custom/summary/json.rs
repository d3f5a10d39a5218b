//! `[json]`: values of a JSON document under names. Paths are those of RFC 9535.

use std::time::Duration;

use serde_json::Value as Json;
use serde_json_path::JsonPath;

use crate::custom::schema::{Json as Rule, JsonExtract};
use crate::custom::script::within;
use crate::custom::value::{Budget, Names, Value};
use crate::filter::pattern::Compile;
use crate::marks;

/// Maximum length of a path, in bytes: the cost of reading a path grows with its length and its brackets.
const LONGEST: usize = 500;
const DEEPEST: usize = 8;
/// Maximum time for all paths, since a path may look at every value for every other.
const TIME: Duration = Duration::from_millis(500);

impl Rule {
    /// The values by name; `None` where the text is no JSON document, or where this takes too long.
    pub(in crate::custom) fn collect<'a>(&self, text: &[u8], budget: &Budget) -> Option<Names<'a>> {
        let document: Json = serde_json::from_slice(text).ok()?;
        let rules = self.extract.clone();
        let all = move || {
            let found = |rule: &JsonExtract| Some(named(rule.path.get()?.query(&document).all(), rule));
            rules.iter().filter_map(found).flatten().collect()
        };
        let found = within(TIME, "json", all);
        if found.is_err() {
            budget.0.set(0);
        }
        found.ok()
    }
}

/// The values found, by name: one value, or a list and its length.
fn named(found: Vec<&Json>, extract: &JsonExtract) -> Names<'static> {
    let found: Vec<&Json> = match found.as_slice() {
        [Json::Array(items)] => items.iter().collect(),
        [single] if !single.is_object() => return vec![(extract.name.clone(), scalar(single))],
        _ => found,
    };
    let count = (format!("{}_count", extract.name), Value::number(found.len() as i64));
    let items = found.into_iter().map(|item| record(item, extract)).collect();
    vec![count, (extract.name.clone(), Value::List(items))]
}

impl Compile for JsonPath {
    fn compile(path: &str) -> Result<Self, String> {
        let mut depth = 0_usize;
        for byte in path.bytes() {
            match byte {
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST || path.len() > LONGEST {
                return Err(format!(
                    "a path of more than {LONGEST} bytes, or {DEEPEST} brackets in brackets"
                ));
            }
        }
        Self::parse(path)
            .map_err(|error| format!("`{path}` is no path such as $.items[*].name: {}", error.message()))
    }
}

/// A value's fields: those that were asked for, else its scalars.
fn record(value: &Json, extract: &JsonExtract) -> Value<'static> {
    let Some(object) = value.as_object() else { return scalar(value) };
    if extract.fields.is_empty() {
        let scalars = object.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
        return Value::Record(scalars.map(|(key, value)| (key.clone(), scalar(value))).collect());
    }
    let pointer = |path: &str| format!("/{}", path.replace('~', "~0").replace('/', "~1").replace('.', "/"));
    let field = |path: &str| value.pointer(&pointer(path));
    let fields =
        extract.fields.iter().filter_map(|wanted| Some((wanted.name.clone(), scalar(field(&wanted.field)?))));
    Value::Record(fields.collect())
}

fn scalar(value: &Json) -> Value<'static> {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    // Escapes of JSON hide what a terminal would obey, and lines that could be toto's.
    Value::Text(marks::fit(text.as_bytes()).into_owned().into())
}

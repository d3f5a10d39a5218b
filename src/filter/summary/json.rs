//! `[json]`: values of a JSON document under names. Paths are those of RFC 9535.

mod condition;
mod path;

use serde_json::Value as Json;

use super::value::{Budget, Value};
use crate::filter::schema::{Json as Rule, JsonExtract, Mistake};
use path::Path;

/// A compiled `[json]`.
#[derive(Debug)]
pub struct Paths(Vec<(Path, JsonExtract)>);

impl Paths {
    /// Compiles a rule that stands in `source`.
    ///
    /// # Errors
    /// A path that cannot be followed.
    pub fn new(rule: &Rule, source: &str) -> Result<Self, Mistake> {
        let compiled = rule.extract.iter().map(|extract| Ok((compile(extract, source)?, extract.clone())));
        Ok(Self(compiled.collect::<Result<_, Mistake>>()?))
    }

    /// The values, where the text is a JSON document; `None` where it is none.
    pub fn collect<'a>(&self, text: &[u8], budget: &Budget) -> Option<Vec<(String, Value<'a>)>> {
        let document: Json = serde_json::from_slice(text).ok()?;
        let mut names = Vec::new();
        for (path, extract) in &self.0 {
            let found = path.follow(&document, &document, budget)?;
            if let [single] = found.as_slice()
                && !single.is_object()
                && !single.is_array()
            {
                names.push((extract.name.clone(), scalar(single)));
                continue;
            }
            let found = match found.as_slice() {
                [Json::Array(items)] => items.iter().collect(),
                _ => found,
            };
            names.push((format!("{}_count", extract.name), Value::number(found.len() as i64)));
            let items = found.into_iter().map(|item| record(item, extract)).collect();
            names.push((extract.name.clone(), Value::List(items)));
        }
        Some(names)
    }
}

/// Every path of a rule that cannot be followed.
pub fn mistakes(rule: &Rule, source: &str) -> Vec<Mistake> {
    rule.extract.iter().filter_map(|extract| compile(extract, source).err()).collect()
}

fn compile(extract: &JsonExtract, source: &str) -> Result<Path, Mistake> {
    Path::parse(extract.path.get_ref())
        .map_err(|message| Mistake::at(source, extract.path.span().start, message))
}

/// A value's fields: those that were asked for, else its scalars.
fn record<'a>(value: &Json, extract: &JsonExtract) -> Value<'a> {
    let Some(object) = value.as_object() else { return scalar(value) };
    if extract.fields.is_empty() {
        let scalars = object.iter().filter(|(_, value)| !value.is_object() && !value.is_array());
        return Value::Record(scalars.map(|(key, value)| (key.clone(), scalar(value))).collect());
    }
    let field = |path: &str| {
        path.split('.').try_fold(value, |value, step| match value {
            Json::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => value.get(step),
        })
    };
    let fields =
        extract.fields.iter().filter_map(|wanted| Some((wanted.name.clone(), scalar(field(&wanted.field)?))));
    Value::Record(fields.collect())
}

fn scalar<'a>(value: &Json) -> Value<'a> {
    let text = match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    Value::Text(text.into_bytes().into())
}

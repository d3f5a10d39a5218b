//! `[json]`: values of a JSON document under names. Paths are those of RFC 9535 without filter expressions.

use serde_json::Value as Json;

use super::value::{Budget, Value};
use crate::filter::schema::{Json as Rule, JsonExtract, Mistake};

/// A compiled `[json]`.
#[derive(Debug)]
pub struct Paths(Vec<(Vec<Step>, JsonExtract)>);

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(i64),
    Slice(Option<i64>, Option<i64>),
    Every,
    /// The value itself and everything in it.
    Descendants,
}

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
            let found = follow(&document, path, budget)?;
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

fn compile(extract: &JsonExtract, source: &str) -> Result<Vec<Step>, Mistake> {
    steps(extract.path.get_ref()).map_err(|message| Mistake::at(source, extract.path.span().start, message))
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

fn follow<'d>(document: &'d Json, path: &[Step], budget: &Budget) -> Option<Vec<&'d Json>> {
    let mut found = vec![document];
    for step in path {
        let mut next = Vec::new();
        for value in found {
            budget.spend(1)?;
            match (step, value) {
                (Step::Key(key), value) => next.extend(value.get(key)),
                (Step::Index(index), Json::Array(items)) => {
                    next.extend(items.get(position(*index, items.len())));
                }
                (Step::Slice(from, to), Json::Array(items)) => {
                    let end = to.map_or(items.len(), |to| position(to, items.len()).min(items.len()));
                    let start = from.map_or(0, |from| position(from, items.len())).min(end);
                    next.extend(&items[start..end]);
                }
                (Step::Every, Json::Array(items)) => next.extend(items),
                (Step::Every, Json::Object(fields)) => next.extend(fields.values()),
                (Step::Descendants, value) => descend(value, &mut next, budget)?,
                _ => {}
            }
        }
        found = next;
    }
    Some(found)
}

/// An index from the beginning; one in front of it is behind the end.
fn position(index: i64, length: usize) -> usize {
    let at = if index < 0 { index + length as i64 } else { index };
    usize::try_from(at).unwrap_or(usize::MAX)
}

fn descend<'d>(value: &'d Json, found: &mut Vec<&'d Json>, budget: &Budget) -> Option<()> {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        budget.spend(1)?;
        found.push(value);
        match value {
            Json::Array(items) => waiting.extend(items.iter().rev()),
            Json::Object(fields) => waiting.extend(fields.values().rev()),
            _ => {}
        }
    }
    Some(())
}

/// Reads a path: `$.items[*].metadata['name']`.
fn steps(path: &str) -> Result<Vec<Step>, String> {
    let wrong = || format!("`{path}` is no path such as $.items[*].name");
    let mut rest = path.trim().strip_prefix('$').ok_or_else(wrong)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let end = inside.find(']').ok_or_else(wrong)?;
            steps.push(bracket(&inside[..end]).ok_or_else(wrong)?);
            rest = &inside[end + 1..];
            continue;
        }
        rest = rest.strip_prefix('.').ok_or_else(wrong)?;
        if let Some(deeper) = rest.strip_prefix('.') {
            steps.push(Step::Descendants);
            rest = deeper;
            if rest.starts_with('[') {
                continue;
            }
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        steps.push(match &rest[..end] {
            "" => return Err(wrong()),
            "*" => Step::Every,
            key => Step::Key(key.to_owned()),
        });
        rest = &rest[end..];
    }
    Ok(steps)
}

fn bracket(text: &str) -> Option<Step> {
    let text = text.trim();
    let number = |text: &str| match text.trim() {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    for quote in ['\'', '"'] {
        if let Some(key) = text.strip_prefix(quote) {
            return Some(Step::Key(key.strip_suffix(quote)?.to_owned()));
        }
    }
    match text.split_once(':') {
        Some((from, to)) => Some(Step::Slice(number(from)?, number(to)?)),
        None if text == "*" => Some(Step::Every),
        None => text.parse().ok().map(Step::Index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed() {
        let document = serde_json::json!({"a": [{"b": 1}, {"b": 2}, {"c": {"b": 3}}], "d e": "x"});
        for (path, expected) in [
            ("$.a[*].b", "[1,2]"),
            ("$.a[-1].c.b", "[3]"),
            ("$.a[0:2].b", "[1,2]"),
            ("$.a[5:9]", "[]"),
            ("$..b", "[1,2,3]"),
            ("$['d e']", "[\"x\"]"),
            ("$.a[9]", "[]"),
            ("$.nope.b", "[]"),
        ] {
            let steps = steps(path).unwrap();
            let found = follow(&document, &steps, &Budget::for_input(0)).unwrap();
            assert_eq!(serde_json::to_string(&found).unwrap(), expected, "{path}");
        }
        for path in ["a", "$x", "$.", "$[", "$[?(@.a)]", "$.a[b]"] {
            assert!(steps(path).is_err(), "{path}");
        }
    }
}

//! Templates: `{name}`, `{list.count}`, `{list | each: "{index}. {value}" | join: "\n"}`.

use std::borrow::Cow;

use regex::bytes::Regex;

use super::value::{Budget, Value};
use crate::custom::schema::TemplateText;
use crate::custom::tidy::characters;
use crate::filter::lines::lines_of;
use crate::filter::pattern;
use crate::mistake::{Mistake, nearest};

/// Maximum depth of templates in templates.
const DEEPEST: usize = 6;
const PIPES: [&str; 6] = ["join", "each", "truncate", "lines", "keep", "where"];

/// A parsed template.
#[derive(Debug)]
pub struct Template(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(Vec<u8>),
    Value { name: String, property: Property, pipes: Vec<Pipe> },
}

#[derive(Clone, Copy, Debug)]
enum Property {
    Itself,
    Count,
    Lines,
}

#[derive(Debug)]
enum Pipe {
    Join(Vec<u8>),
    Each(Template),
    Truncate(usize),
    Lines,
    Keep(Regex),
}

/// The names that a template may use, the innermost first.
#[derive(Clone, Copy)]
struct Scope<'s, 'a> {
    names: &'s [(String, Value<'a>)],
    item: Option<(usize, &'s Value<'a>)>,
    outer: Option<&'s Scope<'s, 'a>>,
}

impl<'s, 'a> Scope<'s, 'a> {
    /// A scope of these names; of equal names the last counts.
    fn new(names: &'s [(String, Value<'a>)]) -> Self {
        Self { names, item: None, outer: None }
    }

    fn get(&self, name: &str) -> Option<Cow<'s, Value<'a>>> {
        match self.item {
            Some((_, item)) if name == "value" => return Some(Cow::Borrowed(item)),
            Some((index, _)) if name == "index" => return Some(Cow::Owned(Value::number(index as i64 + 1))),
            Some((_, item)) if item.field(name).is_some() => return item.field(name).map(Cow::Borrowed),
            _ => {}
        }
        let found = self.names.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| Cow::Borrowed(value)).or_else(|| self.outer?.get(name))
    }
}

impl Template {
    /// Parses a template that stands in `source`.
    ///
    /// # Errors
    /// An expression without an end, an unknown pipe, or a wrong argument of a pipe.
    pub fn new(text: &TemplateText, source: &str) -> Result<Self, Mistake> {
        Self::parse(text.get_ref(), DEEPEST)
            .map_err(|message| Mistake::at(source, text.span().start, message))
    }

    /// Writes the template with these names and no others; `None` where the budget is spent.
    pub fn with(&self, names: &[(String, Value<'_>)], budget: &Budget) -> Option<Vec<u8>> {
        self.render(&Scope::new(names), budget)
    }

    fn parse(text: &str, depth: usize) -> Result<Self, String> {
        if depth == 0 {
            return Err("templates in templates too deep".into());
        }
        let (mut parts, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(open) = rest.find('{') {
            plain.push_str(&rest[..open]);
            let inside = &rest[open + 1..];
            if !inside.trim_start_matches(' ').starts_with(begins_name) {
                plain.push('{');
                rest = inside;
                continue;
            }
            let end = scan(inside).1.ok_or_else(|| format!("`{{{inside}`: no `}}`"))?;
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain).into_bytes()));
            }
            parts.push(expression(&inside[..end], depth)?);
            rest = &inside[end + 1..];
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            parts.push(Part::Text(plain.into_bytes()));
        }
        Ok(Self(parts))
    }

    /// Writes the template with the names of a scope; an unknown name is nothing. `None` where the budget is spent.
    fn render(&self, scope: &Scope<'_, '_>, budget: &Budget) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => {
                    budget.spend(text.len())?;
                    out.extend_from_slice(text);
                }
                Part::Value { name, property, pipes } => {
                    let Some(value) = scope.get(name) else { continue };
                    let mut value = property.of(value, budget)?;
                    for pipe in pipes {
                        value = Cow::Owned(pipe.apply(value, scope, budget)?);
                    }
                    value.write(&mut out, budget)?;
                }
            }
        }
        Some(out)
    }
}

impl Property {
    fn of<'s, 'a>(self, value: Cow<'s, Value<'a>>, budget: &Budget) -> Option<Cow<'s, Value<'a>>> {
        let (Self::Count | Self::Lines) = self else { return Some(value) };
        budget.spend(value.length())?;
        Some(Cow::Owned(match self {
            Self::Count => Value::number(value.count() as i64),
            _ => Value::List(lines(&value)),
        }))
    }
}

fn lines<'a>(value: &Value<'a>) -> Vec<Value<'a>> {
    match value {
        Value::Text(Cow::Borrowed(text)) => {
            lines_of(text).map(|line| Value::Text(Cow::Borrowed(line))).collect()
        }
        Value::Text(text) => lines_of(text).map(|line| Value::Text(Cow::Owned(line.to_vec()))).collect(),
        Value::List(items) => items.iter().flat_map(lines).collect(),
        Value::Record(_) => vec![value.clone()],
    }
}

impl Pipe {
    fn apply<'a>(
        &self,
        value: Cow<'_, Value<'a>>,
        scope: &Scope<'_, 'a>,
        budget: &Budget,
    ) -> Option<Value<'a>> {
        match (self, value.as_ref()) {
            (Self::Join(separator), Value::List(items)) => {
                let mut text = Vec::new();
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        text.extend_from_slice(separator);
                    }
                    item.write(&mut text, budget)?;
                }
                Some(Value::Text(Cow::Owned(text)))
            }
            (Self::Each(template), Value::List(items)) => {
                let each = items.iter().enumerate().map(|item| {
                    let scope = Scope { names: &[], item: Some(item), outer: Some(scope) };
                    Some(Value::Text(Cow::Owned(template.render(&scope, budget)?)))
                });
                Some(Value::List(each.collect::<Option<_>>()?))
            }
            (Self::Truncate(limit), Value::Text(text)) => {
                budget.spend(text.len())?;
                Some(Value::Text(Cow::Owned(truncated(text, *limit))))
            }
            (Self::Lines, Value::Text(text)) => {
                budget.spend(text.len())?;
                Some(Value::List(lines(&value)))
            }
            (Self::Keep(pattern), Value::List(items)) => {
                let mut kept = Vec::new();
                for item in items {
                    if pattern.is_match(&item.to_text(budget)?) {
                        kept.push(item.clone());
                    }
                }
                Some(Value::List(kept))
            }
            (Self::Keep(_), Value::Text(_)) => {
                Self::apply(self, Cow::Owned(Value::List(lines(&value))), scope, budget)
            }
            _ => Some(value.into_owned()),
        }
    }
}

/// The first `limit` characters, and `…` for the rest.
fn truncated(text: &[u8], limit: usize) -> Vec<u8> {
    match characters(text).nth(limit) {
        Some(end) => [&text[..end], "…".as_bytes()].concat(),
        None => text.to_vec(),
    }
}

/// The positions of an expression's bars and of its closing brace. Bars and braces in quotes do not count, nor those of
/// an expression in quotes, whose own quotes may be escaped or not.
fn scan(text: &str) -> (Vec<usize>, Option<usize>) {
    let (mut bars, mut inside, mut escaped) = (Vec::new(), Vec::new(), false);
    for (at, byte) in text.bytes().enumerate() {
        let quoted = inside.last() == Some(&b'"');
        match byte {
            _ if escaped => escaped = false,
            b'\\' if !inside.is_empty() => escaped = true,
            b'"' if quoted => drop(inside.pop()),
            b'"' => inside.push(b'"'),
            b'{' if quoted && text[at + 1..].starts_with(begins_name) => inside.push(b'{'),
            b'}' if inside.last() == Some(&b'{') => drop(inside.pop()),
            b'}' if inside.is_empty() => return (bars, Some(at)),
            b'|' if inside.is_empty() => bars.push(at),
            _ => {}
        }
    }
    (bars, None)
}

fn begins_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn expression(text: &str, depth: usize) -> Result<Part, String> {
    let (bars, _) = scan(text);
    let starts = std::iter::once(0).chain(bars.iter().map(|bar| bar + 1));
    let mut parts =
        starts.zip(bars.iter().copied().chain([text.len()])).map(|(start, end)| &text[start..end]);
    let named = parts.next().unwrap_or_default().trim();
    let (name, property) = match named.split_once('.') {
        Some((name, "count")) => (name, Property::Count),
        Some((name, "lines")) => (name, Property::Lines),
        Some((name, "blocks")) => (name, Property::Itself),
        Some((_, other)) => return Err(format!("`.{other}`: it may be .count, .lines or .blocks")),
        None => (named, Property::Itself),
    };
    let pipes = parts.map(|pipe| parse_pipe(pipe.trim(), depth)).collect::<Result<_, _>>()?;
    Ok(Part::Value { name: name.to_owned(), property, pipes })
}

fn parse_pipe(text: &str, depth: usize) -> Result<Pipe, String> {
    let (name, argument) = match text.split_once(':') {
        Some((name, argument)) => (name.trim(), Some(unquoted(argument.trim()))),
        None => (text, None),
    };
    let argument = |wanted: &str| argument.clone().ok_or_else(|| format!("`{name}` wants {wanted}"));
    match name {
        "join" => Ok(Pipe::Join(argument("a text: join: \", \"")?.into_bytes())),
        "each" => Ok(Pipe::Each(Template::parse(&argument("a template: each: \"{value}\"")?, depth - 1)?)),
        "truncate" => argument("a number: truncate: 80")?
            .parse()
            .map(Pipe::Truncate)
            .map_err(|_| "`truncate` wants a number: truncate: 80".into()),
        "lines" => Ok(Pipe::Lines),
        "keep" | "where" => {
            let text = argument("an expression: keep: \"^error\"")?;
            pattern::build(&text)
                .map(Pipe::Keep)
                .map_err(|error| format!("`{text}`: {}", pattern::reason(&error)))
        }
        _ => Err(match nearest(name, PIPES.into_iter()) {
            Some(near) => format!("no pipe `{name}`; did you mean `{near}`?"),
            None => format!("no pipe `{name}`; there are {}", PIPES.join(", ")),
        }),
    }
}

/// The text in quotes, with its escapes resolved; text without quotes as it is. A backslash in front of anything but a
/// quote, a backslash, n or t stays, since regular expressions have escapes of their own.
fn unquoted(text: &str) -> String {
    let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.to_owned();
    };
    let (mut out, mut chars) = (String::new(), inside.chars());
    while let Some(character) = chars.next() {
        match (character, chars.clone().next()) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some(escaped @ ('"' | '\\'))) => out.push(escaped),
            _ => {
                out.push(character);
                continue;
            }
        }
        chars.next();
    }
    out
}

//! Templates: `{name}`, `{list.count}`, `{list | each: "{index}. {value}" | join: "\n"}`.

use std::borrow::Cow;

use once_cell::sync::Lazy;
use regex::Captures;
use regex::bytes::Regex;

use super::value::{Budget, Value};
use crate::filter::lines::lines_of;
use crate::filter::pattern::{Compile, Compiled};
use crate::mistake::nearest;

const DEEPEST: usize = 6;
const PIPES: [&str; 6] = ["join", "each", "truncate", "lines", "keep", "where"];

pub type Template = Compiled<Parsed>;

#[derive(Clone, Debug)]
pub struct Parsed(Vec<Part>);

#[derive(Clone, Debug)]
enum Part {
    Text(Vec<u8>),
    Value { name: String, pipes: Vec<Pipe> },
}

#[derive(Clone, Debug)]
enum Pipe {
    Count,
    /// `.lines`, which also takes the items of a list apart.
    LinesOfAll,
    Join(Vec<u8>),
    Each(Parsed),
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

impl Compile for Parsed {
    fn compile(text: &str) -> Result<Self, String> {
        Self::parse(text, DEEPEST)
    }
}

impl Template {
    /// Writes the template with these names and no others; `None` where the budget is spent.
    pub fn with(&self, names: &[(String, Value<'_>)], budget: &Budget) -> Option<Vec<u8>> {
        self.get()?.render(&Scope { names, item: None, outer: None }, budget)
    }
}

impl Parsed {
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
            let (stages, behind) = stages(inside).ok_or_else(|| format!("`{{{inside}`: no `}}`"))?;
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain).into_bytes()));
            }
            parts.push(expression(&stages, depth)?);
            rest = behind;
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
                Part::Value { name, pipes } => {
                    let Some(mut value) = scope.get(name) else { continue };
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
            (Self::Count, _) => {
                budget.spend(value.length())?;
                Some(Value::number(value.count() as i64))
            }
            (Self::LinesOfAll, _) | (Self::Lines, Value::Text(_)) => {
                budget.spend(value.length())?;
                Some(Value::List(lines(&value)))
            }
            (Self::Join(separator), Value::List(items)) => {
                let mut text = Vec::new();
                for (at, item) in items.iter().enumerate() {
                    text.extend_from_slice(if at > 0 { separator } else { b"" });
                    item.write(&mut text, budget)?;
                }
                Some(Value::Text(text.into()))
            }
            (Self::Each(template), Value::List(items)) => {
                let each = items.iter().enumerate().map(|item| {
                    let scope = Scope { names: &[], item: Some(item), outer: Some(scope) };
                    Some(Value::Text(template.render(&scope, budget)?.into()))
                });
                Some(Value::List(each.collect::<Option<_>>()?))
            }
            (Self::Truncate(limit), Value::Text(text)) => {
                budget.spend(text.len())?;
                let cut = characters(text).nth(*limit).map(|end| [&text[..end], "…".as_bytes()].concat());
                Some(Value::Text(cut.unwrap_or_else(|| text.to_vec()).into()))
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

/// The parts of an expression between its bars, and the text behind its closing brace; `None` where there is no such
/// brace. Bars and braces in quotes do not count, nor those of an expression in quotes, whose own quotes may be escaped
/// or not.
fn stages(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut stages, mut start, mut inside, mut escaped) = (Vec::new(), 0, Vec::new(), false);
    for (at, byte) in text.bytes().enumerate() {
        let quoted = inside.last() == Some(&b'"');
        match byte {
            _ if escaped => escaped = false,
            b'\\' if !inside.is_empty() => escaped = true,
            b'"' if quoted => drop(inside.pop()),
            b'"' => inside.push(b'"'),
            b'{' if quoted && text[at + 1..].starts_with(begins_name) => inside.push(b'{'),
            b'}' if inside.last() == Some(&b'{') => drop(inside.pop()),
            b'|' | b'}' if inside.is_empty() => {
                stages.push(text[start..at].trim());
                start = at + 1;
                if byte == b'}' {
                    return Some((stages, &text[start..]));
                }
            }
            _ => {}
        }
    }
    None
}

fn begins_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn expression(stages: &[&str], depth: usize) -> Result<Part, String> {
    let (named, pipes) = stages.split_first().map_or(("", stages), |(named, pipes)| (*named, pipes));
    let (name, property) = match named.split_once('.') {
        Some((name, "count")) => (name, Some(Pipe::Count)),
        Some((name, "lines")) => (name, Some(Pipe::LinesOfAll)),
        Some((name, "blocks")) => (name, None),
        Some((_, other)) => return Err(format!("`.{other}`: it may be .count, .lines or .blocks")),
        None => (named, None),
    };
    let pipes = pipes.iter().map(|pipe| parse_pipe(pipe, depth));
    let pipes = property.map(Ok).into_iter().chain(pipes).collect::<Result<_, _>>()?;
    Ok(Part::Value { name: name.to_owned(), pipes })
}

fn parse_pipe(text: &str, depth: usize) -> Result<Pipe, String> {
    let (name, argument) = match text.split_once(':') {
        Some((name, argument)) => (name.trim(), Some(unquoted(argument.trim()))),
        None => (text, None),
    };
    let argument = |wanted: &str| argument.clone().ok_or_else(|| format!("`{name}` wants {wanted}"));
    match name {
        "join" => Ok(Pipe::Join(argument("a text: join: \", \"")?.into_bytes())),
        "each" => Ok(Pipe::Each(Parsed::parse(&argument("a template: each: \"{value}\"")?, depth - 1)?)),
        "truncate" => argument("a number: truncate: 80")?
            .parse()
            .map(Pipe::Truncate)
            .map_err(|_| "`truncate` wants a number: truncate: 80".into()),
        "lines" => Ok(Pipe::Lines),
        "keep" | "where" => Regex::compile(&argument("an expression: keep: \"^error\"")?).map(Pipe::Keep),
        _ => Err(match nearest(name, PIPES.into_iter()) {
            Some(near) => format!("no pipe `{name}`; did you mean `{near}`?"),
            None => format!("no pipe `{name}`; there are {}", PIPES.join(", ")),
        }),
    }
}

/// The text in quotes, with its escapes resolved; text without quotes as it is. A backslash in front of anything but a
/// quote, a backslash, n or t stays, since regular expressions have escapes of their own.
fn unquoted(text: &str) -> String {
    static ESCAPE: Lazy<regex::Regex> =
        Lazy::new(|| regex::Regex::new(r#"\\([nt"\\])"#).expect("a pattern of our own"));
    let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.to_owned();
    };
    let resolved = ESCAPE.replace_all(inside, |escape: &Captures<'_>| match &escape[1] {
        "n" => "\n".to_owned(),
        "t" => "\t".to_owned(),
        quoted => quoted.to_owned(),
    });
    resolved.into_owned()
}

/// The positions at which the characters of a text begin.
pub fn characters(text: &[u8]) -> impl Iterator<Item = usize> {
    text.iter().enumerate().filter(|(_, byte)| **byte & 0xc0 != 0x80).map(|(at, _)| at)
}

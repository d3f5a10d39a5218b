//! Keys, paths and values as they stand on a line.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::value::{Part, Step, Value};
use crate::document::{decode, is_number};
use crate::render::json_text::style_of;
use crate::render::pvfn::scalar::is_range;

/// Deepest nesting that is read.
pub const MAX_DEPTH: usize = 300;
/// Most integers that the ranges of one text may stand for.
const MAX_RANGE: i64 = 50_000_000;

/// Most nodes that references may stand for, all together.
const MAX_REFERRED: usize = 20_000_000;

/// Aliases and anchors, which are known from where they stand to the end of the text.
#[derive(Default)]
pub struct Shared {
    pub aliases: HashMap<u32, String>,
    anchors: HashMap<u32, (Value, usize)>,
    referred: usize,
    /// The line that was read last, and how many bytes of it were not: where a fault is.
    pub line: usize,
    pub left: usize,
}

impl Shared {
    /// Gives a value a number.
    pub fn anchor(&mut self, number: u32, value: &Value) {
        let mut value = value.clone();
        value.settle();
        let size = value.size();
        self.anchors.insert(number, (value, size));
    }

    fn refer(&mut self, number: u32) -> Result<Value, Fault> {
        let (value, size) =
            self.anchors.get(&number).ok_or_else(|| format!("there is no &{number} before *{number}"))?;
        self.referred += size;
        if self.referred > MAX_REFERRED {
            return Err("the references stand for too much".into());
        }
        Ok(value.clone())
    }
}

/// Reads one line from left to right.
pub struct Cursor<'a, 's> {
    text: &'a str,
    at: usize,
    depth: usize,
    shared: &'s mut Shared,
}

/// What is wrong, in words.
pub type Fault = String;

impl<'a, 's> Cursor<'a, 's> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str, shared: &'s mut Shared) -> Self {
        Self { text, at: 0, depth: 0, shared }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Notes where the next piece begins.
    fn mark(&mut self) {
        self.shared.left = self.text.len() - self.at;
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `what` if it comes next.
    pub fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        self.mark();
        found
    }

    fn expect(&mut self, what: &str) -> Result<(), Fault> {
        if self.eat(what) {
            Ok(())
        } else {
            Err(format!("{what:?} expected before {:?}", shorten(self.rest())))
        }
    }

    /// `a.b.0."c d"`
    pub fn path(&mut self) -> Result<Vec<Step>, Fault> {
        let mut path = vec![self.step()?];
        while self.eat(".") {
            path.push(self.step()?);
        }
        Ok(path)
    }

    fn step(&mut self) -> Result<Step, Fault> {
        self.mark();
        if self.peek() == Some(b'"') {
            return Ok(Step::Key(self.quoted()?));
        }
        let rest = self.rest();
        let end = rest
            .bytes()
            .enumerate()
            .position(|(at, byte)| match byte {
                b' ' | b'.' | b'=' | b'[' | b']' | b'{' | b'}' | b'(' | b')' | b',' | b'"' => true,
                b':' => matches!(rest.as_bytes().get(at + 1), None | Some(b' ')),
                _ => false,
            })
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(format!("a key expected before {:?}", shorten(rest)));
        }
        self.at += end;
        let key = &rest[..end];
        match key.parse() {
            Ok(index) if key.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Step::Index(index)),
            _ => Ok(Step::Key(key.to_owned())),
        }
    }

    fn quoted(&mut self) -> Result<String, Fault> {
        self.mark();
        let bytes = self.text.as_bytes();
        let from = self.at + 1;
        let mut at = from;
        loop {
            match bytes.get(at) {
                None => return Err("a string without its closing quote".into()),
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        }
        let raw = self.text.get(from..at).ok_or("a broken escape")?;
        self.at = at + 1;
        if !raw.contains('\\') {
            return Ok(raw.to_owned());
        }
        // The same rules as for JSON: read it by the parser that knows them.
        serde_json::from_str::<serde::de::IgnoredAny>(&self.text[from - 1..self.at])
            .map_err(|_| format!("not a JSON string: {:?}", shorten(raw)))?;
        Ok(decode(raw))
    }

    /// The key that a row begins with.
    pub fn key(&mut self) -> Result<String, Fault> {
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let end = self.bare_end();
        let key = &self.rest()[..end];
        self.at += end;
        if key.is_empty() { Err("a key expected".into()) } else { Ok(key.to_owned()) }
    }

    /// Any value. `row` says that a comma ends it, too.
    pub fn value(&mut self, row: bool) -> Result<Value, Fault> {
        self.mark();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        let value = match self.peek() {
            Some(b'"') => match self.quoted()? {
                text if self.at_reference() => self.interpolated(vec![Part::Text(text)], row),
                text => Ok(Value::Text(text)),
            },
            Some(b'[') => self.list(),
            Some(b'{') => {
                self.at += 1;
                self.pairs_until_brace()
            }
            Some(b'$') if self.at_reference() => self.interpolated(Vec::new(), row),
            Some(b'*') => match self.number_after('*') {
                Some(number) => self.shared.refer(number),
                None => self.bare(row),
            },
            Some(b'&') => match self.number_after('&') {
                Some(number) => {
                    self.expect(" ")?;
                    let value = self.value(row)?;
                    self.shared.anchor(number, &value);
                    Ok(value)
                }
                None => self.bare(row),
            },
            Some(b'j') => match style_of(self.rest()) {
                Some(style) => {
                    self.at += style.word.len();
                    let mut value = self.value(row)?;
                    value.settle();
                    let mut text = Vec::new();
                    value.write_styled(&mut text, style);
                    String::from_utf8(text).map(Value::Text).map_err(|_| "not UTF-8".into())
                }
                None => self.bare(row),
            },
            _ => self.bare(row),
        };
        self.depth -= 1;
        value
    }

    /// Length of what stands before the next blank or closing bracket that was not opened in it.
    fn bare_end(&self) -> usize {
        let rest = self.rest();
        let mut open = 0u32;
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b' ' => return at,
                b'[' | b'{' | b'(' => open += 1,
                b']' | b'}' | b')' if open == 0 => return at,
                b']' | b'}' | b')' => open -= 1,
                _ => {}
            }
        }
        rest.len()
    }

    /// Reads `*12` or `&12`.
    fn number_after(&mut self, sign: char) -> Option<u32> {
        let digits = self.rest().strip_prefix(sign)?;
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let number = digits[..length].parse().ok()?;
        self.at += 1 + length;
        Some(number)
    }

    fn at_reference(&self) -> bool {
        reference_in(
            &self.rest()[..self.rest().char_indices().nth(2).map_or(self.rest().len(), |(at, _)| at)],
        ) == Some(0)
    }

    fn bare_token(&self, row: bool) -> &'a str {
        let token = &self.rest()[..self.bare_end()];
        if row { token.strip_suffix(',').unwrap_or(token) } else { token }
    }

    fn bare(&mut self, row: bool) -> Result<Value, Fault> {
        let token = self.bare_token(row);
        if token.is_empty() {
            return Err(format!("a value expected before {:?}", shorten(self.rest())));
        }
        if let Some(dollar) = reference_in(token) {
            self.at += dollar;
            return self.interpolated(vec![Part::Text(token[..dollar].to_owned())], row);
        }
        self.at += token.len();
        Ok(match token {
            "-" => Value::Absent,
            "null" | "true" | "false" => Value::Literal(token.to_owned()),
            _ if is_number(token) => Value::Literal(token.to_owned()),
            _ => Value::Text(token.to_owned()),
        })
    }

    /// The text of an alias: to the end of the line, or quoted.
    pub fn alias_text(&mut self) -> Result<String, Fault> {
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let text = self.rest();
        self.at = self.text.len();
        Ok(text.to_owned())
    }

    /// `before*behind`, bare or quoted.
    pub fn pattern(&mut self) -> Result<(String, String), Fault> {
        let pattern = if self.peek() == Some(b'"') {
            self.quoted()?
        } else {
            let end = self.bare_end();
            let bare = self.rest()[..end].to_owned();
            self.at += end;
            bare
        };
        let (before, behind) =
            pattern.split_once('*').ok_or("a pattern has a '*' for the cell's own text")?;
        Ok((before.to_owned(), behind.to_owned()))
    }

    /// `$1rest`, `${1}rest`, `$name/rest`, `${a.b}rest`, each piece bare or quoted.
    fn interpolated(&mut self, mut parts: Vec<Part>, row: bool) -> Result<Value, Fault> {
        loop {
            match self.peek() {
                Some(b'$') if self.at_reference() => parts.push(self.reference()?),
                Some(b'"') => parts.push(Part::Text(self.quoted()?)),
                _ => {
                    let token = self.bare_token(row);
                    let end = reference_in(token).unwrap_or(token.len());
                    let end = token[..end].find('"').unwrap_or(end);
                    if end == 0 {
                        break;
                    }
                    parts.push(Part::Text(token[..end].to_owned()));
                    self.at += end;
                }
            }
        }
        let texts: Option<Vec<&str>> = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Path(_) => None,
            })
            .collect();
        Ok(match texts {
            Some(texts) => Value::Text(texts.concat()),
            None => Value::Template(parts),
        })
    }

    fn reference(&mut self) -> Result<Part, Fault> {
        self.expect("$")?;
        let path = if self.eat("{") {
            let path = self.path()?;
            self.expect("}")?;
            path
        } else {
            let rest = self.rest();
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let word = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            let length = if digits > 0 { digits } else { word };
            self.at += length;
            let name = &rest[..length];
            vec![name.parse().map_or_else(|_| Step::Key(name.to_owned()), Step::Index)]
        };
        match path.as_slice() {
            [Step::Index(number)] => {
                let text = u32::try_from(*number).ok().and_then(|number| self.shared.aliases.get(&number));
                text.map(|text| Part::Text(text.clone()))
                    .ok_or_else(|| format!("there is no alias ${number}"))
            }
            _ => Ok(Part::Path(path)),
        }
    }

    /// `key=value key=value}`
    fn pairs_until_brace(&mut self) -> Result<Value, Fault> {
        let mut tree = Value::Tree(IndexMap::new());
        while !self.eat("}") {
            let path = self.path()?;
            self.expect("=")?;
            let value = self.value(false)?;
            tree.set(&path, value);
            if !self.rest().starts_with('}') {
                self.expect(" ")?;
            }
        }
        Ok(tree)
    }

    fn list(&mut self) -> Result<Value, Fault> {
        self.expect("[")?;
        if let Some(columns) = self.inline_columns() {
            return self.inline_rows(&columns);
        }
        let mut list = Vec::new();
        while !self.eat("]") {
            let from = self.at;
            match self.value(false)? {
                Value::Text(text) if self.text.as_bytes()[from] != b'"' && is_range(&text) => {
                    expand_range(&text, &mut list)?;
                }
                value => list.push(value),
            }
            if !self.rest().starts_with(']') {
                self.expect(" ")?;
            }
        }
        Ok(Value::List(list))
    }

    /// `a b: ` at the start of a list names the members of its objects.
    fn inline_columns(&mut self) -> Option<Vec<Vec<Step>>> {
        let from = self.at;
        let mut columns = Vec::new();
        while let Ok(path) = self.path() {
            columns.push(path);
            if self.eat(": ") {
                return Some(columns);
            }
            if !self.eat(" ") {
                break;
            }
        }
        self.at = from;
        None
    }

    fn inline_rows(&mut self, columns: &[Vec<Step>]) -> Result<Value, Fault> {
        let mut list = Vec::new();
        loop {
            let mut row = Value::Tree(IndexMap::new());
            for (at, column) in columns.iter().enumerate() {
                if at > 0 {
                    self.expect(" ")?;
                }
                let value = self.value(true)?;
                row.set(column, value);
            }
            list.push(row);
            if self.eat("]") {
                return Ok(Value::List(list));
            }
            self.expect(", ")?;
        }
    }
}

/// Where a reference (`$1`, `$name`, `${a.b}`) begins in a bare token.
fn reference_in(token: &str) -> Option<usize> {
    let bytes = token.as_bytes();
    memchr::memchr_iter(b'$', bytes).find(|at| {
        bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphanumeric() || matches!(next, b'_' | b'{'))
    })
}

fn expand_range(text: &str, list: &mut Vec<Value>) -> Result<(), Fault> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to): (i64, i64) = bounds.ok_or_else(|| format!("not a range: {text}"))?;
    if to.checked_sub(from).is_none_or(|length| length > MAX_RANGE - list.len() as i64) {
        return Err(format!("the range {text} is too long"));
    }
    list.extend((from..=to).map(|number| Value::Literal(number.to_string())));
    Ok(())
}

/// The start of a text, for messages.
pub fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

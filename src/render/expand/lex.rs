//! Keys, paths and values as they stand on a line.

use indexmap::IndexMap;

use super::value::{Step, Value};
use crate::document::decode;
use crate::render::pvfn::scalar::{is_number, is_range};

/// Deepest nesting that is read.
pub const MAX_DEPTH: usize = 300;
/// Most integers that the ranges of one text may stand for.
const MAX_RANGE: i64 = 50_000_000;

/// Reads one line from left to right.
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// What is wrong, in words.
pub type Fault = String;

impl<'a> Cursor<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `what` if it comes next.
    pub fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        found
    }

    fn expect(&mut self, what: &str) -> Result<(), Fault> {
        if self.eat(what) { Ok(()) } else { Err(format!("{what:?} expected before {:?}", shorten(self.rest()))) }
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
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        let value = match self.peek() {
            Some(b'"') => self.quoted().map(Value::Text),
            Some(b'[') => self.list(),
            Some(b'{') => {
                self.at += 1;
                self.pairs_until_brace()
            }
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

    fn bare(&mut self, row: bool) -> Result<Value, Fault> {
        let rest = self.rest();
        let end = self.bare_end();
        let mut token = &rest[..end];
        if row {
            token = token.strip_suffix(',').unwrap_or(token);
        }
        if token.is_empty() {
            return Err(format!("a value expected before {:?}", shorten(rest)));
        }
        self.at += token.len();
        Ok(match token {
            "-" => Value::Absent,
            "null" | "true" | "false" => Value::Literal(token.to_owned()),
            _ if is_number(token) => Value::Literal(token.to_owned()),
            _ => Value::Text(token.to_owned()),
        })
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

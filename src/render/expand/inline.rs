//! Values as they stand on a line: scalars, `[a b c]`, `{key=value}`, `$NAME/rest`.

use indexmap::IndexMap;

use super::error::{Fault, MAX_DEPTH, too_deep};
use super::lex::{Cursor, is_reference, is_word, shorten};
use super::shared::{MOST, Shared};
use super::value::{Step, Value};
use crate::render::pvfn::scalar::is_range;
use crate::render::{bare_end, style_of};

/// Reads one value as it stands behind `key=`.
pub fn value_of(text: &str) -> Option<Value> {
    let mut shared = Shared::new(MOST);
    let mut cursor = Cursor::new(text, &mut shared);
    let mut value = cursor.value().ok().filter(|_| cursor.rest().is_empty())?;
    value.settle();
    Some(value)
}

impl<'a> Cursor<'a, '_> {
    pub fn value(&mut self) -> Result<Value, Fault> {
        self.mark();
        if self.shared.are_texts {
            let is_absent = self.rest() == "-" || self.rest().starts_with("- ");
            let word = self.word(&[' '])?;
            return Ok(if is_absent { Value::Absent } else { Value::Text(word) });
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_deep());
        }
        let value = match self.peek() {
            Some(b'"') => match self.quoted()? {
                text if self.at_reference() => self.interpolated(text),
                text => Ok(Value::Text(text)),
            },
            Some(b'[') => self.list(),
            Some(b'{') => self.object(),
            Some(b'$') if self.at_reference() => self.interpolated(String::new()),
            Some(b'(') => self.again(),
            Some(b'&') => match self.anchor() {
                Some(number) => {
                    self.expect(" ")?;
                    let value = self.value()?;
                    self.shared.anchor(number, &value)?;
                    Ok(value)
                }
                None => self.bare(),
            },
            Some(b'j') => match style_of(self.rest()) {
                Some(style) => {
                    self.at += style.word.len();
                    let mut value = self.value()?;
                    value.settle();
                    let mut text = Vec::new();
                    value.write_styled(&mut text, style);
                    String::from_utf8(text).map(Value::Text).map_err(|_| "not UTF-8".into())
                }
                None => self.bare(),
            },
            _ => self.bare(),
        };
        self.depth -= 1;
        value
    }

    /// `(as &12)`
    fn again(&mut self) -> Result<Value, Fault> {
        let digits = self.rest().strip_prefix("(as &").and_then(|rest| rest.split_once(')'));
        let Some((digits, _)) = digits else { return Err("\"(as &1)\" expected".into()) };
        let number = digits.parse().map_err(|_| format!("not an anchor: &{}", shorten(digits)))?;
        let (value, depth) = self.shared.refer(number)?;
        self.at += "(as &)".len() + digits.len();
        if self.depth + depth > MAX_DEPTH { Err(too_deep()) } else { Ok(value) }
    }

    /// The part of a bare token before the next reference or quote; nothing behind that is read.
    fn piece(&self) -> &'a str {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let ends = |at, byte| matches!(byte, b'"' | b' ') || byte == b'$' && is_reference(bytes, at);
        &rest[..bare_end(bytes, ends)]
    }

    fn bare(&mut self) -> Result<Value, Fault> {
        let token = self.bare_token();
        if token.is_empty() {
            return Err(self.expected("a value"));
        }
        let bytes = token.as_bytes();
        if let Some(dollar) = memchr::memchr_iter(b'$', bytes).find(|&at| is_reference(bytes, at)) {
            self.at += dollar;
            return self.interpolated(token[..dollar].to_owned());
        }
        self.at += token.len();
        Ok(match token {
            "-" => Value::Absent,
            _ => Value::bare(token),
        })
    }

    /// `$NAME/rest`, `$NAME"/rest with blanks"`: what stands behind `text`.
    fn interpolated(&mut self, mut text: String) -> Result<Value, Fault> {
        loop {
            match self.peek() {
                Some(b'$') if self.at_reference() => text.push_str(&self.alias()?),
                Some(b'"') => text.push_str(&self.quoted()?),
                _ => {
                    let piece = self.piece();
                    if piece.is_empty() {
                        return Ok(Value::Text(text));
                    }
                    text.push_str(piece);
                    self.at += piece.len();
                }
            }
        }
    }

    fn alias(&mut self) -> Result<String, Fault> {
        let rest = &self.rest()[1..];
        let name = &rest[..rest.bytes().take_while(|&byte| is_word(byte)).count()];
        let text = self.shared.alias(name)?.ok_or_else(|| format!("there is no line ${}=", shorten(name)))?;
        self.at += 1 + name.len();
        Ok(text)
    }

    /// Reads `path=value path=value` to the end of the line; `add` takes each path and its value.
    pub fn pairs(&mut self, mut add: impl FnMut(&[Step], Value)) -> Result<(), Fault> {
        loop {
            let path = self.path()?;
            if !self.eat("=") {
                return Err(self.expected("'='"));
            }
            add(&path, self.value()?);
            if self.rest().is_empty() || !self.blank_or_end()? {
                return Ok(());
            }
        }
    }

    /// Reads `path=value` and a blank, if these come next.
    pub fn pair_ahead(&mut self) -> Result<Option<(Vec<Step>, Value)>, Fault> {
        let start = self.at;
        if let Ok(path) = self.path()
            && self.eat("=")
        {
            let value = self.value()?;
            self.expect(" ")?;
            return Ok(Some((path, value)));
        }
        self.at = start;
        Ok(None)
    }

    /// `{key=value key=value}`
    fn object(&mut self) -> Result<Value, Fault> {
        self.at += 1;
        let mut tree = Value::Tree(IndexMap::new());
        while !self.eat("}") {
            let path = self.path()?;
            self.expect("=")?;
            self.depth += path.len();
            let value = self.value()?;
            self.depth -= path.len();
            tree.set(&path, value);
            if !self.rest().starts_with('}') {
                self.expect(" ")?;
            }
        }
        Ok(tree)
    }

    fn list(&mut self) -> Result<Value, Fault> {
        self.expect("[")?;
        let mut list = Vec::new();
        while !self.eat("]") {
            let from = self.at;
            match self.value()? {
                Value::Text(text) if self.text.as_bytes()[from] != b'"' && is_range(&text) => {
                    expand_range(&text, &mut list, self.shared)?;
                }
                value => list.push(value),
            }
            if !self.rest().starts_with(']') {
                self.expect(" ")?;
            }
        }
        Ok(Value::List(list))
    }
}

fn expand_range(text: &str, list: &mut Vec<Value>, shared: &mut Shared) -> Result<(), Fault> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to): (i64, i64) = bounds.ok_or_else(|| format!("not a range: {text}"))?;
    let length = to.checked_sub(from).ok_or_else(|| format!("the range {text} is too long"))?;
    shared.spend(usize::try_from(length).unwrap_or(0))?;
    list.extend((from..=to).map(|number| Value::Literal(number.to_string())));
    Ok(())
}

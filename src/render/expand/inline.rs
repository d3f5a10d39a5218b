//! Values as they stand on a line: scalars, `[a b c]`, `{key=value}`, `[columns: row, row]`, `$NAME/rest`.

use indexmap::IndexMap;

use super::lex::{Cursor, Fault, MAX_DEPTH, is_reference, is_word, reference_in, shorten, too_deep};
use super::shared::Shared;
use super::value::{Part, Step, Value};
use crate::document::is_number;
use crate::render::json_text::style_of;
use crate::render::pvfn::scalar::is_range;

impl<'a> Cursor<'a, '_> {
    /// Any value. `row` says that a comma ends it, too.
    pub fn value(&mut self, row: bool) -> Result<Value, Fault> {
        self.mark();
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_deep());
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
                Some(number) => {
                    let (value, depth) = self.shared.refer(number)?;
                    if self.depth + depth > MAX_DEPTH { Err(too_deep()) } else { Ok(value) }
                }
                None => self.bare(row),
            },
            Some(b'&') => match self.number_after('&') {
                Some(number) => {
                    self.expect(" ")?;
                    let value = self.value(row)?;
                    self.shared.anchor(number, &value)?;
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

    /// What of a bare token comes before the next reference or quote; no more than that is looked at.
    fn piece(&self, row: bool) -> &'a str {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut open = 0u32;
        for (at, byte) in rest.bytes().enumerate() {
            match byte {
                b'"' => return &rest[..at],
                b'$' if is_reference(bytes, at) => return &rest[..at],
                b'[' | b'{' | b'(' => open += 1,
                b']' | b'}' | b')' if open > 0 => open -= 1,
                b' ' | b']' | b'}' | b')' => return end_of_cell(&rest[..at], row),
                _ => {}
            }
        }
        end_of_cell(rest, row)
    }

    fn bare_token(&self, row: bool) -> &'a str {
        end_of_cell(&self.rest()[..self.bare_end()], row)
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

    /// `$NAME/rest`, `$name/rest`, `${a.b}rest`, each piece bare or quoted.
    fn interpolated(&mut self, mut parts: Vec<Part>, row: bool) -> Result<Value, Fault> {
        loop {
            match self.peek() {
                Some(b'$') if self.at_reference() => parts.push(self.reference()?),
                Some(b'"') => parts.push(Part::Text(self.quoted()?)),
                _ => {
                    let piece = self.piece(row);
                    if piece.is_empty() {
                        break;
                    }
                    parts.push(Part::Text(piece.to_owned()));
                    self.at += piece.len();
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
            let name = &rest[..rest.bytes().take_while(|&byte| is_word(byte)).count()];
            self.at += name.len();
            if let Some(text) = self.shared.alias(name)? {
                return Ok(Part::Text(text));
            }
            vec![name.parse().map_or_else(|_| Step::Key(name.to_owned()), Step::Index)]
        };
        Ok(Part::Path(path))
    }

    /// `key=value key=value}`
    fn pairs_until_brace(&mut self) -> Result<Value, Fault> {
        let mut tree = Value::Tree(IndexMap::new());
        while !self.eat("}") {
            let path = self.path()?;
            self.expect("=")?;
            self.depth += path.len();
            let value = self.value(false)?;
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
        if let Some(columns) = self.inline_columns() {
            return self.inline_rows(&columns);
        }
        let mut list = Vec::new();
        while !self.eat("]") {
            let from = self.at;
            match self.value(false)? {
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

/// A token less the comma that ends a row.
fn end_of_cell(token: &str, row: bool) -> &str {
    if row { token.strip_suffix(',').unwrap_or(token) } else { token }
}

fn expand_range(text: &str, list: &mut Vec<Value>, shared: &mut Shared) -> Result<(), Fault> {
    let bounds = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to): (i64, i64) = bounds.ok_or_else(|| format!("not a range: {text}"))?;
    let length = to.checked_sub(from).ok_or_else(|| format!("the range {text} is too long"))?;
    shared.spend(usize::try_from(length).unwrap_or(0))?;
    list.extend((from..=to).map(|number| Value::Literal(number.to_string())));
    Ok(())
}

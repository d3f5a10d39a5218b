//! The lines of a document, by their indentation: pairs, blocks, items and tables.

use indexmap::IndexMap;

use super::error::{ExpandError, MAX_DEPTH, fault, too_deep};
use super::lex::{Cursor, is_word, shorten};
use super::shared::Shared;
use super::table::{Shape, object};
use super::value::{Step, Value, say};

/// A line without its indentation.
#[derive(Clone, Copy)]
struct Line<'a> {
    depth: usize,
    text: &'a str,
    number: usize,
}

/// Reads lines from the first to the last.
pub struct Reader<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    nesting: usize,
    shared: Shared,
}

impl<'a> Reader<'a> {
    /// A reader of `text`, which may stand for `most` values more than are written in it. The line that says what was
    /// left out is not part of the document.
    pub fn new(text: &'a str, most: usize) -> Self {
        let mut lines: Vec<Line<'a>> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.bytes().all(|byte| byte == b' '))
            .map(|(at, line)| {
                let text = line.trim_start_matches(' ');
                Line { depth: line.len() - text.len(), text, number: at + 1 }
            })
            .collect();
        lines.pop_if(|line| line.depth == 0 && line.text.starts_with('(') && line.text.ends_with(')'));
        Self { lines, at: 0, nesting: 0, shared: Shared::new(most) }
    }

    /// The whole document, and whether it is a stream.
    pub fn document(mut self) -> Result<(Value, bool), ExpandError> {
        self.read().map_err(|mut error| {
            error.left = (error.line == self.shared.line).then_some(self.shared.unread);
            error
        })
    }

    fn read(&mut self) -> Result<(Value, bool), ExpandError> {
        self.aliases()?;
        let Some(first) = self.peek() else { return Err(fault(1, "there is no document")) };
        let stream = first.text.starts_with("ndjson[");
        let content = if stream { &first.text["ndjson".len()..] } else { first.text };
        let mut value = if content.starts_with('[') {
            self.lines[self.at].text = content;
            self.list()?
        } else {
            self.tree(0)?
        };
        if let Some(line) = self.peek() {
            return Err(fault(line.number, "this line is indented unlike those before it"));
        }
        value.settle();
        Ok((value, stream))
    }

    /// `$NAME=text` lines at the top.
    fn aliases(&mut self) -> Result<(), ExpandError> {
        while let Some(line) = self.peek().filter(|line| line.text.starts_with('$')) {
            let definition = line.text[1..].split_once('=').and_then(|(name, text)| {
                let mut cursor = Cursor::new(text, &mut self.shared);
                let text = match text.strip_prefix('"') {
                    Some(_) => cursor.quoted().ok().filter(|_| cursor.rest().is_empty())?,
                    None => text.to_owned(),
                };
                (!name.is_empty() && name.bytes().all(is_word)).then(|| (name.to_owned(), text))
            });
            let Some((name, text)) = definition else {
                return Err(fault(line.number, "an alias is written $NAME=text"));
            };
            self.shared.aliases.insert(name, text);
            self.at += 1;
        }
        Ok(())
    }

    /// A list without a name: on one line, or with its rows or items below.
    fn list(&mut self) -> Result<Value, ExpandError> {
        let line = self.lines[self.at];
        let mut cursor = Cursor::new(line.text, &mut self.shared);
        if let Ok(value) = cursor.value()
            && cursor.rest().is_empty()
        {
            self.at += 1;
            return Ok(value);
        }
        self.block(line, 1, line.text)
    }

    fn peek(&self) -> Option<Line<'a>> {
        self.lines.get(self.at).copied()
    }

    /// Reads all lines at `depth` as the members of an object.
    fn tree(&mut self, depth: usize) -> Result<Value, ExpandError> {
        let mut tree = Value::Tree(IndexMap::new());
        self.members(depth, &mut tree)?;
        Ok(tree)
    }

    /// Reads all lines at `depth` as members of `into`.
    fn members(&mut self, depth: usize, into: &mut Value) -> Result<(), ExpandError> {
        while let Some(line) = self.peek().filter(|line| line.depth == depth) {
            self.shared.line = line.number;
            let at_line = |what: String| fault(line.number, what);
            let mut cursor = Cursor::new(line.text, &mut self.shared);
            let path = cursor.path().map_err(at_line)?;
            if cursor.eat("=") {
                self.at += 1;
                let mut cursor = Cursor::new(line.text, &mut self.shared);
                cursor.pairs(|path, value| into.set(path, value)).map_err(at_line)?;
            } else {
                let head = &line.text[line.text.len() - cursor.rest().len()..];
                into.set(&path, self.block(line, path.len(), head)?);
            }
        }
        Ok(())
    }

    /// Reads the block under a line with a name and no value, whose `head` stands behind the name: `name:`, `name[2]:`,
    /// `name[2]{a b}: &1`, `name{* a b}:`. The name has so many `steps`.
    fn block(&mut self, line: Line<'a>, steps: usize, head: &'a str) -> Result<Value, ExpandError> {
        let at_line = |what: String| fault(line.number, what);
        self.nesting += steps;
        if self.nesting > MAX_DEPTH {
            return Err(at_line(too_deep()));
        }
        self.at += 1;
        let inner = line.depth + 1;
        let (head, anchor) = match head.rsplit_once(": &") {
            Some((before, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                (&head[..=before.len()], number.parse().ok())
            }
            _ => (head, None),
        };
        let counted = head.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let (count, rest) =
            counted.map_or((None, head), |(count, rest)| (Some(count.parse::<usize>()), rest));
        let count = count.transpose().map_err(|_| at_line("a number expected between '[' and ']'".into()))?;
        let value = if let Some(columns) = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix("}:")) {
            let shape = Shape::new(columns, &mut self.shared).map_err(at_line)?;
            self.rows(shape, inner)?
        } else if rest != ":" {
            return Err(at_line(format!("not understood: {:?}", shorten(head))));
        } else if count.is_some() {
            self.items(inner)?
        } else {
            self.tree(inner)?
        };
        if let (Some(count), Value::List(list)) = (count, &value)
            && list.len() != count
        {
            return Err(at_line(format!("{count} elements announced, {} found", list.len())));
        }
        if let Some(anchor) = anchor {
            self.shared.anchor(anchor, &value).map_err(at_line)?;
        }
        self.nesting -= steps;
        Ok(value)
    }

    /// Reads the rows at `depth`: a list, or an object if they have keys.
    fn rows(&mut self, mut shape: Shape, depth: usize) -> Result<Value, ExpandError> {
        let (mut list, mut members) = (Vec::new(), IndexMap::new());
        while let Some(line) = self.peek().filter(|line| line.depth == depth) {
            self.at += 1;
            self.shared.line = line.number;
            let row = shape.line(line.text, &mut self.shared).map_err(|what| fault(line.number, what))?;
            let Some((key, mut values)) = row else { continue };
            let at_line = |what: String| fault(line.number, what);
            while let Some(below) = self.peek().filter(|below| shape.rest && below.depth == depth + 1) {
                let mut cursor = Cursor::new(below.text, &mut self.shared);
                if cursor.path().is_err() || !cursor.eat("=") {
                    break;
                }
                self.at += 1;
                let mut cursor = Cursor::new(below.text, &mut self.shared);
                let add = |path: &[Step], value: Value| say(path, value, &mut values);
                cursor.pairs(add).map_err(|what| fault(below.number, what))?;
            }
            let mut row = object(&values, &mut self.shared).map_err(at_line)?;
            self.members(depth + 1, &mut row)?;
            row.settle();
            match key {
                Some(key) => {
                    members.insert(Step::Key(key), row);
                }
                None => list.push(row),
            }
        }
        Ok(if shape.keyed { Value::Tree(members) } else { Value::List(list) })
    }

    fn items(&mut self, depth: usize) -> Result<Value, ExpandError> {
        let mut list = Vec::new();
        while let Some(line) = self.peek().filter(|line| line.depth == depth) {
            let Some(content) = line.text.strip_prefix("- ") else {
                return Err(fault(line.number, "\"- \" expected before an element of the list"));
            };
            // The first line of an element stands behind the dash; the others are indented as if it did not.
            let inner = Line { depth: depth + 1, text: content, number: line.number };
            self.lines[self.at] = inner;
            list.push(self.item(inner)?);
        }
        Ok(Value::List(list))
    }

    fn item(&mut self, mut line: Line<'a>) -> Result<Value, ExpandError> {
        let anchor = line.text.strip_prefix('&').and_then(|rest| rest.split_once(' '));
        let anchor = anchor.and_then(|(number, rest)| Some((number.parse::<u32>().ok()?, rest)));
        if let Some((_, rest)) = anchor {
            line.text = rest;
            self.lines[self.at].text = rest;
        }
        let value = if line.text.starts_with('[') {
            self.list()?
        } else {
            // No key begins as an alias does.
            let is_object = !line.text.starts_with(['"', '{', '$'])
                && (line.text.contains('=') || line.text.ends_with(':'));
            let mut cursor = Cursor::new(line.text, &mut self.shared);
            match cursor.value() {
                Ok(value) if cursor.rest().is_empty() && !is_object => {
                    self.at += 1;
                    value
                }
                _ => self.tree(line.depth)?,
            }
        };
        if let Some((number, _)) = anchor {
            self.shared.anchor(number, &value).map_err(|what| fault(line.number, what))?;
        }
        Ok(value)
    }
}

//! Reads a line from left to right: keys, paths and texts; [`super::inline`] reads the values.

use super::error::{Fault, MAX_DEPTH, too_deep};
use super::shared::Shared;
use super::value::Step;
use crate::render::pvfn::scalar::REST;
use crate::render::{bare_end, unquoted};

pub struct Cursor<'a, 's> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) shared: &'s mut Shared,
}

impl<'a, 's> Cursor<'a, 's> {
    pub fn new(text: &'a str, shared: &'s mut Shared) -> Self {
        Self { text, at: 0, depth: 0, shared }
    }

    /// The text that has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Notes where the next piece begins, for the place of an error.
    pub(super) fn mark(&mut self) {
        self.shared.unread = self.text.len() - self.at;
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads `what` if it comes next.
    pub fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        self.at += if found { what.len() } else { 0 };
        self.mark();
        found
    }

    pub(super) fn expect(&mut self, what: &str) -> Result<(), Fault> {
        if self.eat(what) { Ok(()) } else { Err(self.expected(&format!("{what:?}"))) }
    }

    /// The fault that something else comes next.
    pub(super) fn expected(&self, what: &str) -> Fault {
        format!("{what} expected before {:?}", shorten(self.rest()))
    }

    /// Reads a blank, `true`, or the end of the line.
    pub(super) fn blank_or_end(&mut self) -> Result<bool, Fault> {
        let is_blank = self.eat(" ");
        if is_blank || self.rest().is_empty() { Ok(is_blank) } else { Err(self.expected("a blank")) }
    }

    /// `a.b.0."c d"`
    pub fn path(&mut self) -> Result<Vec<Step>, Fault> {
        if self.shared.are_texts {
            return Ok(vec![Step::Key(self.word(&[' ', '=', REST])?)]);
        }
        let mut path = vec![self.step()?];
        while self.eat(".") {
            path.push(self.step()?);
            if path.len() > MAX_DEPTH {
                return Err(too_deep());
            }
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
            return Err(self.expected("a key"));
        }
        self.at += end;
        let key = &rest[..end];
        match key.parse() {
            Ok(index) if key.bytes().all(|byte| byte.is_ascii_digit()) => Ok(Step::Index(index)),
            _ => Ok(Step::Key(key.to_owned())),
        }
    }

    pub(super) fn quoted(&mut self) -> Result<String, Fault> {
        self.mark();
        let (text, end) = unquoted(self.text, self.at)?;
        self.at = end;
        Ok(text.into_owned())
    }

    /// The key that a row begins with.
    pub fn key(&mut self) -> Result<String, Fault> {
        let from = self.at;
        let key = self.token()?;
        if self.at == from { Err("a key expected".into()) } else { Ok(key) }
    }

    /// A text, bare or quoted.
    fn token(&mut self) -> Result<String, Fault> {
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let token = self.bare_token();
        self.at += token.len();
        Ok(token.to_owned())
    }

    /// A word of a table that was printed as text: up to one of `ends`, or in quotes.
    pub(super) fn word(&mut self, ends: &[char]) -> Result<String, Fault> {
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let word = self.rest().split(ends).next().unwrap_or_default();
        self.at += word.len();
        if word.is_empty() { Err(self.expected("a word")) } else { Ok(word.to_owned()) }
    }

    /// The text before the next blank or the next closing bracket that was not opened in it.
    pub(super) fn bare_token(&self) -> &'a str {
        let rest = self.rest();
        &rest[..bare_end(rest.as_bytes(), |_, byte| byte == b' ')]
    }

    /// Reads the name of an anchor, `&12`.
    pub(super) fn anchor(&mut self) -> Option<u32> {
        let digits = self.rest().strip_prefix('&')?;
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        let number = digits[..length].parse().ok()?;
        self.at += 1 + length;
        Some(number)
    }

    pub(super) fn at_reference(&self) -> bool {
        self.peek() == Some(b'$') && is_reference(self.text.as_bytes(), self.at)
    }

    /// `before*behind`, bare or quoted.
    pub fn pattern(&mut self) -> Result<(String, String), Fault> {
        let pattern = self.token()?;
        let (before, behind) =
            pattern.split_once('*').ok_or("a pattern has a '*' for the cell's own text")?;
        Ok((before.to_owned(), behind.to_owned()))
    }
}

/// Whether a byte can be part of the name of an alias.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the `$` at `at` begins the name of an alias.
pub(super) fn is_reference(bytes: &[u8], at: usize) -> bool {
    bytes.get(at + 1).copied().is_some_and(is_word)
}

/// The start of a text, for messages.
pub fn shorten(text: &str) -> String {
    text.chars().take(40).collect()
}

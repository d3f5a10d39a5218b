//! Where everything stands in a JSON text (RFC 8259), with comments and trailing commas allowed. Iterative: a deep
//! document costs memory, not stack.

use std::ops::Range;

use super::super::Fault;

/// Deeper documents are nobody's configuration.
const DEEPEST: usize = 500;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Scalar,
}

/// A value and where it stands.
#[derive(Debug)]
pub struct Node {
    pub kind: Kind,
    /// From its first byte to behind its last.
    pub span: Range<usize>,
    /// Members or elements, in order.
    pub children: Vec<Child>,
}

/// A member of an object, or an element of an array.
#[derive(Debug)]
pub struct Child {
    /// The member's key, unescaped.
    pub key: Option<String>,
    /// Where it begins: at its key, if it has one.
    pub start: usize,
    /// Its value, in [`Tree::nodes`].
    pub node: usize,
    /// The comma behind it.
    pub comma: Option<usize>,
}

/// Every value of a text.
#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// The outermost value; None where there is nothing but white space and comments.
    pub root: Option<usize>,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A value, or in an array also its end.
    Value,
    /// A key or the object's end.
    Key,
    /// A comma or the container's end.
    Comma,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    tree: Tree,
    /// Open containers, outermost first.
    open: Vec<usize>,
}

/// Finds everything in the text.
///
/// # Errors
/// [`Fault`] at the first byte that does not fit.
pub fn scan(text: &str) -> Result<Tree, Fault> {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut scanner = Scanner { text, at, tree: Tree { nodes: Vec::new(), root: None }, open: Vec::new() };
    scanner.at = skip_blank(text, scanner.at)?;
    if scanner.at < text.len() {
        scanner.document()?;
    }
    Ok(scanner.tree)
}

impl Scanner<'_> {
    fn fail<T>(&self, message: &str) -> Result<T, Fault> {
        Err(Fault::at(self.text, self.at, message))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn document(&mut self) -> Result<(), Fault> {
        let root = self.value()?;
        self.tree.root = Some(root);
        let mut expect = self.after_value(root);
        while let Some(&container) = self.open.last() {
            self.at = skip_blank(self.text, self.at)?;
            let is_object = self.tree.nodes[container].kind == Kind::Object;
            let close = if is_object { b'}' } else { b']' };
            match (self.peek(), expect) {
                (Some(byte), _) if byte == close => {
                    self.at += 1;
                    self.tree.nodes[container].span.end = self.at;
                    self.open.pop();
                    expect = Expect::Comma;
                }
                (Some(b','), Expect::Comma) => {
                    let comma = self.at;
                    if let Some(child) = self.tree.nodes[container].children.last_mut() {
                        child.comma = Some(comma);
                    }
                    self.at += 1;
                    expect = if is_object { Expect::Key } else { Expect::Value };
                }
                (None, _) => {
                    let open = self.tree.nodes[container].span.start;
                    let what =
                        if is_object { "an object is never closed" } else { "an array is never closed" };
                    return Err(Fault::at(self.text, open, what));
                }
                (_, Expect::Comma) => {
                    return self.fail(if is_object { "expected , or }" } else { "expected , or ]" });
                }
                (_, Expect::Key) => expect = self.member(container)?,
                (_, Expect::Value) => expect = self.child(container, None, self.at)?,
            }
        }
        self.at = skip_blank(self.text, self.at)?;
        if self.at < self.text.len() { self.fail("expected the end of the file") } else { Ok(()) }
    }

    fn member(&mut self, container: usize) -> Result<Expect, Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return self.fail("expected a key in double quotes");
        }
        let span = self.string()?;
        let key = serde_json::from_str(&self.text[span]).unwrap_or_default();
        self.at = skip_blank(self.text, self.at)?;
        if self.peek() != Some(b':') {
            return self.fail("expected : behind the key");
        }
        self.at = skip_blank(self.text, self.at + 1)?;
        self.child(container, Some(key), start)
    }

    fn child(&mut self, container: usize, key: Option<String>, start: usize) -> Result<Expect, Fault> {
        let node = self.value()?;
        self.tree.nodes[container].children.push(Child { key, start, node, comma: None });
        Ok(self.after_value(node))
    }

    /// A scalar is complete, a container has just been opened.
    fn after_value(&self, node: usize) -> Expect {
        match self.tree.nodes[node].kind {
            Kind::Scalar => Expect::Comma,
            Kind::Object => Expect::Key,
            Kind::Array => Expect::Value,
        }
    }

    fn value(&mut self) -> Result<usize, Fault> {
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            _ => Kind::Scalar,
        };
        let node = self.tree.nodes.len();
        if kind == Kind::Scalar {
            self.scalar()?;
        } else {
            if self.open.len() == DEEPEST {
                return self.fail("nested too deeply");
            }
            self.at += 1;
            self.open.push(node);
        }
        self.tree.nodes.push(Node { kind, span: start..self.at, children: Vec::new() });
        Ok(node)
    }

    fn scalar(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'"') {
            return self.string().map(drop);
        }
        let rest = &self.text.as_bytes()[self.at..];
        let length =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
        let word = &self.text[self.at..self.at + length];
        if serde_json::from_str::<serde_json::Number>(word).is_err()
            && !["true", "false", "null"].contains(&word)
        {
            return self.fail("expected a value");
        }
        self.at += length;
        Ok(())
    }

    fn string(&mut self) -> Result<Range<usize>, Fault> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(byte) if *byte >= b' ' => at += 1,
                _ => return self.fail("a string is never closed"),
            }
        }
        let span = start..at + 1;
        if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&self.text[span.clone()]) {
            return self.fail(&format!("not a valid string ({error})"));
        }
        self.at = span.end;
        Ok(span)
    }
}

/// Behind white space and comments.
fn skip_blank(text: &str, mut at: usize) -> Result<usize, Fault> {
    loop {
        let bytes = &text.as_bytes()[at..];
        match bytes {
            [b' ' | b'\t' | b'\r' | b'\n', ..] => at += 1,
            [b'/', b'/' | b'*', ..] => at = comment_end(text, at)?,
            _ => return Ok(at),
        }
    }
}

/// Behind the comment that begins here; the line break behind `//` is not part of it.
pub fn comment_end(text: &str, at: usize) -> Result<usize, Fault> {
    if text[at..].starts_with("//") {
        let line = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        return Ok(if text[..line].ends_with('\r') { line - 1 } else { line });
    }
    match text[at + 2..].find("*/") {
        Some(end) => Ok(at + 2 + end + 2),
        None => Err(Fault::at(text, at, "a comment is never closed")),
    }
}

//! Finds the places of all values in a JSON text (RFC 8259), with comments and trailing commas allowed.

use std::ops::Range;

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::mistake::Mistake;

/// Strict JSON, except that comments and trailing commas are allowed.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Scalar,
}

/// A value and its place.
#[derive(Debug)]
pub struct Node {
    pub kind: Kind,
    /// Byte range of the value.
    pub span: Range<usize>,
    /// Members or elements, in order.
    pub children: Vec<Child>,
}

/// A member of an object, or an element of an array.
#[derive(Debug)]
pub struct Child {
    /// The member's key, unescaped; `None` for an element.
    pub key: Option<String>,
    /// Position of the first byte: that of the key, if there is one.
    pub start: usize,
    /// Index of the value in [`Tree::nodes`].
    pub node: usize,
    /// Position of the comma behind the value, if there is one.
    pub comma: Option<usize>,
}

/// Every value of a text.
#[derive(Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    /// Index of the outermost value; `None` where there is nothing but white space and comments.
    pub root: Option<usize>,
}

/// Finds all values in the text.
///
/// # Errors
/// [`Mistake`] at the first byte that does not fit, or where the text is nested too deeply.
pub fn scan(text: &str) -> Result<Tree, Mistake> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let collect = CollectOptions { tokens: true, ..CollectOptions::default() };
    let parsed = parse_to_ast(&text[start..], &collect, &OPTIONS)
        .map_err(|error| Mistake::at(text, start + error.range().start, error.kind().to_string()))?;
    let tokens = parsed.tokens.iter().flatten();
    let commas = tokens.filter(|token| token.token == Token::Comma).map(|token| start + token.range.start);
    let mut builder = Builder { start, commas: commas.collect(), nodes: Vec::new() };
    let root = parsed.value.as_ref().map(|value| builder.node(value));
    Ok(Tree { nodes: builder.nodes, root })
}

/// A key, if there is one; the position at which the key, else the value, begins; the value.
type Member<'v> = (Option<String>, usize, &'v Value<'v>);

/// Lays the parser's tree out as nodes.
struct Builder {
    /// Position of the text that the parser got: behind the byte-order mark, if there is one.
    start: usize,
    /// Positions of all commas of the text.
    commas: Vec<usize>,
    nodes: Vec<Node>,
}

impl Builder {
    /// Adds a value and everything in it, and returns its index. The parser bounds the depth.
    fn node(&mut self, value: &Value<'_>) -> usize {
        let (kind, inner): (Kind, Vec<Member<'_>>) = match value {
            Value::Object(object) => {
                let members = object
                    .properties
                    .iter()
                    .map(|member| (Some(member.name.as_str().to_owned()), member.range.start, &member.value));
                (Kind::Object, members.collect())
            }
            Value::Array(array) => {
                (Kind::Array, array.elements.iter().map(|value| (None, value.start(), value)).collect())
            }
            _ => (Kind::Scalar, Vec::new()),
        };
        let node = self.nodes.len();
        let span = self.start + value.start()..self.start + value.end();
        self.nodes.push(Node { kind, span: span.clone(), children: Vec::new() });
        let begins: Vec<usize> =
            inner.iter().skip(1).map(|(_, at, _)| self.start + at).chain([span.end]).collect();
        for ((key, at, value), next) in inner.into_iter().zip(begins) {
            let child = self.node(value);
            let end = self.nodes[child].span.end;
            let comma = self.commas.partition_point(|comma| *comma < end);
            let comma = self.commas.get(comma).copied().filter(|comma| *comma < next);
            self.nodes[node].children.push(Child { key, start: self.start + at, node: child, comma });
        }
        node
    }
}

/// The end of the comment that begins at `at`; the line break behind a `//` comment is not part of it.
pub fn comment_end(text: &str, at: usize) -> Result<usize, Mistake> {
    if text[at..].starts_with("//") {
        let line = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
        return Ok(if text[..line].ends_with('\r') { line - 1 } else { line });
    }
    match text[at + 2..].find("*/") {
        Some(end) => Ok(at + 2 + end + 2),
        None => Err(Mistake::at(text, at, "a comment is never closed")),
    }
}

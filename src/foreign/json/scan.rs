//! Where everything stands in a JSON text (RFC 8259), with comments and trailing commas allowed.

use std::ops::Range;

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::super::Fault;

/// JSON, but for comments and trailing commas.
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

/// Finds everything in the text.
///
/// # Errors
/// [`Fault`] at the first byte that does not fit, or where the text is nested too deeply.
pub fn scan(text: &str) -> Result<Tree, Fault> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let collect = CollectOptions { tokens: true, ..CollectOptions::default() };
    let parsed = parse_to_ast(&text[start..], &collect, &OPTIONS)
        .map_err(|error| Fault::at(text, start + error.range().start, error.kind().to_string()))?;
    let tokens = parsed.tokens.iter().flatten();
    let commas = tokens.filter(|token| token.token == Token::Comma).map(|token| start + token.range.start);
    let mut builder = Builder { start, commas: commas.collect(), nodes: Vec::new() };
    let root = parsed.value.as_ref().map(|value| builder.node(value));
    Ok(Tree { nodes: builder.nodes, root })
}

fn name(name: &ObjectPropName<'_>) -> String {
    match name {
        ObjectPropName::String(text) => text.value.to_string(),
        ObjectPropName::Word(word) => word.value.to_owned(),
    }
}

/// A key, if there is one, where it or the value begins, and the value.
type Member<'v> = (Option<String>, usize, &'v Value<'v>);

/// Lays the parser's tree out as nodes.
struct Builder {
    /// Where the parser's text begins.
    start: usize,
    /// Every comma of the text.
    commas: Vec<usize>,
    nodes: Vec<Node>,
}

impl Builder {
    /// Adds a value and what is in it; the parser bounds the depth.
    fn node(&mut self, value: &Value<'_>) -> usize {
        let (kind, inner): (Kind, Vec<Member<'_>>) = match value {
            Value::Object(object) => {
                let members = object.properties.iter();
                let member =
                    members.map(|member| (Some(name(&member.name)), member.range.start, &member.value));
                (Kind::Object, member.collect())
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

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Object,
    Array,
    Scalar,
}

#[derive(Debug)]
pub struct Node {
    pub kind: Kind,
    /// The key of an object's member, unescaped.
    pub key: Option<String>,
    /// Position of the first byte: that of the key, if there is one.
    pub start: usize,
    pub span: Range<usize>,
    /// Position of the comma behind the value, if there is one.
    pub comma: Option<usize>,
    /// Members or elements, in order.
    pub children: Vec<Node>,
}

/// The outermost value of the text, with every value in it; `None` where there is nothing but white space and comments.
/// The mistake is at the first byte that does not fit, or where the text is nested too deeply.
pub fn scan(text: &str) -> Result<Option<Node>, Mistake> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let collect = CollectOptions { tokens: true, ..CollectOptions::default() };
    let parsed = parse_to_ast(&text[start..], &collect, &OPTIONS)
        .map_err(|error| Mistake::at(text, start + error.range().start, error.kind().to_string()))?;
    let tokens = parsed.tokens.iter().flatten();
    let commas = tokens.filter(|token| token.token == Token::Comma).map(|token| start + token.range.start);
    let commas: Vec<usize> = commas.collect();
    Ok(parsed.value.as_ref().map(|value| node(value, start, &commas)))
}

/// The parser's value, with every value in it. `offset` is the position of the text that the parser got, and `commas` are
/// the positions of all commas. The parser bounds the depth.
fn node(value: &Value<'_>, offset: usize, commas: &[usize]) -> Node {
    let (kind, mut children): (Kind, Vec<Node>) = match value {
        Value::Object(object) => {
            let members = object.properties.iter().map(|member| Node {
                key: Some(member.name.as_str().to_owned()),
                start: offset + member.range.start,
                ..node(&member.value, offset, commas)
            });
            (Kind::Object, members.collect())
        }
        Value::Array(array) => {
            (Kind::Array, array.elements.iter().map(|value| node(value, offset, commas)).collect())
        }
        _ => (Kind::Scalar, Vec::new()),
    };
    let span = offset + value.start()..offset + value.end();
    let begins: Vec<usize> = children.iter().skip(1).map(|child| child.start).chain([span.end]).collect();
    for (child, next) in children.iter_mut().zip(begins) {
        let comma = commas.partition_point(|comma| *comma < child.span.end);
        child.comma = commas.get(comma).copied().filter(|comma| *comma < next);
    }
    Node { kind, key: None, start: span.start, span, comma: None, children }
}

//! Edits JSON (RFC 8259, with comments and trailing commas allowed): puts members and elements in, in the text's own
//! style, and takes them out again.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::change::{Place, Splice, Undo, apply, line_end, mentions};
use crate::mistake::Mistake;

pub fn edit(text: &str, place: &Place<'_>) -> Result<(String, Undo), Mistake> {
    let Place { at, value, mark } = *place;
    let Some(root) = scan(text)? else {
        // A new document with the change, behind white space and comments.
        let printed = Style::DEFAULT.print(&wrapped(at, place), "");
        let break_before = if text.is_empty() || text.ends_with(['\n', '\u{feff}']) { "" } else { "\n" };
        return Ok((format!("{text}{break_before}{printed}\n"), Undo::UNKNOWN));
    };
    let nodes = follow(text, &root, at)?;
    let style = Style::of(text, &root);
    let last = nodes[nodes.len() - 1];
    let inserted = Undo { added: true, existing: nodes.len(), old: None };
    if let [key, inner @ ..] = &at[nodes.len() - 1..] {
        let splices = insert(text, last, Some(key), &wrapped(inner, place), &style);
        return Ok((apply(text, &splices), inserted));
    }
    if mark.is_none() {
        let range = last.span.clone();
        let old = &text[range.clone()];
        if is_value(old, value) {
            return Ok((text.to_owned(), Undo::NOTHING));
        }
        let new = style.print(value, indent_at(text, range.start));
        let undo = Undo { existing: at.len(), old: Some(old.to_owned()), ..inserted };
        return Ok((apply(text, &[(range, new)]), undo));
    }
    expect(text, last, Kind::Array, at)?;
    if last.children.iter().any(|child| is_value(&text[child.span.clone()], value)) {
        return Ok((text.to_owned(), Undo::NOTHING));
    }
    let splices = insert(text, last, None, value, &style);
    Ok((apply(text, &splices), inserted))
}

pub fn undo(text: &str, place: &Place<'_>, undo: &Undo) -> Result<String, Mistake> {
    let mut text = text.to_owned();
    while let Some(rest) = without(&text, place, undo)? {
        text = rest;
        if place.mark.is_none() {
            break;
        }
    }
    Ok(text)
}

/// The text without the value, or without the first element that is toto's; `None` where there is none.
fn without(text: &str, place: &Place<'_>, undo: &Undo) -> Result<Option<String>, Mistake> {
    let root = scan(text)?;
    let found = root.as_ref().and_then(|root| follow(text, root, place.at).ok());
    let Some(mut nodes) = found.filter(|nodes| nodes.len() > place.at.len()) else { return Ok(None) };
    let last = nodes[nodes.len() - 1];
    if let Some(mark) = place.mark {
        let path = ours(text, last, place.value, mark);
        if path.is_empty() {
            return Ok(None);
        }
        nodes.extend(path);
    } else {
        let range = last.span.clone();
        if !is_value(&text[range.clone()], place.value) {
            return Ok(None);
        }
        if let Some(old) = &undo.old {
            return Ok(Some(apply(text, &[(range, old.clone())])));
        }
    }
    let emptied = emptied(&nodes, undo.existing, place.at.len());
    Ok(emptied.map(|(container, index)| apply(text, &remove(text, container, index))))
}

/// The change's value, inside new objects for these keys.
fn wrapped(keys: &[String], place: &Place<'_>) -> Value {
    let value = place.value.clone();
    let inner = if place.mark.is_some() { Value::Array(vec![value]) } else { value };
    keys.iter().rev().fold(inner, |value, key| Value::Object([(key.clone(), value)].into_iter().collect()))
}

fn is_value(text: &str, value: &Value) -> bool {
    // A value of ours with comments in it does not parse here: the comments make it the user's.
    serde_json::from_str::<Value>(text).is_ok_and(|found| found == *value)
}

/// The containers on the way to a place as far as they exist, the root first; last, if all do, the value at the place.
fn follow<'t>(text: &str, root: &'t Node, at: &[String]) -> Result<Vec<&'t Node>, Mistake> {
    let mut nodes = vec![root];
    for (depth, key) in at.iter().enumerate() {
        expect(text, nodes[depth], Kind::Object, &at[..depth])?;
        // Programs that read the file use the last of equal keys.
        match nodes[depth].children.iter().rfind(|child| child.key.as_ref() == Some(key)) {
            Some(child) => nodes.push(child),
            None => break,
        }
    }
    Ok(nodes)
}

fn expect(text: &str, found: &Node, kind: Kind, at: &[String]) -> Result<(), Mistake> {
    if found.kind == kind {
        return Ok(());
    }
    let what = if kind == Kind::Object { "an object" } else { "an array" };
    let name = if at.is_empty() { "the file".to_owned() } else { format!("`{}`", at.join(".")) };
    Err(Mistake::at(text, found.span.start, format!("{name} is not {what}")))
}

/// The way from the array to toto's value in it: an equal element, else the containers that contain the mark, down to
/// the innermost. Empty where nothing is toto's.
fn ours<'t>(text: &str, array: &'t Node, element: &Value, mark: &str) -> Vec<&'t Node> {
    let span = |node: &Node| &text[node.span.clone()];
    if let Some(equal) = array.children.iter().find(|node| is_value(span(node), element)) {
        return vec![equal];
    }
    let has_mark = |node: &&Node| {
        node.kind != Kind::Scalar
            && serde_json::from_str(span(node))
                .map_or(span(node).contains(mark), |value| mentions(&value, mark))
    };
    std::iter::successors(Some(array), |inner| inner.children.iter().find(has_mark)).skip(1).collect()
}

/// The container, and the index of its child, to remove: the last of `nodes` goes and, with it, containers from depth
/// `existing` on that would be left empty. Containers deeper than `place` belong to the element.
fn emptied<'t>(nodes: &[&'t Node], existing: usize, place: usize) -> Option<(&'t Node, usize)> {
    // Inside an element, an object has no content of its own, either, whose other members are scalars, such as the
    // `matcher` of a list of hooks.
    let only_content = |container: &Node, child: &Node, in_element: bool| {
        let mut others = container.children.iter().filter(|other| !std::ptr::eq(*other, child));
        others.all(|other| in_element && container.kind == Kind::Object && other.kind == Kind::Scalar)
    };
    let mut depth = nodes.len() - 1;
    while depth > existing.max(1) && only_content(nodes[depth - 1], nodes[depth], depth - 1 > place) {
        depth -= 1;
    }
    let container = nodes[depth.checked_sub(1)?];
    let index = container.children.iter().position(|child| std::ptr::eq(child, nodes[depth]))?;
    Some((container, index))
}

/// The splices that put a member or an element behind the last one.
fn insert(text: &str, node: &Node, key: Option<&str>, value: &Value, style: &Style<'_>) -> Vec<Splice> {
    let (open, close) = (node.span.start + 1, node.span.end - 1);
    let key = key.map(|key| format!("{}:{}", Value::from(key), style.space)).unwrap_or_default();
    let member = |indent: &str| format!("{key}{}", style.print(value, indent));
    let Some(last) = node.children.last() else {
        let outer = indent_at(text, node.span.start);
        let inner = format!("{outer}{}", style.unit);
        let at = open + text[open..close].trim_end_matches([' ', '\t', '\r', '\n']).len();
        if !style.multi_line && !text[open..close].contains('\n') {
            return vec![(at..at, member(&inner))];
        }
        let tail =
            if text[at..close].contains('\n') { String::new() } else { format!("{}{outer}", style.line_end) };
        return vec![(at..at, format!("{}{inner}{}{tail}", style.line_end, member(&inner)))];
    };
    let end = last.span.end;
    let behind = last.comma.map_or(end, |comma| comma + 1);
    let (at, line_comment) = behind_comments(text, behind);
    let indent = indent_at(text, last.start);
    let before = if line_comment || text[open..node.children[0].start].contains('\n') {
        format!("{}{indent}", style.line_end)
    } else {
        style.space.into()
    };
    let (comma, trailing) = if last.comma.is_some() { ("", ",") } else { (",", "") };
    vec![(end..end, comma.into()), (at..at, format!("{before}{}{trailing}", member(indent)))]
}

/// The position behind the comments that follow on the same line, and whether the last of them is one by `//`.
fn behind_comments(text: &str, from: usize) -> (usize, bool) {
    let (mut at, mut line_comment) = (from, false);
    loop {
        let rest = text[at..].trim_start_matches([' ', '\t']);
        let length = if rest.starts_with("//") {
            // The line break is no part of the comment.
            let line = rest.split('\n').next().unwrap_or(rest);
            line.strip_suffix('\r').unwrap_or(line).len()
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map_or(rest.len(), |end| end + "/**/".len())
        } else {
            return (at, line_comment);
        };
        line_comment = rest.starts_with("//");
        at = text.len() - rest.len() + length;
    }
}

/// The splices that take one child out: what [`insert`] put in, or what others made of it.
fn remove(text: &str, node: &Node, index: usize) -> Vec<Splice> {
    let child = &node.children[index];
    let end = child.span.end;
    let start = blank_before(text, child.start);
    let behind = child.comma.map_or(end, |comma| comma + 1);
    let (open, close) = (node.span.start + 1, node.span.end - 1);
    let around = [open..child.start, end..child.comma.unwrap_or(end), behind..close];
    if node.children.len() == 1
        && around.into_iter().all(|range| text[range].bytes().all(|byte| byte.is_ascii_whitespace()))
    {
        return vec![(open..close, String::new())];
    }
    let goes_on = !text[behind..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    // The line break may end a comment, of which the following text must not become a part.
    let start = if goes_on && text[start..child.start].contains('\n') { child.start } else { start };
    let before = index.checked_sub(1).and_then(|before| node.children[before].comma);
    let ranges = match (child.comma, before) {
        (Some(comma), _) => [start..end, comma..comma + 1],
        (None, Some(comma)) => [comma..comma + 1, start..end],
        (None, None) => [start..end, end..end],
    };
    ranges.map(|range| (range, String::new())).to_vec()
}

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
enum Kind {
    Object,
    Array,
    Scalar,
}

/// A value in the text, with the place that it has there.
struct Node {
    kind: Kind,
    /// The key of an object's member, unescaped.
    key: Option<String>,
    /// Position of the first byte: that of the key, if there is one.
    start: usize,
    span: Range<usize>,
    /// Position of the comma behind the value, if there is one.
    comma: Option<usize>,
    /// Members or elements, in order.
    children: Vec<Node>,
}

/// The outermost value of the text, with every value in it; `None` where there is nothing but white space and comments.
/// The mistake is at the first byte that does not fit, or where the text is nested too deeply.
fn scan(text: &str) -> Result<Option<Node>, Mistake> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let collect = CollectOptions { tokens: true, ..CollectOptions::default() };
    let parsed = parse_to_ast(&text[start..], &collect, &OPTIONS)
        .map_err(|error| Mistake::at(text, start + error.range().start, error.kind().to_string()))?;
    let tokens = parsed.tokens.iter().flatten();
    let commas = tokens.filter(|token| token.token == Token::Comma).map(|token| start + token.range.start);
    let commas: Vec<usize> = commas.collect();
    Ok(parsed.value.as_ref().map(|value| node(value, start, &commas)))
}

/// The parser's value, with every value in it. `offset` is the position of the text that the parser got, and `commas`
/// are the positions of all commas. The parser bounds the depth.
fn node(value: &ast::Value<'_>, offset: usize, commas: &[usize]) -> Node {
    let (kind, mut children): (Kind, Vec<Node>) = match value {
        ast::Value::Object(object) => {
            let members = object.properties.iter().map(|member| Node {
                key: Some(member.name.as_str().to_owned()),
                start: offset + member.range.start,
                ..node(&member.value, offset, commas)
            });
            (Kind::Object, members.collect())
        }
        ast::Value::Array(array) => {
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

struct Style<'t> {
    /// One step of indentation.
    unit: &'t str,
    line_end: &'static str,
    /// Whether each member stands on a line of its own.
    multi_line: bool,
    /// The blank behind `:` and, on one line, behind `,`; may be empty.
    space: &'static str,
}

impl<'t> Style<'t> {
    const DEFAULT: Self = Self { unit: "  ", line_end: "\n", multi_line: true, space: " " };

    /// The layout of the outermost object; where that is empty, two blanks per step.
    fn of(text: &'t str, root: &Node) -> Self {
        let mut style = Self { line_end: line_end(text), ..Self::DEFAULT };
        let Some(first) = root.children.first().filter(|_| root.kind == Kind::Object) else { return style };
        style.multi_line = text[root.span.start..first.start].contains('\n');
        let step = indent_at(text, first.start).strip_prefix(indent_at(text, root.span.start));
        if let Some(step) = step.filter(|step| style.multi_line && !step.is_empty()) {
            style.unit = step;
        }
        if text[..first.span.start].ends_with(':') {
            style.space = "";
        }
        style
    }

    /// The value as text; all lines but the first begin with `indent`.
    fn print(&self, value: &Value, indent: &str) -> String {
        let unit = if self.multi_line { self.unit } else { "" };
        let mut bytes = Vec::new();
        let formatter = PrettyFormatter::with_indent(unit.as_bytes());
        let printed = value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter));
        if printed.is_err() || !self.multi_line && self.space.is_empty() {
            return value.to_string();
        }
        let text = String::from_utf8_lossy(&bytes);
        if self.multi_line {
            return text.replace('\n', &format!("{}{indent}", self.line_end));
        }
        text.replace(",\n", ", ").replace('\n', "")
    }
}

/// The white space at the beginning of the line that this byte is on.
fn indent_at(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let blank = text[line..at].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &text[line..line + blank]
}

/// The start of the blanks in front of `end`; where line breaks are among them, the last one.
fn blank_before(text: &str, end: usize) -> usize {
    let run = text[..end].trim_end_matches([' ', '\t', '\r', '\n']).len();
    match text[run..end].rfind('\n') {
        Some(at) if text[run..run + at].ends_with('\r') => run + at - 1,
        Some(at) => run + at,
        None => run,
    }
}

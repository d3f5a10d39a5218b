//! The layout of a JSON text, and values printed in the same layout.

use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

use super::super::splice::line_end;
use super::scan::{Kind, Node};

#[derive(Debug)]
pub struct Style {
    /// One step of indentation.
    pub unit: String,
    pub line_end: &'static str,
    /// Whether each member stands on a line of its own.
    pub multi_line: bool,
    /// The blank behind `:` and, on one line, behind `,`; may be empty.
    pub space: &'static str,
}

impl Default for Style {
    fn default() -> Self {
        Self { unit: "  ".into(), line_end: "\n", multi_line: true, space: " " }
    }
}

impl Style {
    /// The layout of the outermost object; where that is empty, two blanks per step.
    pub fn of(text: &str, root: &Node) -> Self {
        let mut style = Self { line_end: line_end(text), ..Self::default() };
        let Some(first) = root.children.first().filter(|_| root.kind == Kind::Object) else { return style };
        style.multi_line = text[root.span.start..first.start].contains('\n');
        let indent = indent_at(text, first.start);
        let outer = indent_at(text, root.span.start);
        let step = indent.strip_prefix(&outer).unwrap_or_default();
        if style.multi_line && !step.is_empty() {
            step.clone_into(&mut style.unit);
        }
        if text[..first.span.start].ends_with(':') {
            style.space = "";
        }
        style
    }

    pub fn key(&self, key: &str) -> String {
        format!("{}:{}", Value::from(key), self.space)
    }

    /// The value as text; all lines but the first begin with `indent`.
    pub fn print(&self, value: &Value, indent: &str) -> String {
        let unit = if self.multi_line { self.unit.as_str() } else { "" };
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
pub fn indent_at(text: &str, at: usize) -> String {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let blank = text[line..at].bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    text[line..line + blank].to_owned()
}

//! YAML as a tool prints it (`kubectl get -o yaml`), rewritten as JSON so that one parser feeds the tree.
//!
//! Only YAML that JSON can say as well: a text with a comment, a tag, an anchor, a merge key or a key that is no scalar
//! is left alone, and so are text that merely looks like YAML (aligned `Name:      value` listings) and what is mostly
//! texts of several lines (`settings: |`), which JSON would say with a `\n` for each.

use std::collections::HashSet;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::scalars::{is_number, write_json_string};

/// Longest text that is tried, in bytes: reading YAML costs more than reading JSON.
const LONGEST: usize = 64 << 20;
/// A text of which one byte in so many or more is in blocks of lines is read as it stands.
const BLOCKS: usize = 3;

/// The documents of a YAML text as JSON, one a line; `None` where JSON cannot say the same. Numbers keep their text; a
/// number that JSON cannot write (`0x1F`, `.inf`, `1_000`) becomes the string of its text.
pub fn to_json(text: &str) -> Option<String> {
    if text.len() > LONGEST || !looks_like_yaml(text) {
        return None;
    }
    let mut writer = Writer::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        writer.event(event, span)?;
    }
    let nested = writer.deepest > 1;
    let is_mostly_lines = writer.in_blocks * BLOCKS >= text.len();
    (nested && !is_mostly_lines && !has_comment(text, &writer)).then_some(())?;
    String::from_utf8(writer.out).ok()
}

/// Whether the first line that is not blank could be YAML: a cheap look.
fn looks_like_yaml(text: &str) -> bool {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let key = |line: &str| {
        line.split_once(':').is_some_and(|(key, rest)| {
            let plain =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'"');
            !key.is_empty() && key.bytes().all(plain) && (rest.is_empty() || rest.starts_with(' '))
        })
    };
    line == "---" || key(line) || line.strip_prefix("- ").is_some_and(key)
}

/// The next part of an open collection.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Item,
    Key,
    Value,
}

#[derive(Default)]
struct Writer {
    out: Vec<u8>,
    open: Vec<Next>,
    deepest: usize,
    last_key: Option<Span>,
    /// Lines inside block and quoted scalars, where `#` is text.
    text_lines: HashSet<usize>,
    /// Bytes of block scalars of several lines.
    in_blocks: usize,
}

impl Writer {
    /// Writes an event; `None` where the event has no place in JSON.
    fn event(&mut self, event: Event<'_>, span: Span) -> Option<()> {
        match event {
            Event::Scalar(text, style, 0, None) => self.scalar(&text, style, span),
            Event::SequenceStart(0, None) => self.begin(Next::Item, b'['),
            Event::MappingStart(0, None) => self.begin(Next::Key, b'{'),
            Event::SequenceEnd => self.end(b']'),
            Event::MappingEnd => self.end(b'}'),
            Event::DocumentEnd => {
                self.out.push(b'\n');
                Some(())
            }
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::Nothing => Some(()),
            Event::Alias(_) | Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) => None,
        }
    }

    /// Writes the separator in front of a value; returns whether the value is a key.
    fn separate(&mut self) -> bool {
        let Some(next) = self.open.last_mut() else { return false };
        let due = *next;
        match due {
            Next::Value => self.out.push(b':'),
            _ if matches!(self.out.last(), Some(b'[' | b'{')) => {}
            _ => self.out.push(b','),
        }
        *next = match due {
            Next::Item => Next::Item,
            Next::Key => Next::Value,
            Next::Value => Next::Key,
        };
        due == Next::Key
    }

    fn begin(&mut self, next: Next, open: u8) -> Option<()> {
        if self.separate() {
            return None; // a key that is a collection
        }
        self.out.push(open);
        self.open.push(next);
        self.deepest = self.deepest.max(self.open.len());
        self.last_key = None;
        Some(())
    }

    fn end(&mut self, close: u8) -> Option<()> {
        self.open.pop()?;
        self.out.push(close);
        self.last_key = None;
        Some(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) -> Option<()> {
        if self.open.is_empty() {
            return None;
        }
        if style != ScalarStyle::Plain {
            self.text_lines.extend(span.start.line()..=span.end.line());
            let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
            self.in_blocks += if is_block && text.trim_end().contains('\n') { text.len() } else { 0 };
        }
        if self.separate() {
            if text == "<<" {
                return None;
            }
            write_json_string(&mut self.out, text);
            self.last_key = Some(span);
            return Some(());
        }
        let key = self.last_key.take();
        let aligned = |key: Span| {
            key.end.line() == span.start.line() && span.start.col() > key.end.col() + 2 && !text.is_empty()
        };
        if key.is_some_and(aligned) {
            return None;
        }
        match text {
            _ if style != ScalarStyle::Plain => write_json_string(&mut self.out, text),
            "" | "~" | "null" => self.out.extend_from_slice(b"null"),
            "true" | "false" => self.out.extend_from_slice(text.as_bytes()),
            _ if is_number(text) => self.out.extend_from_slice(text.as_bytes()),
            _ => write_json_string(&mut self.out, text),
        }
        Some(())
    }
}

/// Whether a `#` stands where YAML takes it for a comment.
fn has_comment(text: &str, writer: &Writer) -> bool {
    text.lines().enumerate().any(|(at, line)| {
        (line.trim_start().starts_with('#') || line.contains(" #")) && !writer.text_lines.contains(&(at + 1))
    })
}

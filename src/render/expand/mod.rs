//! Reads PVFN and Schema-YAML back into JSON, and the notation of text into text.

mod inline;
mod lex;
mod lines;
mod schema_yaml;
mod shared;
mod table;
mod value;

use thiserror::Error;

use value::Value;

use crate::document::{Layout, Segment, scan};
use crate::render::{lines as text_lines, minified};

/// Why a text could not be read back.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {what}")]
pub struct ExpandError {
    /// Line number, from 1.
    pub line: usize,
    /// Bytes from the mistake to the end of the line, if its place is known.
    left: Option<usize>,
    /// What is wrong there.
    pub what: String,
}

impl ExpandError {
    fn within(self, left: usize) -> Self {
        Self { left: Some(left), ..self }
    }

    /// The column of the mistake in its line of `text`, in characters from 1; where it is not known, the one behind the
    /// indentation. `text` is the text that was read.
    pub fn column(&self, text: &str) -> usize {
        let line = text.lines().nth(self.line.saturating_sub(1)).unwrap_or_default();
        let indentation = line.len() - line.trim_start_matches(' ').len();
        let before = self.left.map_or(indentation, |left| line.len().saturating_sub(left));
        line.get(..before).map_or(0, |before| before.chars().count()) + 1
    }

    /// The same error, its line counted from `lines` lines further up.
    fn below(self, lines: usize) -> Self {
        Self { line: self.line + lines, ..self }
    }
}

/// Reads one value as it stands behind `key=`.
pub(super) fn value_of(text: &str) -> Option<Value> {
    let mut shared = shared::Shared::new(MOST);
    let mut cursor = lex::Cursor::new(text, &mut shared);
    let mut value = cursor.value().ok().filter(|_| cursor.rest().is_empty())?;
    value.settle();
    Some(value)
}

/// Stands on a line of its own before and behind a document that has text around it.
pub const DOCUMENT_MARK: &str = "---";

/// Reads what toto wrote (PVFN, Schema-YAML, minified JSON) and returns it as minified JSON; a stream becomes one
/// document a line, and text around documents stays.
///
/// # Errors
/// The first line that is not in the notation (docs/notation.md).
pub fn expand(text: &str) -> Result<Vec<u8>, ExpandError> {
    expand_within(text, MOST)
}

/// Most values that a text may stand for beyond those written in it, and most times sixteen bytes of text. No output
/// that toto renders has more of either.
const MOST: usize = 16 << 20;

/// [`expand`] for a text whose references, ranges and columns may stand for `most` values, and as many times sixteen
/// bytes of text.
///
/// # Errors
/// As [`expand`], and where the text stands for more.
pub fn expand_within(text: &str, most: usize) -> Result<Vec<u8>, ExpandError> {
    if let Some((_, rest)) = text.split_once('\n').filter(|(first, _)| first.starts_with(RECEIPT)) {
        return expand_within(rest, most).map_err(|error| error.below(1));
    }
    if is_scalar(text) {
        return Ok(text.into());
    }
    if text_lines::is_notation(text) {
        return text_lines::read(without_note(text), most.saturating_mul(16).saturating_add(text.len()))
            .map(String::into_bytes)
            .map_err(|wrong| ExpandError { line: wrong.line, left: None, what: wrong.what.into() });
    }
    let mut out = Vec::new();
    read_marked(text, most, &mut out).or_else(|error| {
        let Layout::Mixed(segments) = scan(without_note(text)) else { return Err(error) };
        out.clear();
        for segment in segments {
            match segment {
                Segment::Text(text) => out.extend_from_slice(text.as_bytes()),
                Segment::Document(document) => out.extend_from_slice(&minified::render(&document)),
            }
        }
        Ok(())
    })?;
    Ok(out)
}

/// Reads the documents between marks, or the whole text if there are no marks.
fn read_marked(text: &str, most: usize, out: &mut Vec<u8>) -> Result<(), ExpandError> {
    let (mut from, mut first, mut within) = (0, 0, false);
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.trim_end_matches('\n') == DOCUMENT_MARK {
            let part = &text[from..start];
            if within {
                document(part, most, out).map_err(|error| error.below(first))?;
            } else {
                out.extend_from_slice(part.as_bytes());
            }
            (from, first, within) = (start + line.len(), number + 1, !within);
        }
        start += line.len();
    }
    if first == 0 {
        return document(text, most, out);
    }
    if within {
        let what = format!("no {DOCUMENT_MARK} at the end of the document that begins here");
        return Err(ExpandError { line: first, left: None, what });
    }
    out.extend_from_slice(without_note(&text[from..]).as_bytes());
    Ok(())
}

/// The text without the notes at its end: what was left out, the way for programs, a receipt. If the last note has no
/// newline at its end, the text before it had none either.
fn without_note(text: &str) -> &str {
    let start = start_of_last_line(text);
    if !is_note(&text[start..]) {
        return text;
    }
    let end = if text.ends_with('\n') { start } else { start.saturating_sub(1) };
    without_note(&text[..end])
}

/// Whether a text ends as if with a note behind an output: its last line, empty ones aside, looks like one.
pub fn ends_in_note(text: &str) -> bool {
    is_note(&text[start_of_last_line(text)..])
}

/// Where the last line begins that is not empty.
fn start_of_last_line(text: &str) -> usize {
    text.trim_end_matches('\n').rfind('\n').map_or(0, |newline| newline + 1)
}

/// Whether a line looks like a note that stands behind an output.
pub fn is_note(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    let said = line.contains(" left out") || line.contains("as it came, for programs: ");
    line.starts_with('(') && line.ends_with(')') && said || line.starts_with(RECEIPT)
}

/// How a receipt begins, which a host may put before or behind the output.
const RECEIPT: &str = "[toto] ";

/// A scalar by itself, which is no document and yet an output.
fn is_scalar(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| !value.is_object() && !value.is_array())
}

/// Reads one document.
fn document(text: &str, most: usize, out: &mut Vec<u8>) -> Result<(), ExpandError> {
    if let Layout::Document(document) = scan(without_note(text)) {
        out.extend_from_slice(&minified::render(&document));
        return Ok(());
    }
    let (value, stream) = if text.starts_with(schema_yaml::START) {
        (schema_yaml::read(text)?, false)
    } else {
        lines::Reader::new(text, most).document()?
    };
    match value {
        Value::List(documents) if stream => {
            for document in documents {
                document.write_json(out);
                out.push(b'\n');
            }
        }
        value => {
            value.write_json(out);
            out.push(b'\n');
        }
    }
    Ok(())
}

//! Reads PVFN and Schema-YAML back into JSON, and known forms into text.

mod error;
pub(super) mod inline;
mod lex;
mod lines;
pub mod printed;
mod schema_yaml;
mod shared;
mod table;
mod value;

pub use error::ExpandError;
use error::fault;
use shared::MOST;
use value::Value;

use crate::document::{Layout, Segment, scan};
use crate::marks::{OURS, without_note};
use crate::render::{STYLES, forms, minified};

/// Stands on a line of its own before and behind a document that has text around it.
pub const DOCUMENT_MARK: &str = "---";

/// Reads what toto wrote (PVFN, Schema-YAML, minified JSON) and returns it as minified JSON; a stream becomes one
/// document a line, and text around documents stays. Fails at the first line that is not in the notation
/// (docs/notation.md).
pub fn expand(text: &str) -> Result<Vec<u8>, ExpandError> {
    expand_within(text, MOST)
}

/// [`expand`] for a text whose references, ranges and columns may stand for `most` values, and as many times sixteen
/// bytes of text; fails where it stands for more, too.
pub fn expand_within(text: &str, most: usize) -> Result<Vec<u8>, ExpandError> {
    let is_receipt = |line: &&str| line.starts_with(OURS) && line.ends_with('\n');
    let receipts = || text.split_inclusive('\n').take_while(is_receipt);
    let rest = &text[receipts().map(str::len).sum()..];
    expand_bare(without_note(rest), most).map_err(|error| error.below(receipts().count()))
}

/// The same for a text without receipts and notes around it.
fn expand_bare(text: &str, most: usize) -> Result<Vec<u8>, ExpandError> {
    // A scalar by itself is no document and yet an output.
    if serde_json::from_str::<serde_json::Value>(text).is_ok_and(|it| !it.is_object() && !it.is_array()) {
        return Ok(text.into());
    }
    let mut out = Vec::new();
    read_marked(text, most, &mut out).or_else(|error| {
        let Layout::Mixed(segments) = scan(text) else {
            let most = most.saturating_mul(16).saturating_add(text.len());
            let back = forms::parse(text, most)?.filter(|back| back != text).ok_or(error)?;
            out = back.into_bytes();
            return Ok(());
        };
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
        return Err(fault(first, what));
    }
    out.extend_from_slice(&text.as_bytes()[from..]);
    Ok(())
}

fn document(text: &str, most: usize, out: &mut Vec<u8>) -> Result<(), ExpandError> {
    if let Layout::Document(document) = scan(text) {
        out.extend_from_slice(&minified::render(&document));
        return Ok(());
    }
    if let Some(at) = text.lines().position(printed::is_head) {
        return Err(fault(at + 1, "a table that was printed as text is no part of a document"));
    }
    let (value, stream) = if text.starts_with(schema_yaml::START) {
        (schema_yaml::read(text)?, false)
    } else {
        lines::Reader::new(text, most).document()?
    };
    let documents = match value {
        Value::List(documents) if stream => documents,
        value => vec![value],
    };
    for document in documents {
        document.write_styled(out, STYLES[0]);
        out.push(b'\n');
    }
    Ok(())
}

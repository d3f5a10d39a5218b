//! Finding the documents in an output: one, several one after another, or some between lines of text.

use super::json::{Fault, Parser, blanks};
use super::tree::Document;

/// What an output consists of.
#[derive(Debug)]
pub enum Layout<'a> {
    /// No document, or one that cannot be rendered faithfully.
    Text,
    /// Nothing but one document, or several one after another.
    Document(Document<'a>),
    /// Text with documents between its lines.
    Mixed(Vec<Segment<'a>>),
}

/// A part of an output that holds text and documents.
#[derive(Debug)]
pub enum Segment<'a> {
    /// Lines that are no document, as they came.
    Text(&'a str),
    Document(Document<'a>),
}

/// Documents between lines of text that are told apart in any text, and bytes of it for each further one: a document
/// takes some memory however short it is.
const FREE_DOCUMENTS: usize = 4096;
const BYTES_A_DOCUMENT: usize = 64;

/// Splits `text` into its documents and the text around them.
///
/// A document begins at the start of a line with `{` or `[` and ends at the end of one. Failed attempts may read as
/// much as the input is long, all together; beyond that, as with too many documents, the whole output is text.
pub fn scan(text: &str) -> Layout<'_> {
    if i32::try_from(text.len()).is_err() || text.starts_with('\u{feff}') {
        return Layout::Text;
    }
    let bytes = text.as_bytes();
    let mut segments = Vec::new();
    let mut budget = text.len() + 4096;
    let most = FREE_DOCUMENTS + text.len() / BYTES_A_DOCUMENT;
    let (mut text_from, mut line) = (0, 0);
    while line < bytes.len() {
        let at = blanks(bytes, line);
        if matches!(bytes.get(at), Some(b'{' | b'[')) && (at == line || blanks(bytes, text_from) == at) {
            match run_of_documents(text, at) {
                Ok(_) if segments.len() > most => return Layout::Text,
                Ok((document, end)) => {
                    if blanks(bytes, text_from) < at {
                        segments.push(Segment::Text(&text[text_from..at]));
                    }
                    segments.push(Segment::Document(document));
                    (text_from, line) = (end, end);
                    continue;
                }
                Err(Fault::Syntax(reached)) if reached - at <= budget => budget -= reached - at,
                Err(_) => return Layout::Text,
            }
        }
        line = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline + 1);
    }
    if blanks(bytes, text_from) < bytes.len() {
        segments.push(Segment::Text(&text[text_from..]));
    }
    match <[Segment<'_>; 1]>::try_from(segments) {
        Ok([Segment::Document(document)]) => Layout::Document(document),
        // Of several segments, one at least is a document.
        Err(segments) if !segments.is_empty() => Layout::Mixed(segments),
        _ => Layout::Text,
    }
}

/// Reads documents one after another from `at`; returns them and the offset behind the line on which the last one ends.
fn run_of_documents(text: &str, at: usize) -> Result<(Document<'_>, usize), Fault> {
    let bytes = text.as_bytes();
    let mut parser = Parser::new(text);
    let (mut values, mut at) = (0, at);
    // The number of values and of nodes up to the last document that ended its line, and the end of that line.
    let (mut whole, mut nodes, mut line_end) = (0, parser.nodes.len(), at);
    loop {
        let end = match parser.value(at) {
            Ok(end) => end,
            Err(Fault::Syntax(_)) if whole > 0 => break,
            Err(fault) => return Err(fault),
        };
        values += 1;
        at = blanks(bytes, end);
        let newline = memchr::memchr(b'\n', &bytes[end..at]);
        if at == bytes.len() || newline.is_some() {
            line_end = newline.map_or(at, |newline| end + newline + 1);
            (whole, nodes) = (values, parser.nodes.len());
        }
        if !matches!(bytes.get(at), Some(b'{' | b'[')) {
            break;
        }
    }
    if whole == 0 {
        return Err(Fault::Syntax(at));
    }
    parser.nodes.truncate(nodes);
    Ok((parser.finish(whole), line_end))
}

//! The outline of a large document: its paths as a tree, each with the number of its values, the number of different
//! ones and examples, then rows of its longest list.

mod rows;
mod shapes;
mod tally;
mod tree;
mod values;

use crate::document::{Document, Layout, Segment, scan, yaml_to_json};
use crate::tokens;
use rows::Longest;
use tally::Tally;
use tree::Tree;

/// Most tokens of an outline, of its rows where these are the first, and of its rows where there is one of each shape
/// of message.
const MOST_TOKENS: usize = 900;
const ROW_TOKENS: usize = 280;
const EXAMPLE_TOKENS: usize = 420;
/// Explains the lines below it.
const LEGEND: &str = "Outline: name[how many], value ×how often; … +N: so many lines left out\n";

/// The replacement for a large document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The outline's lines.
    pub text: String,
    /// The `jq` path that prints the items of the longest list, given the output as it came; it can stand between
    /// single quotes. `None` if there is no such list, or if `jq` cannot read the text.
    pub jq: Option<String>,
}

/// The outline of the largest document in `text`, within 900 tokens; `None` if there is no document.
pub fn outline(text: &str) -> Option<Outline> {
    match scan(text) {
        Layout::Document(document) => Some(outline_of(&document, "", true)),
        Layout::Mixed(segments) => {
            let lines = |segment: &Segment<'_>| match segment {
                Segment::Document(_) => None,
                Segment::Text(text) => Some(text.lines().filter(|line| !line.trim().is_empty()).count()),
            };
            let texts: Vec<_> = segments.iter().filter_map(lines).collect();
            let (count, lines) = (segments.len() - texts.len(), texts.iter().sum::<usize>());
            let largest = largest(segments)?;
            let which =
                if count > 1 { format!("The largest of {count} documents") } else { "A document".into() };
            Some(outline_of(&largest, &format!("{which} among {lines} lines of text.\n"), false))
        }
        Layout::Text => {
            let json = yaml_to_json(text)?;
            let Layout::Document(document) = scan(&json) else { return None };
            Some(outline_of(&document, "", false))
        }
    }
}

fn outline_of(document: &Document<'_>, head: &str, jq: bool) -> Outline {
    let tally = Tally::of(document);
    let longest = Longest::of(document, &tally);
    let tree = Tree::of(document, &tally, longest.as_ref());
    let most = if tree.examples.is_empty() { ROW_TOKENS } else { EXAMPLE_TOKENS };
    let some_rows = |longest: &Longest| longest.some_rows(document, &tree.examples, most);
    let rows = longest.as_ref().map_or(String::new(), some_rows);
    let frame =
        tokens::count(head.as_bytes()) + tokens::count(LEGEND.as_bytes()) + tokens::count(rows.as_bytes());
    let tree = tree.write(MOST_TOKENS.saturating_sub(frame));
    let beyond = match tally.beyond {
        0 => String::new(),
        beyond => format!("… {beyond} values deeper down or under more keys\n"),
    };
    Outline {
        text: format!("{head}{LEGEND}{tree}{beyond}{rows}"),
        jq: longest.map(|longest| longest.jq).filter(|_| jq),
    }
}

/// The largest document in `text`.
pub fn largest_document(text: &str) -> Option<Document<'_>> {
    match scan(text) {
        Layout::Text => None,
        Layout::Document(document) => Some(document),
        Layout::Mixed(segments) => largest(segments),
    }
}

fn largest(segments: Vec<Segment<'_>>) -> Option<Document<'_>> {
    let documents = segments.into_iter().filter_map(|segment| match segment {
        Segment::Document(document) => Some(document),
        Segment::Text(_) => None,
    });
    documents.max_by_key(Document::node_count)
}

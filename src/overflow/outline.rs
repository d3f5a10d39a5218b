//! The outline of a large document: its paths as a tree, each with the number of its values, the number of different
//! ones and examples, then rows of its longest list.

mod items;
mod messages;
mod rows;
mod tally;
mod tree;
mod values;

use crate::document::{Document, Layout, Segment, scan, tables, yaml_to_json};
use crate::tokens;
use items::Items;
use rows::{Longest, fitting};
use tally::Tally;
use tree::Tree;

/// Most tokens of an outline, of its rows, and of what is told of items together.
const MOST_TOKENS: usize = 900;
const ROW_TOKENS: usize = 280;
const FACT_TOKENS: usize = 250;
/// Explains the lines below it.
const LEGEND: &str =
    "Outline: name[how many], value ×how often; … +N: so many lines left out; items by number, from 0\n";

/// The replacement for a large document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The outline's lines.
    pub text: String,
    /// The `jq` path that prints the items of the longest list, given the output as it came; it can stand between
    /// single quotes. `None` if there is no such list, or if `jq` cannot read the text.
    pub jq: Option<String>,
    /// Whether it is that of a table printed as text.
    pub is_table: bool,
}

/// The outline of the largest document in `text`, or of the table that it is, within 900 tokens; `None` if there is
/// neither.
pub fn outline(text: &str) -> Option<Outline> {
    match scan(text) {
        Layout::Document(document) => Some(outline_of(&document, "", Way::Jq)),
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
            Some(outline_of(&largest, &format!("{which} among {lines} lines of text.\n"), Way::Other))
        }
        Layout::Text => {
            let Some(json) = yaml_to_json(text) else { return outline_of_table(text) };
            let Layout::Document(document) = scan(&json) else { return None };
            Some(outline_of(&document, "", Way::Other))
        }
    }
}

/// The outline of the table that a text is; `None` if it is none.
pub fn outline_of_table(text: &str) -> Option<Outline> {
    let (table, lines, around) = tables::read(text)?.only()?;
    Some(outline_of(&table, &around, Way::Printed(lines)))
}

/// How one gets at the items.
#[derive(Clone, Copy)]
enum Way<'t> {
    Jq,
    Other,
    /// They are these lines.
    Printed(&'t str),
}

fn outline_of(document: &Document<'_>, head: &str, way: Way<'_>) -> Outline {
    let tally = Tally::of(document);
    let longest = Longest::of(document, &tally);
    let items = longest.as_ref().map(|longest| Items::of(document, &tally, longest));
    let mut told = String::new();
    if let Some(items) = &items {
        told = match way {
            Way::Printed(lines) => format!("As it begins:\n{}", fitting(lines.lines(), ROW_TOKENS).0),
            _ => items.longest.some_rows(items, ROW_TOKENS),
        };
        let mut left = FACT_TOKENS;
        for line in items.pairs().into_iter().chain(items.together()) {
            let tokens = tokens::count(line.as_bytes()) + 1;
            if tokens <= left {
                left -= tokens;
                told = format!("{line}\n{told}");
            }
        }
    }
    let frame = [head, LEGEND, &told].map(|text| tokens::count(text.as_bytes())).iter().sum();
    let tree = Tree::of(document, &tally, items.as_ref()).write(MOST_TOKENS.saturating_sub(frame));
    let beyond = match tally.beyond {
        0 => String::new(),
        beyond => format!("… {beyond} values deeper down or under more keys\n"),
    };
    Outline {
        text: format!("{head}{LEGEND}{tree}{beyond}{told}"),
        jq: longest.map(|longest| longest.jq).filter(|_| matches!(way, Way::Jq)),
        is_table: matches!(way, Way::Printed(_)),
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

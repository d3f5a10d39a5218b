//! What a large document is made of: paths, types, lengths, and its first rows.

use std::fmt::Write as _;

use indexmap::IndexMap;

use crate::document::{Document, Id, Kind, Layout, Segment, scan};
use crate::render::minified;
use crate::tokens;

/// Nodes that are looked at: what comes later has the same keys as a rule.
const LOOKED_AT: u32 = 200_000;
/// Lines of the outline.
const MOST_PATHS: usize = 40;
/// Rows shown.
const ROWS: usize = 3;
/// Tokens of the rows together.
const ROW_TOKENS: usize = 400;
/// Characters of one row.
const LONGEST_ROW: usize = 600;

/// One path of the document, list items taken together.
#[derive(Default)]
struct Place {
    kinds: Vec<&'static str>,
    seen: u64,
    /// Fewest and most children, of lists.
    lengths: Option<(usize, usize)>,
}

/// The outline of the largest document in `text`; none if there is no document.
pub(super) fn outline(text: &str) -> Option<String> {
    let document = largest_document(text)?;
    let mut out = String::from("Shape:\n");
    write_places(&document, &mut out);
    write_rows(&document, &mut out);
    Some(out)
}

/// The largest document in `text`.
pub fn largest_document(text: &str) -> Option<Document<'_>> {
    let documents = match scan(text) {
        Layout::Text => return None,
        Layout::Document(document) => vec![document],
        Layout::Mixed(segments) => segments
            .into_iter()
            .filter_map(|segment| match segment {
                Segment::Document(document) => Some(document),
                Segment::Text(_) => None,
            })
            .collect(),
    };
    documents.into_iter().max_by_key(Document::len)
}

/// Every path with what stands there, in the order in which they come.
fn places(document: &Document<'_>) -> IndexMap<String, Place> {
    let mut places: IndexMap<String, Place> = IndexMap::new();
    // Ends of the open lists and objects, with the length of the path up to them.
    let mut open: Vec<(Id, usize, bool)> = Vec::new();
    let mut path = String::new();
    let root = document.root();
    let end = document.end(root).min(root.saturating_add(LOOKED_AT));
    for id in root..end {
        while let Some((close, length, _)) = open.last().copied() {
            if id < close {
                break;
            }
            path.truncate(length);
            open.pop();
        }
        let parent = path.len();
        if let Some(key) = document.key_id(id) {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(document.key(key));
        } else if open.last().is_some_and(|(_, _, is_list)| *is_list) {
            path.push_str("[]");
        }
        let kind = document.kind(id);
        let place = places.entry(path.clone()).or_default();
        place.seen += 1;
        let name = name_of(kind);
        if !place.kinds.contains(&name) {
            place.kinds.push(name);
        }
        if kind == Kind::Array {
            let length = document.children(id).count();
            let (fewest, most) = place.lengths.unwrap_or((length, length));
            place.lengths = Some((fewest.min(length), most.max(length)));
        }
        if document.is_scalar(id) {
            path.truncate(parent);
        } else {
            open.push((document.end(id), parent, kind == Kind::Array));
        }
    }
    places
}

fn write_places(document: &Document<'_>, out: &mut String) {
    let places = places(document);
    for (path, place) in places.iter().take(MOST_PATHS) {
        let shown = if path.is_empty() { "(top)" } else { path };
        let _ = write!(out, "  {shown}: {}", place.kinds.join("|"));
        match place.lengths {
            Some((fewest, most)) if fewest == most => drop(write!(out, " of {most}")),
            Some((fewest, most)) => drop(write!(out, " of {fewest} to {most}")),
            None => {}
        }
        out.push('\n');
    }
    if places.len() > MOST_PATHS {
        let _ = writeln!(out, "  … {} more paths", places.len() - MOST_PATHS);
    }
}

fn name_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "bool",
        Kind::Number => "number",
        Kind::Plain | Kind::Escaped => "string",
        Kind::Array => "list",
        Kind::Object => "object",
    }
}

/// The first items of the longest list near the top.
fn write_rows(document: &Document<'_>, out: &mut String) {
    let Some((path, list, length)) = longest_list(document) else { return };
    let mut shown = 0;
    let mut rows = String::new();
    for item in document.children(list).take(ROWS) {
        let row = row(document.span(item));
        if shown > 0 && tokens::count(rows.as_bytes()) + tokens::count(row.as_bytes()) > ROW_TOKENS {
            break;
        }
        rows.push_str(&row);
        rows.push('\n');
        shown += 1;
    }
    let of = if path.is_empty() { String::new() } else { format!(" of {path}") };
    let _ = write!(out, "First {shown} of {length} rows{of}:\n{rows}");
}

/// The longest list at the top or one or two keys below it, with its path.
fn longest_list(document: &Document<'_>) -> Option<(String, Id, usize)> {
    let mut level = vec![(String::new(), document.root())];
    let mut found: Vec<(String, Id, usize)> = Vec::new();
    for _ in 0..3 {
        let mut below = Vec::new();
        for (path, id) in level {
            match document.kind(id) {
                Kind::Array => found.push((path, id, document.children(id).count())),
                Kind::Object => below.extend(document.children(id).map(|child| {
                    let key = document.key_id(child).map_or("", |key| document.key(key));
                    let dot = if path.is_empty() { "" } else { "." };
                    (format!("{path}{dot}{key}"), child)
                })),
                _ => {}
            }
        }
        level = below;
    }
    found.into_iter().filter(|(_, _, length)| *length > 0).rev().max_by_key(|(_, _, length)| *length)
}

/// A row on one line.
fn row(source: &str) -> String {
    let mut row = match scan(source) {
        Layout::Document(document) => {
            String::from_utf8_lossy(&minified::render(&document)).trim_end().to_owned()
        }
        _ => source.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    if let Some((cut, _)) = row.char_indices().nth(LONGEST_ROW) {
        let more = row[cut..].chars().count();
        row.truncate(cut);
        let _ = write!(row, "… ({more} characters more)");
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_types_lengths_and_rows() {
        let rows: Vec<String> = (0..50)
            .map(|n| {
                format!("{{\"id\": {n}, \"tags\": [{}], \"x\": null}}", if n % 2 == 0 { "\"a\"" } else { "" })
            })
            .collect();
        let text = format!("{{\"Items\": [{}], \"Count\": 50}}", rows.join(",\n"));
        let outline = outline(&text).unwrap();
        for line in [
            "  (top): object",
            "  Items: list of 50",
            "  Items[].tags: list of 0 to 1",
            "  Items[].tags[]: string",
            "  Count: number",
            "First 3 of 50 rows of Items:",
            "{\"id\":0,\"tags\":[\"a\"],\"x\":null}",
        ] {
            assert!(outline.lines().any(|l| l == line), "{line}\n{outline}");
        }
    }

    #[test]
    fn text_has_no_outline() {
        assert_eq!(outline("no document"), None);
    }
}

//! Affixes: the prefix and suffix that all cells of a column share are said in its head:
//! `LaunchTime=2026-11-21T10:*.000Z`.

use super::cells::Cell;
use super::scalar::{REST, begins_with_pair, estimate, is_bare, write_bare, write_marked};
use crate::document::Document;

/// Fewest cells, and fewest tokens saved, for which a head is made longer.
const FEWEST_CELLS: usize = 3;
const WORTH: u32 = 6;
/// Fewest tokens that each cell gets shorter by: a name with a short prefix (`item-7`) is better left whole.
const FEWEST_TOKENS: u32 = 4;

/// The text before and behind a cell's own. The cells of such a column are strings, whatever they look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affixes {
    before: String,
    behind: String,
}

impl Affixes {
    /// The affixes of a column, if they are worth it.
    pub fn of(document: &Document<'_>, cells: &[Cell]) -> Option<Self> {
        let first = cells.first().filter(|_| cells.len() >= FEWEST_CELLS)?;
        let first = document.text(first.id);
        let (mut before, mut behind) = (first.len(), first.len());
        let mut shortest = first.len();
        for cell in cells {
            if !document.is_string(cell.id) {
                return None;
            }
            let text = document.text(cell.id);
            if text.starts_with(['{', '[']) || before + behind == 0 {
                return None;
            }
            let pairs = first.bytes().zip(text.bytes());
            before = before.min(pairs.take_while(|(a, b)| a == b).count());
            let pairs = first.bytes().rev().zip(text.bytes().rev());
            behind = behind.min(pairs.take_while(|(a, b)| a == b).count());
            shortest = shortest.min(text.len());
        }
        let is_boundary = |at: &usize| first.is_char_boundary(*at);
        let before = start_of_word(&first[..(0..=before).rfind(is_boundary)?]);
        let from = first.len() - behind.min(shortest - before.len());
        let behind = end_of_word(&first[(from..=first.len()).find(is_boundary)?..]);
        let each = estimate(before) + estimate(behind);
        let saved = each * (cells.len() as u32 - 1);
        let clear = !before.contains('*') && !behind.contains('*');
        (clear && each >= FEWEST_TOKENS && saved >= WORTH)
            .then(|| Self { before: before.into(), behind: behind.into() })
    }

    /// Appends `=before*behind`.
    pub fn write_head(&self, out: &mut Vec<u8>) {
        out.push(b'=');
        let pattern = format!("{}*{}", self.before, self.behind);
        write_bare(out, &pattern, is_bare(&pattern) && !pattern.ends_with(REST));
    }

    /// Appends a cell's text without its affixes.
    pub fn write_cell(&self, text: &str, out: &mut Vec<u8>) {
        let own = &text[self.before.len()..text.len() - self.behind.len()];
        write_marked(out, own, is_bare(own) && !begins_with_pair(own));
    }
}

/// The text up to its last separator of a path, a sentence or a time, so that names, ids and addresses stay whole. A
/// sentence is separated between its words: `pool=13/32` stays whole, too.
fn start_of_word(text: &str) -> &str {
    let is_time =
        text.as_bytes().get(10) == Some(&b'T') && text.starts_with(|first: char| first.is_ascii_digit());
    let has_word = text.as_bytes().windows(3).any(|three| three.iter().all(u8::is_ascii_alphabetic));
    let end = match (is_time, has_word) {
        (true, _) => Some(10),
        (_, true) => text.rfind(' ').or_else(|| text.rfind(['/', ':', '='])),
        _ => None,
    };
    end.map_or("", |end| &text[..=end])
}

/// The text from its first separator on, if there are letters behind it.
fn end_of_word(text: &str) -> &str {
    let end = text.find(' ').or_else(|| text.find(['/', '.', ':', '?'])).map_or("", |at| &text[at..]);
    if end.contains(|c: char| c.is_ascii_alphabetic()) { end } else { "" }
}

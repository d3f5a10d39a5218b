//! The longest list of a document: where it is, how `jq` gets at it, and some of its rows.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::tally::{Place, Step, Tally};
use super::values::quoted;
use crate::document::{Document, Id};
use crate::render::minified;
use crate::tokens;

/// Longest row, in characters.
const LONGEST_ROW: usize = 600;
/// Most tokens of a row that is cut.
const MOST_OF_A_CUT_ROW: usize = 90;

/// The list that takes up most of a document.
pub struct Longest {
    /// The number of each place on the path to its items.
    pub places: Vec<u32>,
    /// Number of items, of all lists at that path.
    pub items: u64,
    /// The `jq` path that prints the items one by one: `.Reservations[].Instances[]`.
    pub jq: String,
    /// The first items.
    pub first: Vec<Id>,
}

impl Longest {
    /// Finds the longest list: of lists beside each other, the one that takes up the largest part of the document; of
    /// lists within lists, the innermost that holds nearly all of the outer one.
    pub fn of(document: &Document<'_>, tally: &Tally) -> Option<Self> {
        let mut places = Vec::new();
        let mut here = 0;
        while let Some(way) = largest_list(tally, here) {
            let items = *way.last()?;
            let (outer, inner) = (tally.get(here), tally.get(items));
            let nearly_all = inner.nodes * 10 >= outer.nodes * 7 && inner.seen >= outer.seen;
            if !(places.is_empty() || nearly_all && inner.objects + inner.lists > 0) {
                break;
            }
            places.extend(way);
            here = items;
        }
        let last = tally.get(*places.last()?);
        let jq = jq_path(document, places.iter().map(|&place| tally.get(place)));
        (last.seen > 1).then(|| Self { items: last.seen, jq, first: last.first.clone(), places })
    }

    /// As many rows as fit into `most` tokens, at least one; only the first may be a cut one. The rows are those that
    /// hold `examples`, each of which stands for others; without examples they are the first rows.
    pub fn some_rows(&self, document: &Document<'_>, examples: &[Id], most: usize) -> String {
        let mut of_shapes: Vec<Id> = examples.iter().filter_map(|&id| self.row_of(document, id)).collect();
        // A row may hold messages of several shapes.
        let mut seen = HashSet::new();
        of_shapes.retain(|row| seen.insert(*row));
        let (rows, shown) =
            write_rows(document, if of_shapes.is_empty() { &self.first } else { &of_shapes }, most);
        of_shapes.truncate(shown);
        let Self { items, jq, .. } = self;
        let which = match of_shapes.len() {
            0 => format!("First {shown} of {items}"),
            all if all == examples.len() => format!("First of each shape, of {items}"),
            some => format!("First rows of some of the shapes, {some} of {items}"),
        };
        format!("{which} from {jq}\n{rows}")
    }

    /// The item of this list that holds a node.
    fn row_of(&self, document: &Document<'_>, node: Id) -> Option<Id> {
        let within = |id: &Id| (*id..document.end(*id)).contains(&node);
        self.places.iter().try_fold(document.root(), |above, _| document.children(above).find(within))
    }
}

/// The rows that fit, and their number.
fn write_rows(document: &Document<'_>, ids: &[Id], most: usize) -> (String, usize) {
    let mut rows = String::new();
    let mut shown = 0;
    for &id in ids {
        let row = row(document, id, most);
        let is_second_cut = shown > 0 && row.ends_with(" bytes more)");
        if is_second_cut || shown > 0 && tokens::count(rows.as_bytes()) + tokens::count(row.as_bytes()) > most
        {
            break;
        }
        rows.push_str(&row);
        rows.push('\n');
        shown += 1;
    }
    (rows, shown)
}

/// The path from a place, through fields alone, to the items of the list that holds most nodes.
fn largest_list(tally: &Tally, from: u32) -> Option<Vec<u32>> {
    let mut found: Option<(u64, Vec<u32>)> = None;
    let mut open = vec![vec![from]];
    while let Some(way) = open.pop() {
        let Some(&place) = way.last() else { continue };
        for (number, below) in tally.below(place) {
            let mut way = way.clone();
            way.push(number);
            match below.step {
                Step::Items | Step::Members => {
                    if found.as_ref().is_none_or(|(nodes, _)| below.nodes > *nodes) {
                        found = Some((below.nodes, way));
                    }
                }
                Step::Key(_) => open.push(way),
                Step::Tag(_) | Step::Column(_) => {}
            }
        }
    }
    found.map(|(_, way)| way[1..].to_vec())
}

/// A path such as `.a."b c"[]`, which can stand between single quotes.
fn jq_path<'t>(document: &Document<'_>, places: impl Iterator<Item = &'t Place>) -> String {
    let mut path = String::new();
    for (at, place) in places.enumerate() {
        match place.step {
            Step::Items if at == 0 && document.is_stream() => {}
            Step::Key(key) => {
                path.push('.');
                path.push_str(&jq_key(document.key(key)));
            }
            _ => path.push_str(if path.is_empty() { ".[]" } else { "[]" }),
        }
    }
    if path.is_empty() { ".".into() } else { path }
}

fn jq_key(key: &str) -> String {
    let is_word = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_word && !key.starts_with(|first: char| first.is_ascii_digit()) && !key.is_empty() {
        return key.to_owned();
    }
    quoted(key).replace('\'', "\\u0027")
}

/// A row as minified JSON on one line, no longer than about `most` tokens.
fn row(document: &Document<'_>, id: Id, most: usize) -> String {
    let mut row = Vec::new();
    minified::write_beginning(document, id, &mut row);
    let length = document.span_len(id).max(row.len());
    let mut row = String::from_utf8_lossy(&row).into_owned();
    let cut = row.char_indices().nth(LONGEST_ROW).map_or(row.len(), |(cut, _)| cut);
    let whole = cut == row.len();
    row.truncate(cut);
    let tokens = tokens::count(row.as_bytes());
    let most = if whole { most } else { MOST_OF_A_CUT_ROW };
    if tokens > most {
        let cut = row.char_indices().nth(row.chars().count() * most / tokens).map_or(0, |(cut, _)| cut);
        row.truncate(cut);
    }
    if !whole || tokens > most {
        let _ = write!(row, "… (about {} bytes more)", length.saturating_sub(row.len()));
    }
    row
}

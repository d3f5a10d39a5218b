//! The longest list of a document: where it is, how `jq` gets at it, and its first rows.

use super::items::Items;
use super::tally::{Place, Step, Tally};
use super::values::quoted;
use crate::document::{Document, Id};
use crate::render::minified;
use crate::tokens;

const LONGEST_ROW: usize = 600;

/// The list that takes up most of a document.
pub struct Longest {
    /// The number of each place on the path to its items.
    pub places: Vec<u32>,
    /// Number of items, of all lists at that path.
    pub items: u64,
    /// The `jq` path that prints the items one by one: `.Reservations[].Instances[]`.
    pub jq: String,
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

    /// Rows that fit into `most` tokens, whole where two do, else their ids, names, states and types: one of each kind
    /// of message if messages have kinds, else the first.
    pub fn some_rows(&self, items: &Items<'_, '_>, most: usize) -> String {
        let kinds = items.of_each_kind();
        let ids = if kinds.len() > 1 { items.ids_at(&kinds) } else { self.first.clone() };
        let whole = ids.iter().map_while(|&id| whole_row(items.document, id));
        let (mut rows, mut shown) = fitting(whole, most);
        let mut fields = String::new();
        if shown < ids.len().min(2) {
            let columns = items.columns(&ids);
            let names: Vec<_> = columns.iter().map(|(name, _)| name.as_str()).collect();
            let row = |at: usize| columns.iter().map(|(_, cells)| &*cells[at]).collect::<Vec<_>>().join(", ");
            let some = (0..ids.len()).filter(|_| names.len() > 1).map(row);
            (rows, shown) = fitting(some, most);
            fields = format!(": {}", names.join(", "));
        }
        let Self { items: all, jq, .. } = self;
        if shown == 0 {
            return format!("{all} items: {jq}\n");
        }
        let (which, why) = match kinds.len() {
            ..2 => (format!("First {shown}"), ""),
            count if shown < count => (items.labels(&kinds[..shown]), ", the rarest kinds of message"),
            _ => (items.labels(&kinds), ", one of each kind of message"),
        };
        format!("{which} of {all} from {jq}{why}{fields}\n{rows}")
    }
}

/// The first rows that fit, and their number.
pub fn fitting(all: impl Iterator<Item = impl AsRef<str>>, most: usize) -> (String, usize) {
    let (mut rows, mut shown) = (String::new(), 0);
    for row in all {
        let row = row.as_ref();
        if tokens::count(rows.as_bytes()) + tokens::count(row.as_bytes()) > most {
            break;
        }
        rows.extend([row, "\n"]);
        shown += 1;
    }
    (rows, shown)
}

/// A row as minified JSON on one line, if it is not too long.
fn whole_row(document: &Document<'_>, id: Id) -> Option<String> {
    let mut row = Vec::new();
    minified::write_beginning(document, id, &mut row);
    let row = String::from_utf8_lossy(&row).into_owned();
    (row.chars().nth(LONGEST_ROW).is_none()).then_some(row)
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

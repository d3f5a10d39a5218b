//! Documents of one shape: which lists they have in common, and whether another document belongs to them.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use indexmap::IndexMap;

use crate::document::{Document, Id, Kind};

/// The name of a list that has no key.
pub(super) const OUTPUT: &str = "output";

#[derive(Debug)]
pub struct Merged<'a> {
    /// The names of the calls, in the order of the command line; never empty.
    pub names: Vec<String>,
    /// The document that all of them printed.
    pub document: Document<'a>,
}

/// A list of objects, not empty.
pub(super) struct List {
    pub(super) rows: Vec<Id>,
    pub(super) columns: Columns,
}

/// A document divided into the lists that can be joined, and the rest.
pub(super) struct Parts<'s, 'a> {
    pub(super) source: &'s Merged<'a>,
    /// Whether it can be joined with others: unless it is a list of anything but objects.
    pub(super) is_joinable: bool,
    pub(super) is_list: bool,
    pub(super) keys: HashSet<&'s str>,
    pub(super) lists: IndexMap<&'s str, List>,
    /// All other members.
    pub(super) rest: Vec<Id>,
    /// The columns of the document as one row, if it has no list.
    row: Columns,
}

impl<'s, 'a> Parts<'s, 'a> {
    pub(super) fn of(source: &'s Merged<'a>) -> Self {
        let document = &source.document;
        let root = document.root();
        let is_list = document.kind(root) == Kind::Array;
        let (mut lists, mut rest, mut keys) = (IndexMap::new(), Vec::new(), HashSet::new());
        let list_of = |rows: Vec<Id>| List { columns: Columns::of(document, &rows), rows };
        if is_list {
            lists.extend(rows(document, root).map(|rows| (OUTPUT, list_of(rows))));
        } else {
            for member in document.children(root) {
                let key = key_of(document, member);
                keys.insert(key);
                match rows(document, member) {
                    Some(rows) => drop(lists.insert(key, list_of(rows))),
                    None => rest.push(member),
                }
            }
        }
        let is_joinable = !is_list || !lists.is_empty() || document.is_childless(root);
        let row =
            if lists.is_empty() && !is_list { Columns::of(document, &[root]) } else { Columns::default() };
        Self { source, is_joinable, is_list, keys, lists, rest, row }
    }
}

/// The elements of a list of objects; None for an empty list and for anything else.
fn rows(document: &Document<'_>, list: Id) -> Option<Vec<Id>> {
    let is_rows = document.kind(list) == Kind::Array
        && !document.is_childless(list)
        && document.children(list).all(|row| document.kind(row) == Kind::Object);
    is_rows.then(|| document.children(list).collect())
}

pub(super) fn key_of<'d>(document: &'d Document<'_>, member: Id) -> &'d str {
    document.key_id(member).map_or("", |key| document.key(key))
}

/// Documents of one shape; never empty.
#[derive(Default)]
pub(super) struct Alike<'s, 'a> {
    pub(super) members: Vec<Parts<'s, 'a>>,
    pub(super) keys: HashSet<&'s str>,
    pub(super) tables: IndexMap<&'s str, Columns>,
    row: Columns,
}

impl<'s, 'a> Alike<'s, 'a> {
    /// Whether the document has this shape, so that each list that both have can become one table.
    pub(super) fn suits(&self, new: &Parts<'_, '_>) -> bool {
        let has_list = !(new.lists.is_empty() && self.tables.is_empty());
        let is_related = if new.is_list {
            true
        } else if has_list {
            new.lists.keys().any(|key| self.keys.contains(key))
                || self.tables.keys().any(|key| new.keys.contains(key))
        } else {
            self.row.suits(&new.row)
        };
        let suits = |(key, list): (&&str, &List)| {
            self.tables.get(*key).is_none_or(|table| table.suits(&list.columns))
        };
        let first = &self.members[0];
        let is_alike = new.is_list == first.is_list && new.is_joinable && first.is_joinable;
        is_alike && is_related && new.lists.iter().all(suits)
    }

    pub(super) fn add(&mut self, new: Parts<'s, 'a>) {
        for (&key, list) in &new.lists {
            self.tables.entry(key).or_default().add(&list.columns);
        }
        self.keys.extend(&new.keys);
        self.row.add(&new.row);
        self.members.push(new);
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.members.iter().flat_map(|parts| &parts.source.names)
    }
}

/// Least share of filled cells, in percent, for which lists are joined in one table.
const LEAST_FILLED: usize = 55;

/// The columns of a list, or of lists joined in a table: paths through objects that half of a list's rows have.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: usize,
    filled: usize,
    paths: HashSet<u64>,
}

impl Columns {
    /// The columns of the objects `rows`, in time linear in their size.
    pub(super) fn of(document: &Document<'_>, rows: &[Id]) -> Self {
        let keys: Vec<u64> = (0..document.key_count()).map(|key| hash(document.key(key as u32))).collect();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        let mut open: Vec<(Id, u64)> = Vec::new();
        for &row in rows {
            open.clear();
            open.push((document.end(row), 0));
            let mut id = row + 1;
            while id < document.end(row) {
                while open.pop_if(|(end, _)| *end <= id).is_some() {}
                let above = open.last().map_or(0, |(_, path)| *path);
                let key = document.key_id(id).map_or(0, |key| keys[key as usize]);
                let path = hash((above, key));
                if document.kind(id) == Kind::Object && !document.is_childless(id) {
                    open.push((document.end(id), path));
                    id += 1;
                } else {
                    *counts.entry(path).or_default() += 1;
                    id = document.end(id);
                }
            }
        }
        let is_column = |count: usize| 2 * count >= rows.len();
        let paths = counts.into_iter().filter(|(_, count)| is_column(*count)).map(|(path, _)| path);
        let paths: HashSet<u64> = paths.collect();
        Self { rows: rows.len(), filled: rows.len() * paths.len(), paths }
    }

    /// Whether enough cells of the table would be filled with this list in it.
    pub(super) fn suits(&self, list: &Self) -> bool {
        let new = list.paths.difference(&self.paths).count();
        let cells = (self.rows + list.rows) * (self.paths.len() + new);
        (self.filled + list.filled) * 100 >= cells * LEAST_FILLED
    }

    pub(super) fn add(&mut self, list: &Self) {
        self.rows += list.rows;
        self.filled += list.filled;
        self.paths.extend(&list.paths);
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

//! Which columns a list of objects has, and how full one table of several such lists would be.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::document::{Document, Id, Kind};

/// Least share of filled cells, in percent, for which lists are joined in one table.
const LEAST_FILLED: usize = 55;

/// The columns of one list, or of a table in which lists are joined: paths through objects that at least half of the
/// rows of a list have.
#[derive(Debug, Default)]
pub(super) struct Columns {
    rows: usize,
    /// Number of filled cells.
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

    /// Adds a list to the table.
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

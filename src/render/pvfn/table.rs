//! A table: the columns of its rows, and the values that are said once for all of them.

use super::affixes::Affixes;
use super::cells::{Cell, Cells};
use super::choice::{Mode, fits};
use super::paths::Paths;
use crate::document::{Document, Id};

/// A list of objects, or an object whose members are objects, laid out as rows.
#[derive(Debug, Default)]
pub struct Table {
    /// Each row begins with its key.
    pub keyed: bool,
    pub paths: Paths,
    pub modes: Vec<Mode>,
    pub cells: Cells,
    pub rows: Vec<Id>,
    /// All paths but the sparse ones, in order.
    pub dense: Vec<u32>,
    /// The paths written as columns, in order, with the prefix and suffix that all their cells share.
    pub columns: Vec<(u32, Option<Affixes>)>,
    /// Whether the last column takes the rest of the line.
    pub rest: bool,
    /// The first row of each group.
    pub groups: Vec<u32>,
    /// Estimated tokens saved over writing each row as a block.
    pub gain: i64,
}

impl Table {
    /// Lists the columns, with what `affixes` says of each.
    pub(super) fn place(&mut self, affixes: impl Fn(&Self, u32) -> Option<Affixes>) {
        let mode = |path: &u32| &self.modes[*path as usize];
        // A printed table names a column that is empty.
        let is_named = |path: &u32| self.paths.are_texts && *path > 0 && self.cells.of_path(*path).is_empty();
        let is_dense = |path: &u32| *mode(path) != Mode::Default(None) || is_named(path);
        self.dense = (0..self.modes.len() as u32).filter(is_dense).collect();
        let columns = self.dense.iter().copied().filter(|path| *mode(path) == Mode::Column);
        self.columns = columns.map(|path| (path, affixes(self, path))).collect();
        self.columns.sort_unstable_by_key(|(path, _)| self.paths.get(*path).rank);
    }

    /// Whether what is said once of a path gives this cell, in whose row `at` finds the cell of a path. Nothing is said
    /// of columns and groups, whose cells stand there.
    pub fn gives(&self, document: &Document<'_>, cell: &Cell, at: impl Fn(u32) -> Option<Cell>) -> bool {
        match &self.modes[cell.path as usize] {
            Mode::Default(common) => common.is_some_and(|common| common.hash == cell.hash),
            Mode::Template(parts) => fits(document, at, parts, cell),
            Mode::Column | Mode::Group => true,
        }
    }

    /// Whether the value said once of a path holds for every row.
    pub fn holds_for_all(&self, document: &Document<'_>, path: u32) -> bool {
        let cells = self.cells.of_path(path);
        let is_given = |cell: &Cell| self.gives(document, cell, |path| self.cells.at(path, cell.row));
        cells.is_empty() || cells.len() == self.rows.len() && cells.iter().all(is_given)
    }

    /// Whether a value of this path in a row stands instead of another that is said once.
    pub fn has_default(&self, path: u32) -> bool {
        matches!(self.modes[path as usize], Mode::Default(Some(_)) | Mode::Template(_))
    }
}

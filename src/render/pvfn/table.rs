//! A table: the columns of its rows, and the values that are said once for all of them.

use std::collections::HashMap;

use super::affixes::Affixes;
use super::cells::{Cell, Cells, Column};
use super::choice::{Choice, Mode};
use super::groups;
use super::paths::{Paths, holds_objects};
use super::templates;
use crate::document::{Document, Id, Kind};

/// A list of objects, or an object whose members are objects, laid out as rows.
#[derive(Debug)]
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
    /// The first row of each group.
    pub groups: Vec<u32>,
    /// Tables for lists below the rows, over the elements of all rows' lists.
    pub inner: HashMap<u32, Table>,
    /// Estimated tokens saved over writing each row as a block.
    pub gain: i64,
}

impl Table {
    /// Lays out `rows`; `shared` tables are continued in several places, and have no groups.
    pub fn of(document: &Document<'_>, rows: Vec<Id>, keyed: bool, shared: bool) -> Option<Self> {
        let mut paths = Paths::of(document, &rows)?;
        let cells = Cells::of(document, &mut paths, &rows);
        paths.rank();
        let modes = vec![Mode::Default(None); paths.len()];
        let mut table = Self {
            keyed,
            paths,
            modes,
            cells,
            rows,
            dense: Vec::new(),
            columns: Vec::new(),
            groups: Vec::new(),
            inner: HashMap::new(),
            gain: 0,
        };
        table.choose_modes(document, shared);
        if table.gain <= 0 {
            return None;
        }
        let mode = |path: &u32| &table.modes[*path as usize];
        table.dense =
            (0..table.modes.len() as u32).filter(|path| *mode(path) != Mode::Default(None)).collect();
        let columns = table.dense.iter().copied().filter(|path| *mode(path) == Mode::Column);
        table.columns =
            columns.map(|path| (path, Affixes::of(document, table.cells.of_path(path)))).collect();
        table.columns.sort_unstable_by_key(|(path, _)| table.paths.get(*path).rank);
        table.lay_out_inner(document);
        Some(table)
    }

    /// Whether the value said once of a path holds for every row.
    pub fn holds_for_all(&self, document: &Document<'_>, path: u32) -> bool {
        let cells = self.cells.of_path(path);
        let holds = |cell: &Cell| match &self.modes[path as usize] {
            Mode::Default(common) => common.is_some_and(|common| common.hash == cell.hash),
            Mode::Template(parts) => {
                templates::fits(document, |path| self.cells.at(path, cell.row), parts, cell)
            }
            Mode::Column | Mode::Group => false,
        };
        cells.len() == self.rows.len() && cells.iter().all(holds)
    }

    /// Whether a value of this path in a row stands instead of another that is said once.
    pub fn has_default(&self, path: u32) -> bool {
        matches!(self.modes[path as usize], Mode::Default(Some(_)) | Mode::Template(_))
    }

    fn choose_modes(&mut self, document: &Document<'_>, shared: bool) {
        let mut cost = 0;
        let mut plain = 0;
        let mut best_column = None;
        let mut costs = vec![0; self.modes.len()];
        for (path, column) in self.cells.iter() {
            let choice = Choice::among(&self.paths, path, column, self.rows.len() as u32);
            cost += i64::from(choice.cost);
            plain += i64::from(choice.plain);
            if choice.mode == Mode::Column || choice.column_loss.is_none() {
                best_column = best_column.or((choice.mode == Mode::Column).then_some((0, path)));
            } else if best_column.is_none_or(|(loss, _)| choice.column_loss.unwrap_or(u32::MAX) < loss) {
                best_column = choice.column_loss.map(|loss| (loss, path));
            }
            self.modes[path as usize] = choice.mode;
            costs[path as usize] = choice.cost;
        }
        let rows = self.rows.len() as u32;
        if rows > 1 {
            let saved = templates::find(document, &self.paths, &self.cells, rows, &mut self.modes, &costs);
            cost -= i64::from(saved);
        }
        if !shared {
            let (groups, saved) = groups::find(&self.paths, &self.cells, rows, &mut self.modes, &costs);
            self.groups = groups;
            cost -= saved;
        }
        templates::keep_apart(document, &self.paths, &mut self.modes);
        let has_column = self.modes.contains(&Mode::Column);
        match best_column {
            Some((loss, path)) if !has_column && !self.keyed => {
                self.modes[path as usize] = Mode::Column;
                cost += i64::from(loss);
            }
            None if !self.keyed => return,
            _ => {}
        }
        cost += self.rows.len() as i64 * 2 + 6;
        plain += self.rows.len() as i64 * 3;
        self.gain = plain - cost;
    }

    /// Lists of objects that were not taken apart get one table over all rows.
    fn lay_out_inner(&mut self, document: &Document<'_>) {
        for (path, Column { cells, .. }) in self.cells.iter() {
            if self.modes[path as usize] != Mode::Default(None) {
                continue;
            }
            let is_list_of_objects = |id| document.kind(id) == Kind::Array && holds_objects(document, id);
            if !cells.iter().all(|cell| is_list_of_objects(cell.id)) {
                continue;
            }
            let rows: Vec<Id> = cells.iter().flat_map(|cell| document.children(cell.id)).collect();
            if rows.len() > cells.len()
                && let Some(table) = Self::of(document, rows, false, true)
            {
                self.inner.insert(path, table);
            }
        }
    }
}

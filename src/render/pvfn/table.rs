//! A table: the columns of its rows, and the values that are said once for all of them.

use super::affixes::Affixes;
use super::cells::{Cell, Cells, Column};
use super::choice::{Choice, Mode};
use super::groups;
use super::last;
use super::paths::Paths;
use super::templates;
use crate::document::{Document, Id};

/// Fewest columns side by side that are given up if most rows have none of them.
const DASHES: usize = 6;
/// In a printed table at most one in so many rows says something on a line below: a reader looks for a value in its row.
const LEAST_BELOW: usize = 20;

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
    /// Whether the last column takes the rest of the line.
    pub rest: bool,
    /// The first row of each group.
    pub groups: Vec<u32>,
    /// Estimated tokens saved over writing each row as a block.
    pub gain: i64,
}

impl Table {
    /// Lays out `rows`.
    pub fn of(document: &Document<'_>, rows: Vec<Id>, keyed: bool) -> Option<Self> {
        let paths = Paths::of(document, &rows, &[])?;
        let mut table = Self::without_modes(document, paths, rows, keyed);
        let (costs, fallback) = table.choose_modes();
        if table.rows.len() > 1 {
            templates::find(document, &mut table, &costs);
        }
        groups::find(&mut table, &[0], &costs);
        templates::keep_apart(document, &table.paths, &mut table.modes);
        table.give_up_dashes();
        if !table.has_column_or(fallback) || table.gain <= 0 {
            return None;
        }
        table.place(|table, path| Affixes::of(document, table.cells.of_path(path)));
        table.rest = last::put_last(document, &mut table);
        Some(table)
    }

    /// Lays out tables printed as text, whose columns have the keys `heads`, and which begin at the rows `starts`: with
    /// columns in the tool's order, words that are whole, and nothing said of a table's last row below it, so that the
    /// table ends where its rows end. `plain`: everything stands in its column.
    pub fn printed(
        document: &Document<'_>,
        rows: Vec<Id>,
        heads: &[u32],
        starts: &[u32],
        plain: bool,
    ) -> Self {
        let paths = Paths::of(document, &rows, heads).expect("no more paths than columns");
        let mut table = Self::without_modes(document, paths, rows, false);
        let (mut costs, _) = table.choose_modes();
        if plain {
            table.modes[1..].fill(Mode::Column);
        } else {
            // Groups say what would be a column otherwise.
            table.put_last(document, starts, &mut costs);
            groups::find(&mut table, starts, &costs);
        }
        table.has_column_or(Some((0, 1)));
        table.put_last(document, starts, &mut costs);
        table
    }

    /// Places the columns of a printed table, whose last one takes the rest of the line where it holds blanks.
    fn put_last(&mut self, document: &Document<'_>, starts: &[u32], costs: &mut [u32]) {
        self.place(|_, _| None);
        if last::is_last(document, self) {
            self.say_little_below(starts, costs);
            self.place(|_, _| None);
        }
        self.rest = last::is_last(document, self);
    }

    /// Makes columns of what many rows would say on lines below them, and of what the last row of a table would.
    fn say_little_below(&mut self, starts: &[u32], costs: &mut [u32]) {
        for (path, Column { cells, tokens, .. }) in self.cells.iter() {
            let path = path as usize;
            let Mode::Default(Some(common)) = self.modes[path] else { continue };
            let same = cells.iter().filter(|cell| cell.hash == common.hash).count();
            if (self.rows.len() - same) * LEAST_BELOW > self.rows.len() {
                self.modes[path] = Mode::Column;
                costs[path] = *tokens;
            }
        }
        let ends = starts.iter().skip(1).copied().chain([self.rows.len() as u32]);
        for last in ends.map(|end| end - 1) {
            for path in 1..self.modes.len() as u32 {
                let Mode::Default(common) = self.modes[path as usize] else { continue };
                if self.cells.at(path, last).map(|cell| cell.hash) != common.map(|common| common.hash) {
                    self.modes[path as usize] = Mode::Column;
                }
            }
        }
    }

    fn without_modes(document: &Document<'_>, mut paths: Paths, rows: Vec<Id>, keyed: bool) -> Self {
        let cells = Cells::of(document, &mut paths, &rows);
        paths.rank();
        Self {
            keyed,
            modes: vec![Mode::Default(None); paths.len()],
            paths,
            cells,
            rows,
            dense: Vec::new(),
            columns: Vec::new(),
            rest: false,
            groups: Vec::new(),
            gain: 0,
        }
    }

    /// Lists the columns, with what `affixes` says of each.
    fn place(&mut self, affixes: impl Fn(&Self, u32) -> Option<Affixes>) {
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
            Mode::Template(parts) => templates::fits(document, at, parts, cell),
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

    /// Chooses for each path the way to write it that is cheapest by itself; returns what each costs, and the path that
    /// loses least as a column, with its loss.
    fn choose_modes(&mut self) -> (Vec<u32>, Option<(u32, u32)>) {
        let rows = self.rows.len() as u32;
        let mut costs = vec![0; self.modes.len()];
        let mut fallback = None;
        self.gain = i64::from(rows) - 6;
        for (path, column) in self.cells.iter() {
            let choice = Choice::among(&self.paths, path, column, rows);
            self.gain += i64::from(choice.plain) - i64::from(choice.cost);
            let loss = choice.column_loss.map(|loss| (loss, path));
            fallback = fallback.into_iter().chain(loss).min();
            self.modes[path as usize] = choice.mode;
            costs[path as usize] = choice.cost;
        }
        (costs, fallback)
    }

    /// Makes sure that a row has a cell, `false` if there can be none.
    fn has_column_or(&mut self, fallback: Option<(u32, u32)>) -> bool {
        if self.keyed || self.modes.contains(&Mode::Column) {
            return true;
        }
        let Some((loss, path)) = fallback else { return false };
        self.modes[path as usize] = Mode::Column;
        self.gain -= i64::from(loss);
        true
    }

    /// Gives up columns of which most rows have nothing, where many of them stand side by side: such rows would be a run
    /// of dashes. Rows that have the values name them.
    fn give_up_dashes(&mut self) {
        let sparse = |path: u32| {
            let column = &self.cells.columns[path as usize];
            self.modes[path as usize] == Mode::Column && column.cells.len() * 2 < self.rows.len()
        };
        let mut columns: Vec<u32> =
            (0..self.modes.len() as u32).filter(|path| self.modes[*path as usize] == Mode::Column).collect();
        columns.sort_unstable_by_key(|path| self.paths.get(*path).rank);
        let runs = columns.chunk_by(|a, b| sparse(*a) == sparse(*b));
        let given_up: Vec<u32> =
            runs.filter(|run| run.len() >= DASHES && sparse(run[0])).flatten().copied().collect();
        for path in given_up {
            self.modes[path as usize] = Mode::Default(None);
        }
    }
}

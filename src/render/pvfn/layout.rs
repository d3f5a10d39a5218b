//! How a table is laid out: what stands in columns, what is said once, in which order, and which column takes the rest of
//! the line: `{time message…}`.

use super::affixes::Affixes;
use super::cells::{Cell, Cells, Column};
use super::groups;
use super::paths::Paths;
use super::scalar::stands;
use super::table::{Choice, Mode, Table};
use super::templates;
use crate::document::{Document, Id};

/// Fewest columns side by side that are given up if most rows have none of them.
const DASHES: usize = 6;
/// In a printed table at most one in so many rows says of a column that it differs, behind its cells or in front: a reader
/// looks for a value in its place.
const LEAST_BEHIND: usize = 3;
const LEAST_IN_FRONT: usize = 8;

/// Fewest rows of a group on average that several columns of a printed table share: else these are looked for in the rows.
const LEAST_GROUP: i64 = 6;

/// Fewest tokens that a table of two rows saves where its columns lie deeper in them: two objects are read one by one.
const WORTH_NESTING: i64 = 150;

/// Tokens of a further line, below a row, for what it says against its table.
const LINE: i64 = 2;
/// One row in so many may have such a line: more of them are in the way of who reads down the rows.
const ROWS_A_LINE: i64 = 5;

impl Table {
    pub fn of(document: &Document<'_>, rows: Vec<Id>, keyed: bool) -> Option<Self> {
        let paths = Paths::of(document, &rows, &[])?;
        let mut table = Self::without_modes(document, paths, rows, keyed);
        let (costs, fallback) = table.choose_modes();
        if table.rows.len() > 1 {
            templates::find(document, &mut table, &costs);
        }
        groups::find(&mut table, &[0], &costs, 1);
        templates::keep_apart(document, &table.paths, &mut table.modes);
        table.give_up_dashes();
        if !table.ensure_column(fallback) || table.gain <= 0 {
            return None;
        }
        table.place(|table, path| Affixes::of(document, table.cells.of_path(path)));
        if table.is_nested_pair() && table.gain < WORTH_NESTING {
            return None;
        }
        table.rest = put_best_last(document, &mut table);
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
        // In a log one looks for the level and the day of each line.
        let is_log = matches!(document.key(heads[0]), "date" | "time");
        let least = if is_log { usize::MAX } else { LEAST_IN_FRONT };
        if plain {
            table.modes[1..].fill(Mode::Column);
        } else {
            table.differ_little(LEAST_BEHIND, &mut costs);
            // Groups say what would be a column otherwise.
            table.put_last(document, least, &mut costs);
            groups::find(&mut table, starts, &costs, LEAST_GROUP);
        }
        table.ensure_column(Some((0, 1)));
        table.put_last(document, least, &mut costs);
        let is_said = |path: &u32| matches!(table.modes[*path as usize], Mode::Default(_) | Mode::Sparse);
        let mut said = table.dense.iter().filter(|path| is_said(path));
        table.differs = said.any(|path| !table.holds_for_all(document, *path));
        table
    }

    /// Places the columns of a printed table, whose last one takes the rest of the line where it holds blanks: then at most
    /// one in `least` rows says in front that it differs.
    fn put_last(&mut self, document: &Document<'_>, least: usize, costs: &mut [u32]) {
        self.place(|_, _| None);
        if ends_in_blanks(document, self) {
            self.differ_little(least, costs);
            self.place(|_, _| None);
        }
        self.rest = ends_in_blanks(document, self);
    }

    /// Makes columns of those in which more than one row in `least` differs from what is said once.
    fn differ_little(&mut self, least: usize, costs: &mut [u32]) {
        for (path, Column { cells, tokens, .. }) in self.cells.iter() {
            let path = path as usize;
            let Mode::Default(common) = self.modes[path] else { continue };
            let same = cells.iter().filter(|cell| cell.hash == common.hash).count();
            if (self.rows.len() - same).saturating_mul(least) > self.rows.len() {
                (self.modes[path], costs[path]) = (Mode::Column, *tokens);
            }
        }
    }

    fn without_modes(document: &Document<'_>, mut paths: Paths, rows: Vec<Id>, keyed: bool) -> Self {
        let cells = Cells::of(document, &mut paths, &rows);
        paths.rank();
        let modes = vec![Mode::Sparse; paths.len()];
        Self { keyed, paths, modes, cells, rows, ..Self::default() }
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

    /// Whether there are two rows, with columns of what lies deeper in them (`metadata.name`).
    fn is_nested_pair(&self) -> bool {
        self.rows.len() == 2 && self.columns.iter().any(|(path, _)| self.paths.get(*path).depth > 1)
    }

    /// Makes sure that a row has a cell, `false` if there can be none.
    fn ensure_column(&mut self, fallback: Option<(u32, u32)>) -> bool {
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
            self.modes[path as usize] = Mode::Sparse;
        }
    }
}

/// Puts the column that saves most as the rest of the line last, and returns whether there is one.
fn put_best_last(document: &Document<'_>, table: &mut Table) -> bool {
    let saves = |&(path, _): &(u32, _)| saved(document, table.cells.of_path(path));
    let columns = table.columns.iter().enumerate().filter(|(_, (_, affixes))| affixes.is_none());
    let best = columns.map(|(at, column)| (saves(column), at)).max_by_key(|&(saved, at)| (saved, at));
    let Some((saved, at)) = best.filter(|&(saved, _)| saved > 0) else { return false };
    let lines = differing(document, table);
    if saved <= LINE * lines || lines * ROWS_A_LINE > table.rows.len() as i64 {
        return false;
    }
    table.columns[at..].rotate_left(1);
    true
}

/// Whether the last column of a printed table holds text with blanks.
fn ends_in_blanks(document: &Document<'_>, table: &Table) -> bool {
    let cells = table.columns.last().map_or(&[][..], |(path, _)| table.cells.of_path(*path));
    cells.iter().any(|cell| document.span(cell.id).contains(' '))
}

/// Estimated tokens of the quotes and escapes of a column.
fn saved(document: &Document<'_>, cells: &[Cell]) -> i64 {
    let saves = |cell: &Cell| {
        let text = document.text(cell.id);
        let stands = document.is_string(cell.id) && text.contains(' ') && stands(&text);
        if stands { 1 + (document.span_len(cell.id) - text.len()) as i64 } else { 0 }
    };
    cells.iter().map(saves).sum::<i64>() - 1
}

/// How many rows differ from what is said of all.
fn differing(document: &Document<'_>, table: &Table) -> i64 {
    let mut differ = vec![false; table.rows.len()];
    for (path, column) in table.cells.iter() {
        let said = table.has_default(path);
        let mut next = 0;
        for cell in &column.cells {
            if said {
                differ[next as usize..cell.row as usize].fill(true);
            }
            next = cell.row + 1;
            differ[cell.row as usize] |= !table.gives(document, cell, |path| table.cells.at(path, cell.row));
        }
        if said {
            differ[next as usize..].fill(true);
        }
    }
    differ.into_iter().filter(|differs| *differs).count() as i64
}

//! A table: the columns of its rows, how the values of each path are written, and what is said once for all rows.

use super::affixes::Affixes;
use super::cells::{Cell, Cells, Column};
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
    /// All paths but the sparse ones, in order; those of a printed table, too.
    pub dense: Vec<u32>,
    /// The paths written as columns, in order, with the prefix and suffix that all their cells share.
    pub columns: Vec<(u32, Option<Affixes>)>,
    /// Whether the last column takes the rest of the line.
    pub rest: bool,
    /// Of a printed table: whether some row has another value than the one that is said once.
    pub differs: bool,
    /// The first row of each group.
    pub groups: Vec<u32>,
    /// Estimated tokens saved over writing each row as a block.
    pub gain: i64,
}

impl Table {
    /// Lists the columns, with what `affixes` says of each.
    pub(super) fn place(&mut self, affixes: impl Fn(&Self, u32) -> Option<Affixes>) {
        let mode = |path: &u32| &self.modes[*path as usize];
        // A printed table names all columns.
        let is_dense = |path: &u32| *mode(path) != Mode::Sparse || self.paths.are_texts && *path > 0;
        self.dense = (0..self.modes.len() as u32).filter(is_dense).collect();
        let columns = self.dense.iter().copied().filter(|path| *mode(path) == Mode::Column);
        self.columns = columns.map(|path| (path, affixes(self, path))).collect();
        self.columns.sort_unstable_by_key(|(path, _)| self.paths.get(*path).rank);
    }

    /// Whether what is said once of a path gives this cell, in whose row `at` finds the cell of a path. Nothing is said
    /// of columns and groups, whose cells stand there.
    pub fn gives(&self, document: &Document<'_>, cell: &Cell, at: impl Fn(u32) -> Option<Cell>) -> bool {
        match &self.modes[cell.path as usize] {
            Mode::Default(common) => common.hash == cell.hash,
            Mode::Sparse => false,
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
        matches!(self.modes[path as usize], Mode::Default(_) | Mode::Template(_))
    }
}

/// Fewest tokens that a value in the head of a printed table saves: without one the cells are counted off more surely.
const WORTH_IN_HEAD: u32 = 20;

/// How the values of one path are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A cell in each row; `-` where a row has none.
    Column,
    /// Said once; a row that differs says so at its end.
    Default(Cell),
    /// Only rows that have it name it.
    Sparse,
    /// Said before each group of rows that have it in common.
    Group,
    /// Follows from other paths of the row.
    Template(Vec<Part>),
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<P = u32> {
    Text(String),
    /// The value of another path in the same row.
    Path(P),
}

/// A mode, and its cost in estimated tokens.
pub struct Choice {
    pub mode: Mode,
    pub cost: u32,
    /// Cost of the same values as members of blocks.
    pub plain: u32,
    /// How much more a column would cost than the mode chosen, if it can be one.
    pub column_loss: Option<u32>,
}

impl Choice {
    /// The cheapest way to write the values of one path.
    pub fn among(paths: &Paths, path: u32, column: &Column, rows: u32) -> Self {
        let &Column { ref cells, tokens: values, large, holds_object } = column;
        let present = cells.len() as u32;
        let absent = rows - present;
        let (step, dotted) = (paths.get(path).step_tokens, paths.get(path).tokens);
        let named = values + present * (dotted + 1);
        let mut choice =
            Self { mode: Mode::Sparse, cost: named, plain: values + present * (step + 1), column_loss: None };
        let column = (present * 10 >= rows * 3 && !large).then_some(dotted + 1 + values + absent);
        if let Some(cost) = column
            && cost < choice.cost
        {
            (choice.mode, choice.cost) = (Mode::Column, cost);
        }
        let winner = majority(cells);
        let same = cells.iter().filter(|cell| Some(cell.hash) == winner);
        let count = same.clone().count() as u32;
        if let Some(&common) = same.clone().next()
            && count * 2 > rows
            && (!holds_object || count == rows)
        {
            let same: u32 = same.map(|cell| cell.tokens).sum();
            let cost = step + 1 + common.tokens + (rows - count) * (dotted + 1) + values - same;
            let least = if paths.are_texts { WORTH_IN_HEAD } else { 0 };
            if cost + least <= choice.cost {
                (choice.mode, choice.cost) = (Mode::Default(common), cost);
            }
        }
        choice.column_loss = column.map(|cost| cost.saturating_sub(choice.cost));
        choice
    }
}

/// The hash of the value that more than half of all cells have, of any value if none has (the majority vote of Boyer and
/// Moore, 1981).
fn majority(cells: &[Cell]) -> Option<u64> {
    let (mut winner, mut votes) = (cells.first()?.hash, 0);
    for cell in cells {
        if votes == 0 {
            winner = cell.hash;
        }
        if cell.hash == winner { votes += 1 } else { votes -= 1 }
    }
    Some(winner)
}

/// Whether the template gives the cell's value in its row, in which `at` finds the cell of a path.
pub fn fits(document: &Document<'_>, at: impl Fn(u32) -> Option<Cell>, parts: &[Part], cell: &Cell) -> bool {
    if let [Part::Path(path)] = parts {
        return at(*path).is_some_and(|source| source.hash == cell.hash);
    }
    if !document.is_string(cell.id) {
        return false;
    }
    let text = document.text(cell.id);
    let rest = parts.iter().try_fold(&*text, |rest, part| match part {
        Part::Text(text) => rest.strip_prefix(text.as_str()),
        Part::Path(path) => {
            let source = at(*path).filter(|source| document.is_scalar(source.id))?;
            rest.strip_prefix(&*document.text(source.id))
        }
    });
    rest == Some("")
}

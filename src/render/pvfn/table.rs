//! A table: which columns its rows get, and what is said once for all of them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::affixes::Affixes;
use super::paths::{Paths, holds_objects};
use super::scalar::estimate;
use super::templates::{self, Cells, Part};
use crate::document::{Document, Id, Kind};

/// How the values of one path are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A cell in each row; `-` where a row has none.
    Column,
    /// Said once; a row that differs says so at its end. Without a value: only rows that have it name it.
    Default(Option<Cell>),
    /// Said again whenever it changes.
    Sticky,
    /// Follows from other paths of the row.
    Template(Vec<Part>),
}

/// The value of one path in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub path: u32,
    pub id: Id,
    pub row: u32,
    pub hash: u64,
    pub tokens: u32,
}

/// A list of objects, or an object whose members are objects, laid out as rows.
#[derive(Debug)]
pub struct Table {
    /// Each row begins with its key.
    pub keyed: bool,
    pub paths: Paths,
    pub modes: Vec<Mode>,
    /// Cells in the order of rows.
    pub cells: Vec<Cell>,
    /// Where each row's cells begin.
    pub starts: Vec<u32>,
    pub rows: Vec<Id>,
    /// The paths that most rows have something to say about, in order: all but the sparse ones.
    pub dense: Vec<u32>,
    /// What all cells of a column begin and end with.
    pub affixes: HashMap<u32, Affixes>,
    /// Tables for lists below the rows, over the elements of all rows' lists.
    pub inner: HashMap<u32, Table>,
    /// Estimated tokens saved over writing each row as a block.
    pub gain: i64,
}

/// A value longer than this (tokens) is no cell if it is a list or an object.
const LARGE_VALUE: u32 = 60;

impl Table {
    /// Lays out `rows`; `shared` tables are continued in several places, where nothing may change on the way.
    pub fn of(document: &Document<'_>, rows: Vec<Id>, keyed: bool, shared: bool) -> Option<Self> {
        let mut paths = Paths::of(document, &rows);
        let mut cells = Vec::new();
        let mut starts = Vec::with_capacity(rows.len() + 1);
        for (row, &id) in rows.iter().enumerate() {
            starts.push(cells.len() as u32);
            paths.leaves(document, id, &mut |path, id| {
                let (hash, tokens) = weigh(document, id);
                cells.push(Cell { path, id, row: row as u32, hash, tokens });
            });
        }
        starts.push(cells.len() as u32);
        let modes = vec![Mode::Default(None); paths.len()];
        let mut table = Self {
            keyed,
            paths,
            modes,
            cells,
            starts,
            rows,
            dense: Vec::new(),
            affixes: HashMap::new(),
            inner: HashMap::new(),
            gain: 0,
        };
        table.choose_modes(document, shared);
        (table.gain > 0).then(|| {
            let sparse = Mode::Default(None);
            table.dense =
                (0..table.modes.len() as u32).filter(|at| table.modes[*at as usize] != sparse).collect();
            table.find_affixes(document);
            table.lay_out_inner(document);
            table
        })
    }

    /// The cells of one row, in the order of paths.
    pub fn row(&self, row: usize) -> RowCells {
        let mut cells = self.cells[self.starts[row] as usize..self.starts[row + 1] as usize].to_vec();
        cells.sort_unstable_by_key(|cell| cell.path);
        RowCells(cells)
    }

    /// The paths written as columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = u32> + '_ {
        self.dense.iter().copied().filter(|&path| self.modes[path as usize] == Mode::Column)
    }

    fn choose_modes(&mut self, document: &Document<'_>, shared: bool) {
        let by_path = self.cells_by_path();
        let mut cost = 0;
        let mut plain = 0;
        let mut best_column = None;
        let mut costs = vec![0; self.modes.len()];
        for (path, cells) in by_path.iter() {
            let choice = Choice::among(document, &self.paths, path, cells, self.rows.len() as u32, shared);
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
            let saved = templates::find(document, &self.paths, &by_path, rows, &mut self.modes, &costs);
            cost -= i64::from(saved);
        }
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

    fn cells_by_path(&self) -> ByPath {
        let mut starts = vec![0u32; self.paths.len() + 1];
        for cell in &self.cells {
            starts[cell.path as usize + 1] += 1;
        }
        for path in 0..self.paths.len() {
            starts[path + 1] += starts[path];
        }
        let mut next = starts.clone();
        let mut cells = self.cells.clone();
        for cell in &self.cells {
            let place = &mut next[cell.path as usize];
            cells[*place as usize] = *cell;
            *place += 1;
        }
        ByPath { starts, cells }
    }

    fn find_affixes(&mut self, document: &Document<'_>) {
        let by_path = self.cells_by_path();
        let columns: Vec<u32> = self.columns().collect();
        for path in columns {
            if let Some(affixes) = Affixes::of(document, by_path.cells(path)) {
                self.affixes.insert(path, affixes);
            }
        }
    }

    /// Lists of objects that were not taken apart get one table over all rows.
    fn lay_out_inner(&mut self, document: &Document<'_>) {
        let by_path = self.cells_by_path();
        for (path, cells) in by_path.iter() {
            if self.modes[path as usize] != Mode::Default(None) {
                continue;
            }
            let lists = cells.iter().all(|cell| holds_objects(document, cell.id));
            let maps = cells.iter().all(|cell| is_map_of_objects(document, cell.id));
            if !lists && !maps {
                continue;
            }
            let rows: Vec<Id> = cells.iter().flat_map(|cell| document.children(cell.id)).collect();
            if rows.len() > cells.len()
                && let Some(table) = Self::of(document, rows, maps, true)
            {
                self.inner.insert(path, table);
            }
        }
    }
}

/// The cells of a table, path by path.
pub struct ByPath {
    starts: Vec<u32>,
    cells: Vec<Cell>,
}

impl ByPath {
    /// The cells of one path, in the order of rows.
    pub fn cells(&self, path: u32) -> &[Cell] {
        &self.cells[self.starts[path as usize] as usize..self.starts[path as usize + 1] as usize]
    }

    /// Each path that has cells, with its cells in the order of rows.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Cell])> {
        self.starts
            .windows(2)
            .enumerate()
            .filter(|(_, bounds)| bounds[0] < bounds[1])
            .map(|(path, bounds)| (path as u32, &self.cells[bounds[0] as usize..bounds[1] as usize]))
    }
}

impl Cells for ByPath {
    fn at(&self, path: u32, row: u32) -> Option<Cell> {
        let cells = self.cells(path);
        cells.binary_search_by_key(&row, |cell| cell.row).ok().map(|at| cells[at])
    }
}

/// The cells of one row, in the order of paths.
pub struct RowCells(pub Vec<Cell>);

impl Cells for RowCells {
    fn at(&self, path: u32, _row: u32) -> Option<Cell> {
        self.0.binary_search_by_key(&path, |cell| cell.path).ok().map(|at| self.0[at])
    }
}

struct Choice {
    mode: Mode,
    cost: u32,
    /// What the same values cost as members of blocks.
    plain: u32,
    /// How much more a column would cost than the mode chosen, if it can be one.
    column_loss: Option<u32>,
}

impl Choice {
    fn among(
        document: &Document<'_>,
        paths: &Paths,
        path: u32,
        cells: &[Cell],
        rows: u32,
        shared: bool,
    ) -> Self {
        let present = cells.len() as u32;
        let absent = rows - present;
        let (step, dotted) = (paths.get(path).step_tokens, paths.get(path).tokens);
        let values: u32 = cells.iter().map(|cell| cell.tokens).sum();
        let large = cells.iter().any(|cell| cell.tokens > LARGE_VALUE && !document.is_scalar(cell.id));
        let holds_object = cells
            .iter()
            .any(|cell| document.kind(cell.id) == Kind::Object && !document.is_childless(cell.id));
        let named = values + present * (dotted + 1);
        let mut choice = Self {
            mode: Mode::Default(None),
            cost: named,
            plain: values + present * (step + 1),
            column_loss: None,
        };
        let column = (present * 10 >= rows * 3 && !large).then_some(dotted + 1 + values + absent);
        if let Some(cost) = column
            && cost < choice.cost
        {
            (choice.mode, choice.cost) = (Mode::Column, cost);
        }
        if let Some((common, count)) = most_common(cells)
            && count * 2 > rows
            && (!holds_object || count == rows)
        {
            let same: u32 =
                cells.iter().filter(|cell| cell.hash == common.hash).map(|cell| cell.tokens).sum();
            let cost = step + 1 + common.tokens + (rows - count) * (dotted + 1) + values - same;
            if cost <= choice.cost {
                (choice.mode, choice.cost) = (Mode::Default(Some(common)), cost);
            }
        }
        if !shared && !holds_object && rows > 3 && present * 2 > rows {
            let cost = sticky_cost(cells, rows, step);
            if cost < choice.cost {
                (choice.mode, choice.cost) = (Mode::Sticky, cost);
            }
        }
        choice.column_loss = column.map(|cost| cost.saturating_sub(choice.cost));
        choice
    }
}

/// The most frequent value and how often it occurs.
fn most_common(cells: &[Cell]) -> Option<(Cell, u32)> {
    let mut sorted: Vec<(u64, u32)> =
        cells.iter().enumerate().map(|(at, cell)| (cell.hash, at as u32)).collect();
    sorted.sort_unstable();
    let longest = sorted.chunk_by(|a, b| a.0 == b.0).max_by_key(|run| run.len())?;
    Some((cells[longest[0].1 as usize], longest.len() as u32))
}

fn sticky_cost(cells: &[Cell], rows: u32, step: u32) -> u32 {
    let mut cost = 0;
    let mut last = None;
    let mut row = 0;
    for cell in cells {
        if cell.row != row && last.is_some() {
            (cost, last) = (cost + step + 4, None);
        }
        if last != Some(cell.hash) {
            (cost, last) = (cost + step + 3 + cell.tokens, Some(cell.hash));
        }
        row = cell.row + 1;
    }
    cost + if row < rows { step + 4 } else { 0 }
}

/// Whether a node is an object of at least one member, all of them objects that are not empty.
pub fn is_map_of_objects(document: &Document<'_>, id: Id) -> bool {
    document.kind(id) == Kind::Object
        && !document.is_childless(id)
        && document
            .children(id)
            .all(|child| document.kind(child) == Kind::Object && !document.is_childless(child))
}

/// A hash of the value, and about how many tokens it takes.
pub fn weigh(document: &Document<'_>, id: Id) -> (u64, u32) {
    let mut hasher = DefaultHasher::new();
    document.kind(id).hash(&mut hasher);
    if document.is_scalar(id) {
        let text = document.span(id);
        text.hash(&mut hasher);
        let quoted = text.contains(' ') || text.is_empty();
        return (hasher.finish(), estimate(text) + u32::from(quoted));
    }
    let mut tokens = 2;
    for node in id + 1..document.end(id) {
        (document.kind(node), document.key_id(node)).hash(&mut hasher);
        (document.end(node) - node).hash(&mut hasher);
        if document.is_scalar(node) {
            document.span(node).hash(&mut hasher);
            tokens += estimate(document.span(node));
        }
        tokens += document.key_id(node).map_or(1, |key| estimate(document.key(key)) + 1);
    }
    (hasher.finish(), tokens)
}

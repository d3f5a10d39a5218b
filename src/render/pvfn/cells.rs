//! The cells of a table: by path, by row, and summed up.

use super::hash::weigh;
use super::paths::Paths;
use crate::document::{Document, Id, Kind};

/// Most tokens of a list or an object that may be a cell.
const LARGE_VALUE: u32 = 60;

/// The value of one path in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub path: u32,
    pub id: Id,
    pub row: u32,
    pub hash: u64,
    pub tokens: u32,
}

/// The cells of one path, summed up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub tokens: u32,
    /// Whether a cell is too large for a column.
    pub large: bool,
    /// Whether a cell is an object with members.
    pub holds_object: bool,
}

impl Sum {
    /// Adds a cell.
    pub fn add(&mut self, document: &Document<'_>, cell: &Cell) {
        self.tokens += cell.tokens;
        if !document.is_scalar(cell.id) {
            self.large |= cell.tokens > LARGE_VALUE;
            self.holds_object |= document.kind(cell.id) == Kind::Object && !document.is_childless(cell.id);
        }
    }

    /// Whether no cell is too large for a column, or an object with members.
    pub fn is_small(self) -> bool {
        !self.large && !self.holds_object
    }
}

/// The cells of a table, path by path.
#[derive(Debug)]
pub struct ByPath {
    starts: Vec<u32>,
    pub(super) cells: Vec<Cell>,
    pub(super) sums: Vec<Sum>,
}

impl ByPath {
    /// All cells of the rows; the index of each cell, row by row; and where the indices of each row begin.
    pub fn of(document: &Document<'_>, paths: &mut Paths, rows: &[Id]) -> (Self, Vec<u32>, Vec<u32>) {
        // First the path of each cell is noted, to learn how many cells each path has; then each cell is put where it
        // belongs.
        let (mut places, mut ids) = (Vec::new(), Vec::new());
        let mut starts = Vec::with_capacity(rows.len() + 1);
        let mut next = vec![0; paths.len() + 1];
        for &row in rows {
            starts.push(places.len() as u32);
            paths.leaves(document, row, 0, &mut |path, id| {
                places.push(path);
                ids.push(id);
                let path = path as usize;
                if path + 1 >= next.len() {
                    next.resize(path + 2, 0);
                }
                next[path + 1] += 1;
            });
        }
        starts.push(places.len() as u32);
        next.resize(paths.len() + 1, 0);
        for path in 1..next.len() {
            next[path] += next[path - 1];
        }
        let nothing = Cell { path: 0, id: 0, row: 0, hash: 0, tokens: 0 };
        let mut by_path = Self {
            starts: next.clone(),
            cells: vec![nothing; places.len()],
            sums: vec![Sum::default(); paths.len()],
        };
        for (row, range) in starts.windows(2).enumerate() {
            for at in range[0] as usize..range[1] as usize {
                let (path, id) = (places[at], ids[at]);
                let (hash, tokens) = weigh(document, id);
                let cell = Cell { path, id, row: row as u32, hash, tokens };
                by_path.sums[path as usize].add(document, &cell);
                let place = &mut next[path as usize];
                by_path.cells[*place as usize] = cell;
                places[at] = *place;
                *place += 1;
            }
        }
        (by_path, places, starts)
    }

    /// The cells of one path, in the order of rows.
    pub fn cells(&self, path: u32) -> &[Cell] {
        &self.cells[self.starts[path as usize] as usize..self.starts[path as usize + 1] as usize]
    }

    /// Whether no cell of a path is too large for a line, or an object.
    pub fn are_small(&self, path: u32) -> bool {
        self.sums[path as usize].is_small()
    }

    /// The rows, of `rows` in all, at which a path gets another value than in the row before, or loses its value.
    pub fn starts_of_runs(&self, path: u32, rows: u32) -> Vec<u32> {
        let mut starts = Vec::new();
        let mut last: Option<&Cell> = None;
        for cell in self.cells(path) {
            let next = last.map_or(0, |last| last.row + 1);
            if cell.row > next && last.is_some() {
                starts.push(next);
            }
            if cell.row != next || last.is_none_or(|last| last.hash != cell.hash) {
                starts.push(cell.row);
            }
            last = Some(cell);
        }
        starts.extend(last.map(|last| last.row + 1).filter(|&next| next < rows));
        starts
    }

    /// Each path that has cells, with its cells in the order of rows.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[Cell])> {
        let paths = 0..self.sums.len() as u32;
        paths.map(|path| (path, self.cells(path))).filter(|(_, cells)| !cells.is_empty())
    }

    /// The cell of a path in a row.
    pub fn at(&self, path: u32, row: u32) -> Option<Cell> {
        let cells = self.cells(path);
        cells.binary_search_by_key(&row, |cell| cell.row).ok().map(|at| cells[at])
    }
}

/// The cell of a path among the cells of one row, which are in the order of paths.
pub fn cell_at(row: &[Cell], path: u32) -> Option<Cell> {
    row.binary_search_by_key(&path, |cell| cell.path).ok().map(|at| row[at])
}

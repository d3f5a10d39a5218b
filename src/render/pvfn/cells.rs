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

/// The cells of a table, path by path.
#[derive(Debug)]
pub struct Cells {
    by_path: Vec<Vec<Cell>>,
    pub(super) sums: Vec<Sum>,
    /// The path of each cell and its index among the path's cells, row by row.
    places: Vec<(u32, u32)>,
    /// Where the places of each row end.
    ends: Vec<usize>,
}

impl Cells {
    /// All cells of the rows.
    pub fn of(document: &Document<'_>, paths: &mut Paths, rows: &[Id]) -> Self {
        let mut all = Self {
            by_path: vec![Vec::new(); paths.len()],
            sums: vec![Sum::default(); paths.len()],
            places: Vec::new(),
            ends: Vec::with_capacity(rows.len()),
        };
        for (&id, row) in rows.iter().zip(0..) {
            paths.leaves(document, id, 0, &mut |path, id| all.add(document, path, id, row));
            all.ends.push(all.places.len());
        }
        all.by_path.resize_with(paths.len(), Vec::new);
        all.sums.resize_with(paths.len(), Sum::default);
        all
    }

    fn add(&mut self, document: &Document<'_>, path: u32, id: Id, row: u32) {
        let at = path as usize;
        if at >= self.by_path.len() {
            self.by_path.resize_with(at + 1, Vec::new);
            self.sums.resize_with(at + 1, Sum::default);
        }
        let (hash, tokens) = weigh(document, id);
        self.places.push((path, self.by_path[at].len() as u32));
        self.by_path[at].push(Cell { path, id, row, hash, tokens });
        let sum = &mut self.sums[at];
        sum.tokens += tokens;
        if !document.is_scalar(id) {
            sum.large |= tokens > LARGE_VALUE;
            sum.holds_object |= document.kind(id) == Kind::Object && !document.is_childless(id);
        }
    }

    /// Puts the cells of one row into `cells`, in the order of paths.
    pub fn of_row(&self, row: usize, cells: &mut Vec<Cell>) {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        cells.clear();
        let places = self.places[start..self.ends[row]].iter();
        cells.extend(places.map(|&(path, at)| self.by_path[path as usize][at as usize]));
        cells.sort_unstable_by_key(|cell| cell.path);
    }

    /// The cells of one path, in the order of rows.
    pub fn of_path(&self, path: u32) -> &[Cell] {
        &self.by_path[path as usize]
    }

    /// Whether no cell of a path is too large for a line, or an object.
    pub fn are_small(&self, path: u32) -> bool {
        let Sum { large, holds_object, .. } = self.sums[path as usize];
        !large && !holds_object
    }

    /// The rows, of `rows` in all, at which a path gets another value than in the row before, or loses its value.
    pub fn starts_of_runs(&self, path: u32, rows: u32) -> Vec<u32> {
        let mut starts = Vec::new();
        let mut last: Option<&Cell> = None;
        for cell in self.of_path(path) {
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
        (0..)
            .zip(&self.by_path)
            .map(|(path, cells)| (path, &cells[..]))
            .filter(|(_, cells)| !cells.is_empty())
    }

    /// The cell of a path in a row.
    pub fn at(&self, path: u32, row: u32) -> Option<Cell> {
        let cells = self.of_path(path);
        cells.binary_search_by_key(&row, |cell| cell.row).ok().map(|at| cells[at])
    }
}

/// The cell of a path among the cells of one row, which are in the order of paths.
pub fn cell_at(row: &[Cell], path: u32) -> Option<Cell> {
    row.binary_search_by_key(&path, |cell| cell.path).ok().map(|at| row[at])
}

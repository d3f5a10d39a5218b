//! The cells of a table: by path, by row, and summed up.

use super::hash::weigh;
use super::paths::{Paths, holds_objects};
use crate::document::{Document, Id, Kind};

/// Most tokens of a list or an object that may be a cell, and of a longer list of objects, which reads better as rows.
const LARGE_VALUE: u32 = 100;
const LARGE_LIST: u32 = 60;
/// Most objects of a short list.
const SHORT_LIST: usize = 3;

/// The value of one path in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub path: u32,
    pub id: Id,
    pub row: u32,
    pub hash: u64,
    pub tokens: u32,
}

/// The cells of one path, in the order of rows, and summed up.
#[derive(Clone, Debug, Default)]
pub struct Column {
    pub cells: Vec<Cell>,
    pub tokens: u32,
    /// Whether a cell is too large for a column.
    pub large: bool,
    /// Whether a cell is an object with members.
    pub holds_object: bool,
}

impl Column {
    fn add(&mut self, document: &Document<'_>, path: u32, id: Id, row: u32) {
        let (hash, tokens) = weigh(document, id);
        self.cells.push(Cell { path, id, row, hash, tokens });
        self.tokens += tokens;
        if !document.is_scalar(id) {
            let is_long = || holds_objects(document, id) && document.children(id).nth(SHORT_LIST).is_some();
            self.large |= tokens > LARGE_VALUE || tokens > LARGE_LIST && is_long();
            self.holds_object |= document.kind(id) == Kind::Object && !document.is_childless(id);
        }
    }
}

/// The cells of a table, path by path.
#[derive(Debug)]
pub struct Cells {
    pub columns: Vec<Column>,
    /// The path of each cell and its index among the path's cells, row by row.
    places: Vec<(u32, u32)>,
    /// Where the places of each row end.
    ends: Vec<usize>,
}

impl Cells {
    /// All cells of the rows.
    pub fn of(document: &Document<'_>, paths: &mut Paths, rows: &[Id]) -> Self {
        // First the paths of all cells, to learn how many cells each has; an index takes the place of each node.
        let mut places = Vec::new();
        let mut ends = Vec::with_capacity(rows.len());
        for &row in rows {
            // A row of a printed table may be empty.
            if !document.is_childless(row) {
                paths.leaves(document, row, 0, &mut |path, id| places.push((path, id)));
            }
            ends.push(places.len());
        }
        let mut counts = vec![0; paths.len()];
        for (path, _) in &places {
            counts[*path as usize] += 1;
        }
        let column = |count| Column { cells: Vec::with_capacity(count), ..Column::default() };
        let mut columns: Vec<Column> = counts.into_iter().map(column).collect();
        let mut start = 0;
        for (&end, row) in ends.iter().zip(0..) {
            for (path, place) in &mut places[start..end] {
                let column = &mut columns[*path as usize];
                let id = std::mem::replace(place, column.cells.len() as u32);
                column.add(document, *path, id, row);
            }
            start = end;
        }
        Self { columns, places, ends }
    }

    /// Puts the cells of one row into `cells`, in the order of paths.
    pub fn of_row(&self, row: usize, cells: &mut Vec<Cell>) {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        cells.clear();
        let places = self.places[start..self.ends[row]].iter();
        cells.extend(places.map(|&(path, at)| self.columns[path as usize].cells[at as usize]));
        cells.sort_unstable_by_key(|cell| cell.path);
    }

    /// The cells of one path, in the order of rows.
    pub fn of_path(&self, path: u32) -> &[Cell] {
        &self.columns[path as usize].cells
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

    /// Each path that has cells, with its column.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Column)> {
        (0..).zip(&self.columns).filter(|(_, column)| !column.cells.is_empty())
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

//! How the values of one path are written in a table: as a column, or once for all or most rows.

use super::paths::Paths;
use super::table::{Cell, Mode};
use crate::document::{Document, Kind};
use crate::render::majority;

/// Most tokens of a list or an object that may be a cell.
const LARGE_VALUE: u32 = 60;

/// The cells of one path, summed up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    tokens: u32,
    /// Whether a cell is too large for a column.
    large: bool,
    /// Whether a cell is an object with members.
    holds_object: bool,
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
    pub fn among(paths: &Paths, path: u32, cells: &[Cell], sum: Sum, rows: u32) -> Self {
        let present = cells.len() as u32;
        let absent = rows - present;
        let (step, dotted) = (paths.get(path).step_tokens, paths.get(path).tokens);
        let Sum { tokens: values, large, holds_object } = sum;
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
        if let Some((hash, count)) = majority(cells.iter().map(|cell| cell.hash))
            && let count = count as u32
            && count * 2 > rows
            && (!holds_object || count == rows)
            && let Some(&common) = cells.iter().find(|cell| cell.hash == hash)
        {
            let same: u32 = cells.iter().filter(|cell| cell.hash == hash).map(|cell| cell.tokens).sum();
            let cost = step + 1 + common.tokens + (rows - count) * (dotted + 1) + values - same;
            if cost <= choice.cost {
                (choice.mode, choice.cost) = (Mode::Default(Some(common)), cost);
            }
        }
        choice.column_loss = column.map(|cost| cost.saturating_sub(choice.cost));
        choice
    }
}

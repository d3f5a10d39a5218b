//! How the values of one path are written in a table: as a column, or once for all or most rows.

use super::cells::{Cell, Column};
use super::paths::Paths;
use crate::render::majority;

/// How the values of one path are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A cell in each row; `-` where a row has none.
    Column,
    /// Said once; a row that differs says so at its end. Without a value: only rows that have it name it.
    Default(Option<Cell>),
    /// Said before each group of rows that have it in common.
    Group,
    /// Follows from other paths of the row.
    Template(Vec<Part>),
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text as it is.
    Text(String),
    /// The value of another path in the same row.
    Path(u32),
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

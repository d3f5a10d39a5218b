//! Which column of a table takes the rest of the line: `{time message…}`.

use super::cells::Cell;
use super::rest::stands;
use super::table::Table;
use crate::document::Document;

/// Tokens of a further line, below a row, for what it says against its table.
const LINE: i64 = 2;
/// One row in so many may have such a line: more of them are in the way of who reads down the rows.
const ROWS_A_LINE: i64 = 5;

/// Puts the column that saves most as the rest of the line last, and returns whether there is one.
pub fn put_last(document: &Document<'_>, table: &mut Table) -> bool {
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
pub fn is_last(document: &Document<'_>, table: &Table) -> bool {
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

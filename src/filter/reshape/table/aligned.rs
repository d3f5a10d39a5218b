//! Rows under a header, their cells where its words begin.

use std::borrow::Cow;

use super::super::super::lines::{Cut, Lines};
use super::{set, words};

/// A column is stated once from this many rows on.
const FEWEST_ROWS: usize = 4;

/// Squeezes the table that begins at `start`, if one does. Returns how many lines were looked at, and whether one
/// changed.
pub(super) fn squeeze(
    lines: &mut Lines<'_>,
    start: usize,
    end: usize,
    succeeded: bool,
    cuts: &mut Vec<Cut>,
) -> (usize, bool) {
    let text = |at: usize| std::str::from_utf8(lines.get(at)).unwrap_or_default();
    if is_entry(text(start)) {
        return (1, false);
    }
    let (mut starts, narrow) = column_starts(text(start));
    if starts.len() >= 2 {
        let rows = (start + 1..end).take_while(|at| is_aligned(text(*at), &starts)).count();
        starts.extend(
            narrow
                .into_iter()
                .filter(|column| (start + 1..=start + rows).all(|at| begins(text(at), *column))),
        );
        starts.sort_unstable();
        let cells: Vec<Vec<&str>> = (start..=start + rows).map(|at| cells(text(at), &starts)).collect();
        if rows > 0 && !is_misread(&cells) {
            let Some((table, once)) = rewrite(&cells, succeeded) else {
                return (rows + 1, false);
            };
            let mut changed = false;
            let indent = text(start).len() - text(start).trim_start().len();
            let indent = " ".repeat(indent);
            for (step, row) in table.into_iter().enumerate() {
                changed |= set(lines, start + step, format!("{indent}{row}").into_bytes());
            }
            if let Some(once) = once {
                let mark = format!("{indent}… in every row: {once}");
                cuts.push(Cut { start, end: start, mark: Some(mark) });
            }
            return (rows + 1, changed);
        }
    }
    words::squeeze(lines, start, end)
}

/// `Name:   web` is no header.
fn is_entry(line: &str) -> bool {
    line.contains(": ") || line.trim_end().ends_with(':')
}

/// Where the columns of a header begin, in characters: behind two blanks and more, and perhaps behind one.
fn column_starts(header: &str) -> (Vec<usize>, Vec<usize>) {
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    let mut blanks = 2;
    for (at, c) in header.chars().enumerate() {
        if c == '\t' {
            return (Vec::new(), Vec::new());
        }
        if c == ' ' {
            blanks += 1;
            continue;
        }
        match blanks {
            0 => {}
            1 => narrow.push(at),
            _ => wide.push(at),
        }
        blanks = 0;
    }
    (wide, narrow)
}

/// Whether a word of a row begins at a column.
fn begins(row: &str, column: usize) -> bool {
    let mut around = row.chars().skip(column.saturating_sub(1));
    around.next() == Some(' ') && around.next().is_some_and(|c| c != ' ')
}

/// Whether one header names several columns of narrow numbers (`Used Avail Use%`).
fn is_misread(cells: &[Vec<&str>]) -> bool {
    let (header, rows) = (&cells[0], &cells[1..]);
    let is_wide = |column: usize| rows.iter().any(|row| row[column].contains("  "));
    (0..header.len()).any(|column| header[column].contains(' ') && is_wide(column))
}

/// Whether no cell of a row begins left of its column, with all blanks before.
fn is_aligned(row: &str, starts: &[usize]) -> bool {
    let mut next = starts.iter().peekable();
    let mut before = ' ';
    for (at, c) in row.chars().enumerate() {
        while next.peek().is_some_and(|start| **start < at) {
            next.next();
        }
        if next.peek() == Some(&&at) && at > 0 && before != ' ' || c == '\t' {
            return false;
        }
        before = c;
    }
    let first = row.chars().take_while(|c| *c == ' ').count();
    starts.contains(&first)
}

fn cells<'a>(row: &'a str, starts: &[usize]) -> Vec<&'a str> {
    let mut offsets = row.char_indices().map(|(at, _)| at).enumerate();
    let mut byte_of =
        |column: usize| offsets.find(|(at, _)| *at == column).map_or(row.len(), |(_, byte)| byte);
    let mut bounds: Vec<usize> = starts.iter().map(|start| byte_of(*start)).collect();
    bounds.push(row.len());
    bounds.windows(2).map(|pair| row[pair[0]..pair[1]].trim()).collect()
}

/// The rows, the header first, and the columns that are stated once.
fn rewrite(cells: &[Vec<&str>], succeeded: bool) -> Option<(Vec<String>, Option<String>)> {
    let columns = cells[0].len();
    let rows = &cells[1..];
    let is_constant = |column: usize| {
        let value = rows[0][column];
        succeeded
            && rows.len() >= FEWEST_ROWS
            && column > 0
            && !value.is_empty()
            && !is_rule(value)
            && rows.iter().all(|row| row[column] == value || is_rule(row[column]))
    };
    let constant: Vec<usize> = (0..columns).filter(|column| is_constant(*column)).collect();
    let left: Vec<usize> = (0..columns).filter(|column| !constant.contains(column)).collect();
    let mut table = Vec::with_capacity(cells.len());
    for (number, row) in cells.iter().enumerate() {
        let mut line: Vec<Cow<'_, str>> = Vec::with_capacity(left.len());
        for column in &left {
            let is_last = *column == columns - 1 && number > 0;
            line.push(if is_last { Cow::Borrowed(row[*column]) } else { quoted(row[*column])? });
        }
        table.push(line.join(" ").trim_end().to_owned());
    }
    let once: Vec<String> =
        constant.iter().map(|column| format!("{} {}", cells[0][*column], rows[0][*column])).collect();
    Some((table, (!once.is_empty()).then(|| once.join(", "))))
}

/// A cell of dashes under a header.
fn is_rule(cell: &str) -> bool {
    cell.len() >= 3 && cell.bytes().all(|byte| matches!(byte, b'-' | b'='))
}

/// A cell that stays apart from its neighbours; `None` where it cannot.
fn quoted(cell: &str) -> Option<Cow<'_, str>> {
    if !cell.is_empty() && !cell.contains([' ', '"']) {
        return Some(Cow::Borrowed(cell));
    }
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.is_empty() && !inner.contains('"') => Some(Cow::Borrowed(cell)),
        _ if cell.contains('"') => None,
        _ => Some(Cow::Owned(format!("\"{cell}\""))),
    }
}

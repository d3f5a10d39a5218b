//! Groups: values that consecutive rows have in common are said before them, `next 12 rows: node=ip-10-0-1-7`.

use std::collections::HashSet;

use super::cells::Column;
use super::table::{Mode, Table};
use super::templates;

/// Fewest rows of a table, and fewest tokens saved, for groups; and the part of a table's tokens that they must save
/// (20: a twentieth). Otherwise each row is better read by itself.
const FEWEST_ROWS: u32 = 4;
const WORTH: i64 = 40;
const LEAST_PART: i64 = 20;
/// Tokens of the text before the values, and of the look up from a row.
const HEAD: i64 = 8;

/// Chooses the paths whose values are said group by group, given what each costs otherwise. Where one value of a group
/// changes, all its values are said again: those of several paths only in groups of `least` rows on average. A group
/// begins at each of the rows `at`, the first among them.
pub fn find(table: &mut Table, at: &[u32], costs: &[u32], least: i64) {
    let rows = table.rows.len() as u32;
    if rows < FEWEST_ROWS {
        return;
    }
    let sources: HashSet<u32> = templates::sources(&table.modes).collect();
    let mut columns = table.modes.iter().filter(|mode| **mode == Mode::Column).count();
    let mut candidates: Vec<(Vec<u32>, u32)> = (table.cells.iter())
        .filter(|(path, column)| {
            matches!(table.modes[*path as usize], Mode::Column | Mode::Default(_))
                && !sources.contains(path)
                && column.cells.len() as u32 * 2 > rows
                && !column.large
                && !column.holds_object
        })
        .map(|(path, _)| (table.cells.starts_of_runs(path, rows), path))
        // What all rows of a printed table have in common stands in its head, if it is worth that.
        .filter(|(runs, _)| runs.len() as u32 * 2 <= rows && !(table.paths.are_texts && runs.len() == 1))
        .collect();
    candidates.sort_unstable_by_key(|(runs, path)| (runs.len(), *path));
    let mut is_start = vec![false; rows as usize];
    for row in at {
        is_start[*row as usize] = true;
    }
    let (mut starts, mut width, mut before, mut saved) = (at.len() as i64, 0, 0, 0);
    let mut chosen = Vec::new();
    for (runs, path) in candidates {
        let more = runs.iter().filter(|&&row| !is_start[row as usize]).count() as i64;
        let Column { cells, tokens, .. } = &table.cells.columns[path as usize];
        let wider = width + i64::from(table.paths.get(path).step_tokens + 1 + tokens / cells.len() as u32);
        let cost = before + i64::from(costs[path as usize]);
        let saves = cost - (starts + more) * (wider + HEAD);
        let is_column = table.modes[path as usize] == Mode::Column;
        let is_torn = !chosen.is_empty() && (starts + more) * least > i64::from(rows);
        if saves <= saved || is_column && columns == 1 || is_torn {
            continue;
        }
        (starts, width, before, saved) = (starts + more, wider, cost, saves);
        columns -= usize::from(is_column);
        for row in runs {
            is_start[row as usize] = true;
        }
        chosen.push(path);
    }
    let all: i64 = costs.iter().map(|&cost| i64::from(cost)).sum();
    if saved < WORTH || saved * LEAST_PART < all {
        return;
    }
    for path in chosen {
        table.modes[path as usize] = Mode::Group;
    }
    table.groups = (0..rows).filter(|&row| is_start[row as usize]).collect();
    table.gain += saved;
}

//! Groups: values that consecutive rows have in common are said before them, `next 12 rows: node=ip-10-0-1-7`.

use std::collections::{HashMap, HashSet};

use super::cells::{Cells, Column};
use super::choice::{Mode, Part};
use super::paths::Paths;
use super::templates::{self, sources_of};

/// Fewest rows of a table, and fewest tokens saved, for groups; and the part of a table's tokens that they must save
/// (20: a twentieth). Otherwise each row is better read by itself.
const FEWEST_ROWS: u32 = 4;
const WORTH: i64 = 40;
const LEAST_PART: i64 = 20;
/// Tokens of the text before the values, and of the look up from a row.
const HEAD: i64 = 8;

/// Chooses the paths whose values are said group by group, and puts them into `modes`; returns the first row of each
/// group and the estimated tokens saved. Where one value of a group changes, all its values are said again. A group
/// begins at each of the rows `at`, the first among them. The paths `made` have a template in the rows that have them.
pub fn find(
    paths: &Paths,
    by_path: &Cells,
    rows: u32,
    at: &[u32],
    mut made: HashMap<u32, Vec<Part>>,
    modes: &mut [Mode],
    costs: &[u32],
) -> (Vec<u32>, i64) {
    if rows < FEWEST_ROWS {
        return (Vec::new(), 0);
    }
    let sources: HashSet<u32> =
        templates::sources(modes).chain(made.values().flat_map(|parts| sources_of(parts))).collect();
    let mut columns = modes.iter().filter(|mode| **mode == Mode::Column).count();
    let mut candidates: Vec<(Vec<u32>, u32)> = by_path
        .iter()
        .filter(|(path, column)| {
            let plain = matches!(modes[*path as usize], Mode::Column | Mode::Default(Some(_)));
            plain
                && !sources.contains(path)
                && column.cells.len() as u32 * 2 > rows
                && !column.large
                && !column.holds_object
        })
        .map(|(path, _)| (by_path.starts_of_runs(path, rows, made.contains_key(&path)), path))
        .filter(|(runs, _)| runs.len() as u32 * 2 <= rows)
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
        let Column { cells, tokens, .. } = &by_path.columns[path as usize];
        let wider = width + i64::from(paths.get(path).step_tokens + 1 + tokens / cells.len() as u32);
        let cost = before + i64::from(costs[path as usize]);
        let saves = cost - (starts + more) * (wider + HEAD);
        let is_column = modes[path as usize] == Mode::Column;
        if saves <= saved || is_column && columns == 1 {
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
        return (Vec::new(), 0);
    }
    for path in chosen {
        modes[path as usize] = Mode::Group(made.remove(&path).unwrap_or_default());
    }
    ((0..rows).filter(|&row| is_start[row as usize]).collect(), saved)
}

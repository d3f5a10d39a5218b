//! Defaults: the template says the value that a column nearly always has, and a row says only what differs, at its end.

use super::cost::about;
use crate::render::majority;

/// A column and its default.
#[derive(Clone, Copy, Debug)]
pub(super) struct Default<'a> {
    pub(super) column: usize,
    pub(super) value: &'a str,
}

/// Most defaults of a form: a reader has to keep them in mind.
const MOST: usize = 5;
/// Longest default, in bytes.
const LONGEST: usize = 40;
/// Tokens that each default must save, on average.
const LEAST_SAVED: usize = 8;
/// Most rows by which defaults are judged.
const JUDGED: usize = 512;

/// Columns that may get a default, first those that differ from it most often.
pub(super) fn candidates<'a>(values: &[Vec<&'a str>], may: impl Fn(usize) -> bool) -> Vec<Default<'a>> {
    let rows = judged(values);
    let often = |(column, values): (usize, &Vec<&'a str>)| {
        let (value, often) = most_often(&values[..rows])?;
        (often * 2 > rows && may(column)).then_some((often, Default { column, value }))
    };
    let mut found: Vec<(usize, Default<'a>)> = values.iter().enumerate().filter_map(often).collect();
    found.sort_unstable_by_key(|(often, found)| (*often, found.column));
    found.into_iter().map(|(_, found)| found).collect()
}

/// Number of rows by which defaults are judged.
pub(super) fn judged(values: &[Vec<&str>]) -> usize {
    values.first().map_or(0, Vec::len).min(JUDGED)
}

/// The candidates that together save most. `costs` are the tokens of each value as it is written now, by column and
/// row.
pub(super) fn choose<'a>(
    values: &[Vec<&'a str>],
    costs: &[Vec<usize>],
    found: &[Default<'a>],
) -> Vec<Default<'a>> {
    let rows = judged(values);
    // One column has to stay, so that no row is empty.
    let first = found.len().saturating_sub(MOST).max(usize::from(found.len() == values.len()));
    let ways =
        (first..found.len()).map(|first| (saved(values, costs, &found[first..], rows), &found[first..]));
    let best = ways.max_by_key(|(saved, defaults)| (*saved, usize::MAX - defaults.len()));
    let best = best.filter(|(saved, defaults)| *saved >= (LEAST_SAVED * defaults.len()) as isize);
    best.map_or_else(Vec::new, |(_, defaults)| defaults.to_vec())
}

/// The value that more than half of the rows have (if none has, any value) and how often it occurs; `None` if it cannot
/// stand in a template.
fn most_often<'a>(values: &[&'a str]) -> Option<(&'a str, usize)> {
    let (candidate, often) = majority(values.iter().copied())?;
    let fits = !candidate.is_empty() && candidate.len() <= LONGEST && !candidate.contains(['{', '}', '\n']);
    fits.then_some((candidate, often))
}

/// Estimated tokens that the rows save. A last column behind which defaults may follow no longer reaches to the end of
/// the line, so that its values with blanks need quotes.
fn saved(values: &[Vec<&str>], costs: &[Vec<usize>], defaults: &[Default<'_>], rows: usize) -> isize {
    let mut saved = 0;
    let last = values.len() - 1;
    let in_quotes = defaults.iter().all(|default| default.column != last);
    for row in 0..rows {
        let differs = |default: &Default<'_>| values[default.column][row] != default.value;
        let written = defaults.iter().rposition(differs).map_or(0, |index| index + 1);
        saved += defaults[written..].iter().map(|default| costs[default.column][row]).sum::<usize>() as isize;
        saved -= 2 * isize::from(in_quotes && values[last][row].contains(' '));
        // A default that is written is written in full, also where `…` stood for it.
        let above = defaults[..written].iter().map(|default| about(values[default.column][row]));
        let now: usize = defaults[..written].iter().map(|default| costs[default.column][row]).sum();
        saved -= (above.sum::<usize>() as isize - now as isize).max(0);
    }
    saved - defaults.iter().map(|default| about(default.value) as isize + 1).sum::<isize>()
}

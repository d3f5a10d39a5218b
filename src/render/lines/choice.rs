//! How rows are taken apart: each way is tried, on a sample of many rows.

use super::grid::Split;
use super::section::Form;

/// Rows by which is judged how all are taken apart.
const SAMPLE: usize = 96;

/// The way to take rows apart that takes the fewest tokens, and the form that comes of it.
///
/// Of many rows the first are judged by.
pub(super) fn best_form<'a>(
    rows: &[&'a str],
    name: &'a str,
    fits: impl Fn(&Form<'a>) -> bool,
) -> Option<(Split, Form<'a>)> {
    if rows.len() < 2 {
        return None;
    }
    let sample = &rows[..rows.len().min(SAMPLE)];
    let mut found: Vec<(usize, Split, Form<'a>)> = Vec::new();
    for split in splits(sample) {
        if let Some(form) = Form::of(sample, split, name) {
            found.push((form.about_tokens(sample.len()), split, form));
        }
    }
    found.sort_by_key(|(tokens, ..)| *tokens);
    for (_, split, form) in found {
        let form = if rows.len() > SAMPLE { Form::of(rows, split, name) } else { Some(form) };
        if let Some(form) = form.filter(&fits) {
            return Some((split, form));
        }
    }
    None
}

/// The ways to take rows apart that may suit them.
fn splits(rows: &[&str]) -> Vec<Split> {
    let words = |row: &&str| row.split([' ', '\n']).filter(|word| !word.is_empty()).take(16).count();
    let shortest = rows.iter().map(words).min().unwrap_or(0);
    let mut splits = vec![Split::Words, Split::Cells, Split::Head(0)];
    if shortest > 1 {
        splits.push(Split::Head(1));
        if shortest > 3 {
            splits.push(Split::Head(2));
        }
        if shortest > 2 {
            splits.push(Split::Head((shortest - 1).min(12)));
        }
    }
    splits
}

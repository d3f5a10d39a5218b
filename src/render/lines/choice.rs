//! How rows are taken apart: each way is tried, on a sample of many rows.

use super::form::Form;
use super::grid::{Cut, Split};

/// Rows by which is judged how all are taken apart.
const SAMPLE: usize = 64;

/// The way to take rows apart that takes the fewest tokens, and the form that comes of it.
///
/// Of many rows the first are judged by. A way whose form does not fit is tried again with its last column in one piece.
/// `known`: the only ways that are tried, if there are any.
pub(super) fn best_form<'a>(
    rows: &[&'a str],
    name: &'a str,
    known: &[Cut],
    fits: impl Fn(&Form<'a>) -> bool,
) -> Option<(Cut, Form<'a>)> {
    if rows.len() < 2 {
        return None;
    }
    let sample = &rows[..rows.len().min(SAMPLE)];
    if let [cut] = known {
        return Form::of(rows, *cut, name).filter(&fits).map(|form| (*cut, form));
    }
    let mut found: Vec<(usize, Cut, Form<'a>)> = Vec::new();
    let mut consider = |cut| {
        let form = Form::of(sample, cut, name)?;
        let fits = fits(&form);
        if fits {
            found.push((form.about_tokens(sample.len()) + form.heading_tokens(), cut, form));
        }
        Some(fits)
    };
    for &cut in known {
        consider(cut);
    }
    for split in splits(sample).into_iter().filter(|_| known.is_empty()) {
        if consider(Cut { split, keeps_end: false }) == Some(false) {
            consider(Cut { split, keeps_end: true });
        }
    }
    found.sort_by_key(|(tokens, ..)| *tokens);
    for (_, cut, form) in found {
        let form = if rows.len() > SAMPLE { Form::of(rows, cut, name) } else { Some(form) };
        if let Some(form) = form.filter(&fits) {
            return Some((cut, form));
        }
    }
    None
}

/// The ways to take rows apart that may suit them.
fn splits(rows: &[&str]) -> Vec<Split> {
    let words = |row: &&str| {
        row.split('\n')
            .map(|line| line.split(' ').filter(|word| !word.is_empty()).take(16).count())
            .min()
            .unwrap_or(0)
    };
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

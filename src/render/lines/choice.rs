//! How rows are taken apart: each way is tried, on a sample of many rows.

use super::fields::Field;
use super::form::Form;
use super::grid::{Cut, Split};

/// Rows by which is judged how all are taken apart.
const SAMPLE: usize = 64;

/// A form, how its rows are taken apart, and its fields (of a form with a name).
pub(super) type Choice<'a> = (Cut, Form<'a>, Vec<Field<'a>>);

/// The way to take rows apart that takes the fewest tokens, and the form that comes of it.
///
/// Of many rows the first are judged by. A way whose form does not fit is tried again with its last column in one piece.
/// `known`: the only ways that are tried, if there are any.
pub(super) fn best_form<'a>(
    rows: &[&'a str],
    name: &'a str,
    known: &[Cut],
    fits: impl Fn(&Form<'a>) -> bool,
) -> Option<Choice<'a>> {
    if rows.len() < 2 {
        return None;
    }
    let whole = |cut| {
        Form::of(rows, cut, name).filter(|(form, _)| fits(form)).map(|(form, fields)| (cut, form, fields))
    };
    if let [cut] = known {
        return whole(*cut);
    }
    let sample = &rows[..rows.len().min(SAMPLE)];
    let mut found: Vec<(usize, Choice<'a>)> = Vec::new();
    let mut consider = |cut| {
        let (form, fields) = Form::of(sample, cut, name)?;
        let fits = fits(&form);
        if fits {
            found.push((form.about_tokens(sample.len()) + form.heading_tokens(), (cut, form, fields)));
        }
        Some(fits)
    };
    for &cut in known {
        consider(cut);
    }
    let mut are_regular = false;
    for split in splits(sample).into_iter().filter(|_| known.is_empty()) {
        // What falls into columns word by word gains nothing by a sentence at its end.
        if are_regular && matches!(split, Split::Head(1..)) {
            break;
        }
        let fits = consider(Cut { split, keeps_end: false });
        if fits == Some(false) {
            consider(Cut { split, keeps_end: true });
        }
        are_regular |= split == Split::Words && fits == Some(true);
    }
    found.sort_by_key(|(tokens, ..)| *tokens);
    let all = rows.len() == sample.len();
    found.into_iter().find_map(|(_, choice)| if all { Some(choice) } else { whole(choice.0) })
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

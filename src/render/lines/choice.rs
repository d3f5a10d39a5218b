//! Chooses how rows are taken apart: each cut is tried, on a sample of many rows.

use super::fields::Fields;
use super::form::Form;
use super::grid::{Cut, Split};

/// Rows of the sample by which a cut is chosen.
const SAMPLE: usize = 64;

/// A cut, the form that it gives, and the fields of the form if it has a name.
pub(super) type Choice<'a> = (Cut, Form<'a>, Fields<'a>);

/// The cut that takes the fewest tokens, and its form.
///
/// Of many rows only the first are tried. A cut whose form does not fit is tried again with its last column in one
/// piece. If there are `known` cuts, only these are tried.
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
        // Rows that fall into columns word by word gain nothing by a sentence at their end.
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

/// The ways to split rows that may suit them.
fn splits(rows: &[&str]) -> Vec<Split> {
    let words = |line: &str| line.split(' ').filter(|word| !word.is_empty()).take(16).count();
    let shortest = rows.iter().flat_map(|row| row.split('\n')).map(words).min().unwrap_or(0);
    let mut splits = vec![Split::Words, Split::Cells, Split::Head(0)];
    splits.extend((shortest > 3).then_some(Split::Head(2)));
    splits.extend((shortest > 2).then(|| Split::Head((shortest - 1).min(12))));
    splits
}

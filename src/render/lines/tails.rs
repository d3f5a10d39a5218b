//! Values most of which end alike: the end becomes a column of its own, which the template can say.

use super::cost::{about, is_boundary};
use super::fields::Field;

/// Ends of a value that are looked at: from one of its last signs on.
const SIGNS: usize = 4;
/// Rows by which is judged.
const JUDGED: usize = 256;
/// Letters and digits that an end has at least.
const SHORTEST: usize = 2;
/// Least that an end saves, in tokens.
const LEAST_SAVED: usize = 16;

/// The fields with such ends apart; nothing where there are none.
pub(super) fn apart<'a>(fields: &[Field<'a>]) -> Option<Vec<Field<'a>>> {
    let (index, tail) = fields
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            !fields.iter().any(|field| matches!(field, Field::Same(same, _) if same == index))
        })
        .filter_map(|(index, field)| match field {
            Field::Value(cells, None) => shared(cells).map(|(saved, tail)| (saved, index, tail)),
            _ => None,
        })
        .max_by_key(|(saved, ..)| *saved)
        .map(|(_, index, tail)| (index, tail))?;
    let mut out = Vec::with_capacity(fields.len() + 1);
    for (at, field) in fields.iter().enumerate() {
        match field {
            Field::Value(cells, None) if at == index => {
                // Others end where the same sign stands last.
                let sign = tail.chars().next().unwrap_or_default();
                let own = |cell: &&'a str| cell.rfind(sign).filter(|&at| at > 0).unwrap_or(cell.len());
                let ends = |cell: &&'a str| {
                    if cell.len() > tail.len() && cell.ends_with(tail) {
                        cell.len() - tail.len()
                    } else {
                        own(cell)
                    }
                };
                out.push(Field::Value(cells.iter().map(|cell| &cell[..ends(cell)]).collect(), None));
                out.push(Field::Value(cells.iter().map(|cell| &cell[ends(cell)..]).collect(), None));
            }
            // What names a field by its index has to find it again.
            Field::Same(same, fill) => out.push(Field::Same(same + usize::from(*same > index), *fill)),
            field => out.push(field.clone()),
        }
    }
    Some(out)
}

/// The end that most values share, and about the tokens that it takes in all.
fn shared<'a>(cells: &[&'a str]) -> Option<(usize, &'a str)> {
    let judged = &cells[..cells.len().min(JUDGED)];
    let is_word =
        |end: &&str| end.bytes().filter(u8::is_ascii_alphanumeric).count() >= SHORTEST && !end.contains(' ');
    let of = |cell: &'a str| {
        let signs = cell
            .bytes()
            .enumerate()
            .rev()
            .filter(|(at, byte)| *at > 0 && is_boundary(*byte) && *byte != b' ');
        signs.take(SIGNS).map(move |(at, _)| &cell[at..]).filter(is_word)
    };
    // An end that two of three have is one of these.
    let looked_at = [0, judged.len() / 3, judged.len() * 2 / 3].into_iter().filter_map(|row| judged.get(row));
    let saved = looked_at.flat_map(|cell| of(cell)).map(|end| {
        let often = judged.iter().filter(|cell| cell.len() > end.len() && cell.ends_with(end)).count();
        let saved = if often * 3 >= judged.len() * 2 { often * about(end) } else { 0 };
        (saved.saturating_sub(2 * (judged.len() - often)), end)
    });
    saved.max().filter(|(saved, _)| *saved >= LEAST_SAVED)
}

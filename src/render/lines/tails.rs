//! Endings that most values of a column share: they become a column of their own, which the template can say.

use super::cost::{about, is_boundary};
use super::fields::Fields;
use super::template::Piece;

/// Most endings of a value that are tried. Each begins at one of its last signs.
const SIGNS: usize = 4;
/// Rows by which endings are judged.
const JUDGED: usize = 256;
/// Fewest letters and digits of an ending.
const SHORTEST: usize = 2;
/// Tokens that an ending must save.
const LEAST_SAVED: usize = 16;

/// The fields with the endings of one column apart; `None` where no column has such endings.
pub(super) fn apart<'a>(fields: &Fields<'a>) -> Option<Fields<'a>> {
    let ends = fields.pieces.iter().enumerate().filter_map(|(at, piece)| match *piece {
        Piece::Value { headed: false, number, fill: None, .. } if !fields.is_used(number) => {
            shared(&fields.values[number - 1]).map(|(saved, tail)| (saved, at, number, tail))
        }
        _ => None,
    });
    let (_, at, number, tail) = ends.max_by_key(|(saved, ..)| *saved)?;
    // Other values are cut at the last sign that is equal to the first of the ending.
    let sign = tail.chars().next()?;
    let cut = |cell: &&'a str| {
        let own = cell.strip_suffix(tail).filter(|own| !own.is_empty()).map(str::len);
        cell.split_at(own.or_else(|| cell.rfind(sign).filter(|&at| at > 0)).unwrap_or(cell.len()))
    };
    let mut out = fields.clone();
    let (cells, tails) = fields.values[number - 1].iter().map(cut).unzip();
    out.values[number - 1] = cells;
    out.values.push(tails);
    out.pieces.insert(at + 1, Piece::value(out.values.len(), None));
    Some(out)
}

/// Estimated tokens saved by the ending that most values share, and the ending.
fn shared<'a>(cells: &[&'a str]) -> Option<(usize, &'a str)> {
    let judged = &cells[..cells.len().min(JUDGED)];
    let is_word =
        |end: &&str| end.bytes().filter(u8::is_ascii_alphanumeric).count() >= SHORTEST && !end.contains(' ');
    let of = |cell: &'a str| {
        let is_sign = |(at, byte): &(usize, u8)| *at > 0 && is_boundary(*byte) && *byte != b' ';
        let signs = cell.bytes().enumerate().rev().filter(is_sign);
        signs.take(SIGNS).map(move |(at, _)| &cell[at..]).filter(is_word)
    };
    // An ending that two of three values share is hardly missing in all of these.
    let looked_at = [0, judged.len() / 3, judged.len() * 2 / 3].into_iter().filter_map(|row| judged.get(row));
    let saved = looked_at.flat_map(|cell| of(cell)).map(|end| {
        let often = judged.iter().filter(|cell| cell.len() > end.len() && cell.ends_with(end)).count();
        let saved = if often * 3 >= judged.len() * 2 { often * about(end) } else { 0 };
        (saved.saturating_sub(2 * (judged.len() - often)), end)
    });
    saved.max().filter(|(saved, _)| *saved >= LEAST_SAVED)
}

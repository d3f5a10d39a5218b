//! Headings: a value that changes only now and then is said above the lines for which it holds.

use memchr::{memchr, memrchr};

use super::cost::about;
use super::fields::Fields;
use super::template::Piece;

/// Pieces of a template in which headings are looked for.
const HEADED_FIELDS: usize = 12;
/// Rows by which headings are judged.
const JUDGED: usize = 256;
/// Fewest rows below a heading, on average.
const LEAST_GROUP: usize = 3;
/// The same where the heading is the whole value: a column that changes every few rows stays in the rows.
const LEAST_WHOLE_GROUP: usize = 8;
/// Shortest heading, in bytes: a single digit is none.
const SHORTEST: usize = 3;
/// Tokens that headings must save.
const LEAST_SAVED: usize = 6;

/// Where a value may be cut in two.
const CUTS: &[fn(&[u8]) -> usize] = &[
    |value| behind(memrchr(b'/', value)),
    |value| {
        behind(
            memchr(b':', value)
                .map(|at| at + value[at + 1..].iter().take_while(|&&byte| byte == b':').count()),
        )
    },
    |value| behind(memrchr(b':', value)),
    // A file's name is not cut.
    |value| behind(memchr(b'.', value).filter(|_| !value.contains(&b'/'))),
    |value| behind(memrchr(b'.', value).filter(|_| !value.contains(&b'/'))),
    |value| behind(memrchr(b'-', value)),
    <[u8]>::len,
];

/// The place behind a sign; 0 if there is none.
fn behind(sign: Option<usize>) -> usize {
    sign.map_or(0, |at| at + 1)
}

/// A part of a column that may stand in headings.
#[derive(Clone, Copy)]
struct Way {
    /// Number of the column, from 1.
    number: usize,
    /// Index into [`CUTS`].
    cut: usize,
    /// Estimated tokens saved.
    saved: usize,
}

/// Most ways of a column that are weighed against those of other forms.
const WEIGHED: usize = 3;

/// Puts the part of a column that changes only now and then into headings, if that saves tokens.
pub(super) fn choose(fields: &mut Fields<'_>) {
    if let Some(way) = ways(fields, false).first() {
        way.apply(fields);
    }
}

/// The same for several forms whose rows take turns; `rows` is the form of each row. A heading holds for the rows of
/// all forms. Returns whether any headings were chosen.
pub(super) fn choose_together(forms: &mut [Fields<'_>], rows: &[usize]) -> bool {
    let rows = &rows[..rows.len().min(JUDGED)];
    let mut order: Vec<usize> = (0..forms.len()).collect();
    order.sort_unstable_by_key(|form| (usize::MAX - rows.iter().filter(|row| *row == form).count(), *form));
    let mut chosen: Vec<Option<(Way, Vec<Head<'_>>)>> = vec![None; forms.len()];
    let mut best = 0;
    for form in order {
        let mut own = None;
        let mut weighed = [0; HEADED_FIELDS + 1];
        for way in ways(&forms[form], true) {
            weighed[way.number] += 1;
            if weighed[way.number] > WEIGHED {
                continue;
            }
            chosen[form] = Some((way, way.weighed(&forms[form], rows.len())));
            let saved = saved_together(&chosen, rows);
            if saved >= best + LEAST_SAVED as isize {
                best = saved;
                own.clone_from(&chosen[form]);
            }
        }
        chosen[form] = own;
    }
    for (fields, chosen) in forms.iter_mut().zip(&chosen) {
        if let Some((way, _)) = chosen {
            way.apply(fields);
        }
    }
    best > 0
}

/// The heading of a row.
#[derive(Clone, Copy)]
struct Head<'a> {
    text: &'a str,
    tokens: usize,
    /// Estimated tokens by which the row gets shorter.
    saved: usize,
}

/// Estimated tokens that headings save, given the headings of the rows of each form.
fn saved_together(heads: &[Option<(Way, Vec<Head<'_>>)>], rows: &[usize]) -> isize {
    let mut at = vec![0; heads.len()];
    let mut last = None;
    let (mut saved, mut headed, mut changes) = (0, 0, 0);
    for &form in rows {
        let row = at[form];
        at[form] += 1;
        let Some(head) = heads[form].as_ref().and_then(|(_, heads)| heads.get(row)) else { continue };
        saved += head.saved as isize;
        headed += 1;
        if last != Some(head.text) {
            saved -= head.tokens as isize + 2;
            last = Some(head.text);
            changes += 1;
        }
    }
    if changes * 2 > headed { 0 } else { saved }
}

/// All ways that save tokens, the best first. `among_others` means that rows of other forms may stand between two rows
/// of a heading.
fn ways(fields: &Fields<'_>, among_others: bool) -> Vec<Way> {
    let mut ways = Vec::new();
    let mut last = 0;
    for piece in fields.pieces.iter().take(HEADED_FIELDS) {
        let Piece::Value { number, fill, .. } = *piece else { continue };
        let is_new = number > last;
        last = last.max(number);
        if !is_new || fill.is_some_and(|fill| fill.right) {
            continue;
        }
        let cells = &fields.values[number - 1];
        let may_be_whole =
            (fields.values.len() >= 2 || among_others) && fill.is_none() && !fields.is_used(number);
        for (cut, at) in CUTS.iter().enumerate() {
            let is_whole = cut == CUTS.len() - 1;
            let group = match (among_others, is_whole) {
                (true, _) => 1,
                (false, true) => LEAST_WHOLE_GROUP,
                (false, false) => LEAST_GROUP,
            };
            if (!is_whole || may_be_whole)
                && let Some(saved) = saved(&cells[..cells.len().min(JUDGED)], *at, group)
            {
                ways.push(Way { number, cut, saved });
            }
        }
    }
    ways.sort_unstable_by_key(|way| (usize::MAX - way.saved, way.number, way.cut));
    ways
}

/// Estimated tokens that headings of `group` rows or more on average save, if enough.
fn saved(cells: &[&str], cut: fn(&[u8]) -> usize, group: usize) -> Option<usize> {
    // A sign that none of these three values has is rare in the others.
    if [0, cells.len() / 2, cells.len() - 1].iter().all(|&row| cut(cells[row].as_bytes()) == 0) {
        return None;
    }
    let (mut spent, mut saved, mut changes, mut length, mut last) = (0, 0, 0, 0, None);
    for cell in cells {
        let head = &cell[..cut(cell.as_bytes())];
        if last != Some(head) {
            changes += 1;
            if group * changes > cells.len() || (1..SHORTEST).contains(&head.len()) {
                return None;
            }
            length = about(head);
            spent += length + 2;
            last = Some(head);
        }
        saved += length;
    }
    (saved > spent + LEAST_SAVED).then(|| saved - spent)
}

impl Way {
    /// The headings of the first rows, with their savings. A value that is that of the row above would be left out in
    /// any case, so that it saves hardly anything.
    fn weighed<'a>(self, fields: &Fields<'a>, rows: usize) -> Vec<Head<'a>> {
        let mut last = "";
        let heads = fields.values[self.number - 1].iter().take(rows).map(|cell| {
            let text = &cell[..CUTS[self.cut](cell.as_bytes())];
            let tokens = about(text);
            let again = std::mem::replace(&mut last, cell) == *cell;
            Head { text, tokens, saved: if again { tokens.min(1) } else { tokens } }
        });
        heads.collect()
    }

    fn apply<'a>(self, fields: &mut Fields<'a>) {
        let is_last = self.number == fields.values.len();
        let is_used = fields.is_used(self.number);
        let cut = |cell: &&'a str| cell.split_at(CUTS[self.cut](cell.as_bytes()));
        let column = &mut fields.values[self.number - 1];
        let (heads, rests): (Vec<&str>, Vec<&str>) = column.iter().map(cut).unzip();
        column.clone_from(&rests);
        fields.headings = Some(heads);
        let mut at = 0;
        for (place, piece) in fields.pieces.iter_mut().enumerate() {
            if let Piece::Value { headed, number, fill, .. } = piece
                && *number == self.number
            {
                *headed = true;
                if is_used || fill.is_some() {
                    continue;
                }
                *number = 0;
                at = place + 1;
            }
        }
        if at > 0 && rests.iter().any(|rest| !rest.is_empty()) {
            let tail = fields.pieces.split_off(at);
            fields.push(&rests, None, is_last);
            fields.pieces.extend(tail);
        }
    }
}

//! Headings: a value that changes only now and then is said above the lines for which it holds.

use super::cost::about;
use super::fields::{Field, push};

/// Fields of a line in which headings are looked for.
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
const CUTS: &[fn(&str) -> usize] = &[
    |value| value.rfind('/').map_or(0, |at| at + 1),
    |value| value.find(':').map_or(0, |at| at + value[at..].bytes().take_while(|&byte| byte == b':').count()),
    |value| value.rfind(':').map_or(0, |at| at + 1),
    // A file's name is not cut.
    |value| value.find('.').filter(|_| !value.contains('/')).map_or(0, |at| at + 1),
    |value| value.rfind('.').filter(|_| !value.contains('/')).map_or(0, |at| at + 1),
    |value| value.find('(').map_or(0, |at| at + 1),
    |value| value.rfind('-').map_or(0, |at| at + 1),
    |value| value.find(' ').unwrap_or(0),
    str::len,
];

/// A part of a field that may stand in headings.
#[derive(Clone, Copy)]
struct Way {
    field: usize,
    /// Index into [`CUTS`].
    cut: usize,
    /// Estimated tokens saved.
    saved: usize,
}

/// Most ways of a field that are weighed against those of other forms.
const WEIGHED: usize = 3;

/// Puts the part of a field that changes only now and then into headings, if that saves tokens.
pub(super) fn choose(fields: &mut Vec<Field<'_>>) {
    if let Some(way) = ways(fields, false).first() {
        way.apply(fields);
    }
}

/// The same for several forms whose rows take turns; `rows` is the form of each row. A heading holds for the rows of
/// all forms. Returns whether any headings were chosen.
pub(super) fn choose_together(forms: &mut [Vec<Field<'_>>], rows: &[usize]) -> bool {
    let rows = &rows[..rows.len().min(JUDGED)];
    let mut order: Vec<usize> = (0..forms.len()).collect();
    order.sort_by_key(|form| usize::MAX - rows.iter().filter(|row| *row == form).count());
    let mut chosen: Vec<Option<(Way, Vec<Head<'_>>)>> = vec![None; forms.len()];
    let mut best = 0;
    for form in order {
        let mut own = None;
        let mut weighed = [0; HEADED_FIELDS];
        for way in ways(&forms[form], true) {
            weighed[way.field] += 1;
            if weighed[way.field] > WEIGHED {
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
fn ways(fields: &[Field<'_>], among_others: bool) -> Vec<Way> {
    let mut ways = Vec::new();
    let others = fields.iter().filter(|field| matches!(field, Field::Value(..))).count();
    for (index, field) in fields.iter().enumerate().take(HEADED_FIELDS) {
        let Field::Value(cells, fill) = field else { continue };
        if fill.is_some_and(|fill| fill.right) {
            continue;
        }
        let may_be_whole = (others >= 2 || among_others) && fill.is_none() && !is_used(fields, index);
        for (number, cut) in CUTS.iter().enumerate() {
            let is_whole = number == CUTS.len() - 1;
            let group = match (among_others, is_whole) {
                (true, _) => 1,
                (false, true) => LEAST_WHOLE_GROUP,
                (false, false) => LEAST_GROUP,
            };
            if (!is_whole || may_be_whole)
                && let Some(saved) = saved(&cells[..cells.len().min(JUDGED)], *cut, group)
            {
                ways.push(Way { field: index, cut: number, saved });
            }
        }
    }
    ways.sort_by_key(|way| usize::MAX - way.saved);
    ways
}

/// Estimated tokens that headings of `group` rows or more on average save, if enough.
fn saved(cells: &[&str], cut: fn(&str) -> usize, group: usize) -> Option<usize> {
    // A sign that none of these three values has is rare in the others.
    if [0, cells.len() / 2, cells.len() - 1].iter().all(|&row| cut(cells[row]) == 0) {
        return None;
    }
    let (mut spent, mut saved, mut changes, mut length, mut last) = (0, 0, 0, 0, None);
    for cell in cells {
        let head = &cell[..cut(cell)];
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

/// Whether another field refers to this one.
pub(super) fn is_used(fields: &[Field<'_>], index: usize) -> bool {
    fields.iter().any(|field| matches!(field, Field::Same(same, _) if *same == index))
}

impl Way {
    /// The heading of each row.
    fn heads<'a>(self, fields: &[Field<'a>]) -> impl Iterator<Item = &'a str> {
        let cells = if let Field::Value(cells, _) = &fields[self.field] { cells.as_slice() } else { &[] };
        cells.iter().map(move |cell| &cell[..CUTS[self.cut](cell)])
    }

    /// The headings of the first rows, with their savings. A value that is that of the row above would be left out in
    /// any case, so that it saves hardly anything.
    fn weighed<'a>(self, fields: &[Field<'a>], rows: usize) -> Vec<Head<'a>> {
        let Field::Value(cells, _) = &fields[self.field] else { return Vec::new() };
        let mut last = "";
        let heads = self.heads(fields).zip(cells).take(rows).map(|(text, cell)| {
            let tokens = about(text);
            let again = std::mem::replace(&mut last, cell) == *cell;
            Head { text, tokens, saved: if again { tokens.min(1) } else { tokens } }
        });
        heads.collect()
    }

    fn apply(self, fields: &mut Vec<Field<'_>>) {
        let Self { field: index, cut: number, .. } = self;
        let heads = self.heads(fields).collect();
        let is_used = is_used(fields, index);
        let tail = fields.split_off(index + 1);
        let Some(Field::Value(cells, fill)) = fields.pop() else { return };
        let rests: Vec<&str> = cells.iter().map(|cell| &cell[CUTS[number](cell)..]).collect();
        if fill.is_some() || is_used {
            fields.push(Field::Headed(heads, rests, fill));
            return fields.extend(tail);
        }
        fields.push(Field::Heading(heads));
        let before = fields.len();
        if rests.iter().any(|rest| !rest.is_empty()) {
            let is_last = !tail.iter().any(|field| matches!(field, Field::Value(..)));
            push(fields, &rests, None, is_last);
        }
        // The indices by which fields refer to others are shifted.
        let shift = fields.len() - before;
        // A text is not joined to the text before it, so that indices stay right.
        fields.extend(tail.into_iter().map(|field| match field {
            Field::Same(same, fill) if same > index => Field::Same(same + shift, fill),
            field => field,
        }));
    }
}

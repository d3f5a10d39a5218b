//! What changes only now and then: said above the lines for which it holds.

use super::cost::about;
use super::fields::{Field, push};

/// Fields in which headings are looked for.
const HEADED_FIELDS: usize = 12;
/// Rows by which headings are judged.
const JUDGED: usize = 512;
/// Lines below a heading, on average.
const LEAST_GROUP: usize = 3;
/// The same, where a heading is the whole value: of a column that changes every few rows each row says its own.
const LEAST_WHOLE_GROUP: usize = 8;
/// Shortest heading, in bytes: a single digit is none.
const SHORTEST: usize = 3;
/// Least that headings save, in tokens.
const LEAST_SAVED: usize = 6;

/// Where a value may be cut in two.
const CUTS: &[fn(&str) -> usize] = &[
    |value| value.rfind('/').map_or(0, |at| at + 1),
    |value| value.find(':').map_or(0, |at| at + value[at..].bytes().take_while(|&byte| byte == b':').count()),
    |value| value.rfind(':').map_or(0, |at| at + 1),
    |value| value.find('.').map_or(0, |at| at + 1),
    |value| value.rfind('.').map_or(0, |at| at + 1),
    |value| value.find('(').map_or(0, |at| at + 1),
    |value| value.rfind('-').map_or(0, |at| at + 1),
    |value| value.find(' ').unwrap_or(0),
    str::len,
];

/// Says what changes now and then in a heading, if that saves.
pub(super) fn choose(fields: &mut Vec<Field<'_>>) {
    let used: Vec<usize> = fields
        .iter()
        .filter_map(|field| if let Field::Same(index, _) = field { Some(*index) } else { None })
        .collect();
    let mut best: Option<(usize, usize, usize)> = None;
    let others = fields.iter().filter(|field| matches!(field, Field::Value(..))).count();
    let candidates = fields.iter().enumerate().filter(|(index, _)| !used.contains(index));
    for (index, field) in candidates.take(HEADED_FIELDS) {
        let Field::Value(cells, fill) = field else { continue };
        if fill.is_some_and(|fill| fill.right) {
            continue;
        }
        for (number, cut) in CUTS.iter().enumerate() {
            let is_whole = number == CUTS.len() - 1;
            if is_whole && (others < 2 || fill.is_some()) {
                continue;
            }
            let group = if is_whole { LEAST_WHOLE_GROUP } else { LEAST_GROUP };
            let (mut spent, mut saved, mut last) = (0, 0, None);
            let mut length = 0;
            let mut changes = 0;
            let judged = &cells[..cells.len().min(JUDGED)];
            for cell in judged {
                let head = &cell[..cut(cell)];
                if last != Some(head) {
                    if group * changes >= judged.len() {
                        changes = usize::MAX / group;
                        break;
                    }
                    let is_short = !head.is_empty() && head.len() < SHORTEST;
                    length = about(head);
                    spent += if is_short { usize::MAX / 1024 } else { length + 2 };
                    changes += 1;
                    last = Some(head);
                }
                saved += length;
            }
            if judged.len() >= group * changes
                && saved > spent + LEAST_SAVED
                && best.is_none_or(|(most, _, _)| saved - spent > most)
            {
                best = Some((saved - spent, index, number));
            }
        }
    }
    let Some((_, index, number)) = best else { return };
    let tail = fields.split_off(index + 1);
    let Some(Field::Value(cells, fill)) = fields.pop() else { return };
    let heads = cells.iter().map(|cell| &cell[..CUTS[number](cell)]).collect();
    let rests: Vec<&str> = cells.iter().map(|cell| &cell[CUTS[number](cell)..]).collect();
    if let Some(fill) = fill {
        fields.push(Field::Headed(heads, rests, fill));
        return fields.extend(tail);
    }
    fields.push(Field::Heading(heads));
    let before = fields.len();
    if rests.iter().any(|rest| !rest.is_empty()) {
        let is_last = !tail.iter().any(|field| matches!(field, Field::Value(..)));
        push(fields, &rests, None, is_last);
    }
    // What names a field by its index has to find it again.
    let shift = fields.len() - before;
    let moved = |same: usize| if same > index { same + shift } else { same };
    let joins = matches!((fields.last(), tail.first()), (Some(Field::Text(_)), Some(Field::Text(_))));
    for field in tail {
        match field {
            Field::Text(more) if joins => {
                // Kept apart, so that indices stay right.
                fields.push(Field::Text(more));
            }
            Field::Same(same, fill) => fields.push(Field::Same(moved(same), fill)),
            field => fields.push(field),
        }
    }
}

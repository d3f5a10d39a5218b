//! The fields of a grid: text that is the same in all rows, numbers that count up, and values.

use super::cost::{about, boundary_prefix, boundary_suffix, id_prefix, is_boundary};
use super::grid::Grid;
use super::template::{Fill, integer, write_filled};

/// The content of one place in all rows.
#[derive(Clone)]
pub(super) enum Field<'a> {
    Text(String),
    Count(u64, u64, Option<Fill>),
    /// A value for each row.
    Value(Vec<&'a str>, Option<Fill>),
    /// The values of the field with this index.
    Same(usize, Option<Fill>),
    /// The heading of each row.
    Heading(Vec<&'a str>),
    /// The heading and the value of each row, padded together.
    Headed(Vec<&'a str>, Vec<&'a str>, Option<Fill>),
}

/// All fields of a grid, in order. With `keeps_end` the cells of the last column stay in one piece.
pub(super) fn of<'a>(grid: &Grid<'a>, keeps_end: bool) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let last = grid.cells.len().wrapping_sub(1);
    for (column, cells) in grid.cells.iter().enumerate() {
        text(&mut fields, &grid.gaps[column]);
        let is_last = column == last;
        if keeps_end && is_last && cells.iter().any(|cell| *cell != cells[0]) {
            fields.push(Field::Value(cells.clone(), grid.fills[column]));
        } else {
            push(&mut fields, cells, grid.fills[column], is_last);
        }
    }
    text(&mut fields, grid.gaps.last().map_or("", String::as_str));
    fields
}

fn text(fields: &mut Vec<Field<'_>>, more: &str) {
    if more.is_empty() {
        return;
    }
    if let Some(Field::Text(text)) = fields.last_mut() {
        text.push_str(more);
    } else {
        fields.push(Field::Text(more.to_owned()));
    }
}

/// Appends the fields of a column.
pub(super) fn push<'a>(fields: &mut Vec<Field<'a>>, cells: &[&'a str], fill: Option<Fill>, is_last: bool) {
    if cells.iter().all(|cell| *cell == cells[0]) {
        let mut filled = String::new();
        write_filled(&mut filled, cells[0], fill);
        return text(fields, &filled);
    }
    if let Some(field) = silent(fields, cells, fill) {
        return fields.push(field);
    }
    if fill.is_none()
        && let Some(part) = part(fields, cells)
    {
        return push_beside(fields, part, is_last);
    }
    if fill.is_none()
        && !is_last_with_blanks(cells, is_last)
        && let Some(runs) = Runs::of(cells)
    {
        return runs.push(fields, cells);
    }
    // A value padded behind keeps its end, a value padded in front keeps its beginning.
    let left = fill.is_none_or(|fill| !fill.right);
    let right = fill.is_none_or(|fill| fill.right);
    let prefix = if left { boundary_prefix(cells) } else { 0 };
    let rests: Vec<&str> = cells.iter().map(|cell| &cell[prefix..]).collect();
    let in_words = is_last_with_blanks(cells, is_last);
    let mut suffix = if right { boundary_suffix(&rests, in_words) } else { 0 };
    // The partner of a bracket that the prefix opens belongs to the suffix.
    if in_words && let Some(closing) = closing(&cells[0][..prefix]) {
        let at_end = rests.iter().all(|rest| rest.ends_with(closing));
        suffix = suffix.max(if at_end { closing.len_utf8() } else { 0 });
    }
    // A value that ends in blanks is hard to read.
    if in_words && rests.iter().any(|rest| rest[..rest.len() - suffix].ends_with(' ')) {
        suffix = 0;
    }
    let taken = cells[0][..prefix].chars().count() + cells[0][cells[0].len() - suffix..].chars().count();
    let fill = fill
        .map(|fill| Fill { width: fill.width.saturating_sub(taken), ..fill })
        .filter(|fill| fill.width > 0);
    let inner: Vec<&str> = rests.iter().map(|rest| &rest[..rest.len() - suffix]).collect();
    text(fields, &cells[0][..prefix]);
    push_value(fields, inner, fill);
    text(fields, &cells[0][cells[0].len() - suffix..]);
}

/// Appends cells that stay in one piece.
fn push_value<'a>(fields: &mut Vec<Field<'a>>, cells: Vec<&'a str>, fill: Option<Fill>) {
    let field = silent(fields, &cells, fill).unwrap_or(Field::Value(cells, fill));
    fields.push(field);
}

/// The field of cells that no row has to write: they count up, or are those of an earlier field.
fn silent<'a>(fields: &[Field<'a>], cells: &[&str], fill: Option<Fill>) -> Option<Field<'a>> {
    let count = counts(cells).map(|(from, to)| Field::Count(from, to, fill));
    let is_same = |field: &Field<'_>| matches!(field, Field::Value(earlier, _) if earlier == cells);
    count.or_else(|| fields.iter().position(is_same).map(|same| Field::Same(same, fill)))
}

/// The partner of the bracket or quote that a text opens last and does not close.
fn closing(text: &str) -> Option<char> {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('‘', '’')];
    let (at, pair) =
        PAIRS.iter().filter_map(|pair| Some((text.rfind(pair.0)?, pair))).max_by_key(|(at, _)| *at)?;
    (!text[at..].contains(pair.1)).then_some(pair.1)
}

fn is_last_with_blanks(cells: &[&str], is_last: bool) -> bool {
    is_last && cells.iter().any(|cell| cell.contains(' '))
}

/// The first and the last number of a column that counts up by one.
fn counts(cells: &[&str]) -> Option<(u64, u64)> {
    let first = integer(cells[0])?;
    if cells.len() < 3 {
        return None;
    }
    let up = cells.iter().zip(first..).all(|(cell, number)| integer(cell) == Some(number));
    up.then_some((first, first + cells.len() as u64 - 1))
}

/// The cell without `part` at its front or its back, if a sign separates the two.
fn without<'a>(cell: &'a str, part: &str, at_front: bool) -> Option<&'a str> {
    let rest = if at_front { cell.strip_prefix(part) } else { cell.strip_suffix(part) }?;
    let beside = if at_front { rest.as_bytes().first() } else { rest.as_bytes().last() }?;
    (is_boundary(*beside) && *beside != b' ' && !part.is_empty()).then_some(rest)
}

/// Tokens that a column must save by naming an earlier value.
const LEAST_NAMED: usize = 12;

/// An earlier field whose values the cells begin or end with: its index, whether the values stand at the front, and the
/// rest of each cell.
type Beside<'a> = (usize, bool, Vec<&'a str>);

fn part<'a>(fields: &[Field<'a>], cells: &[&'a str]) -> Option<Beside<'a>> {
    fields.iter().enumerate().find_map(|(index, field)| {
        let Field::Value(values, _) = field else { return None };
        let (at_front, rests) = [true, false].into_iter().find_map(|at_front| {
            let rests = cells.iter().zip(values).map(|(cell, value)| without(cell, value, at_front));
            Some((at_front, rests.collect::<Option<Vec<_>>>()?))
        })?;
        let saved: usize = values.iter().map(|value| about(value)).sum();
        (saved >= LEAST_NAMED).then_some((index, at_front, rests))
    })
}

/// Appends a column as a reference to an earlier field, and the rest of each cell as fields of their own.
fn push_beside<'a>(fields: &mut Vec<Field<'a>>, (field, at_front, rests): Beside<'a>, is_last: bool) {
    if at_front {
        fields.push(Field::Same(field, None));
    }
    push(fields, &rests, None, at_front && is_last);
    if !at_front {
        fields.push(Field::Same(field, None));
    }
}

/// Cells split at their signs, which are the same in all cells.
struct Runs {
    /// The ends of the runs of all cells, `count` for each row: letters and digits, then one sign, then letters and
    /// digits…
    ends: Vec<u32>,
    count: usize,
}

/// Most signs at which a cell is split.
const MOST_SIGNS: usize = 24;

impl Runs {
    fn of(cells: &[&str]) -> Option<Self> {
        let is_sign = |byte: &u8| is_boundary(*byte);
        let signs: Vec<u8> = cells[0].bytes().filter(is_sign).take(MOST_SIGNS + 1).collect();
        if signs.is_empty() || signs.len() > MOST_SIGNS {
            return None;
        }
        let count = 2 * signs.len() + 1;
        let mut ends = Vec::with_capacity(cells.len() * count);
        for cell in cells {
            let mut own = 0;
            for (at, byte) in cell.bytes().enumerate().filter(|(_, byte)| is_sign(byte)) {
                if signs.get(own) != Some(&byte) {
                    return None;
                }
                own += 1;
                ends.extend([at as u32, at as u32 + 1]);
            }
            if own != signs.len() {
                return None;
            }
            ends.push(cell.len() as u32);
        }
        Some(Self { ends, count })
    }

    /// The runs `from` to `to` of a cell, both included.
    fn run<'a>(&self, cell: &'a str, row: usize, from: usize, to: usize) -> &'a str {
        let start = if from == 0 { 0 } else { self.ends[row * self.count + from - 1] as usize };
        &cell[start..self.ends[row * self.count + to] as usize]
    }

    fn column<'a>(&self, cells: &[&'a str], from: usize, to: usize) -> Vec<&'a str> {
        cells.iter().enumerate().map(|(row, cell)| self.run(cell, row, from, to)).collect()
    }

    fn push<'a>(&self, fields: &mut Vec<Field<'a>>, cells: &[&'a str]) {
        #[derive(PartialEq, Clone, Copy)]
        enum Kind {
            Same,
            Own,
            Alone,
        }
        let kind = |run: usize| {
            // Every second run is a sign.
            let column = if run % 2 == 1 { Vec::new() } else { self.column(cells, run, run) };
            if column.iter().all(|cell| *cell == column[0]) {
                Kind::Same
            } else if counts(&column).is_some() {
                Kind::Alone
            } else {
                Kind::Own
            }
        };
        let kinds: Vec<Kind> = (0..self.count).map(kind).collect();
        let mut run = 0;
        while run < self.count {
            if kinds[run] != Kind::Own {
                push(fields, &self.column(cells, run, run), None, false);
                run += 1;
                continue;
            }
            // Values with no more than one token between them stay together.
            let mut end = run;
            let mut next = run + 1;
            while next < self.count {
                match kinds[next] {
                    Kind::Alone => break,
                    Kind::Own => {
                        let between = self.run(cells[0], 0, end + 1, next - 1);
                        if about(between) > 1 {
                            break;
                        }
                        end = next;
                    }
                    Kind::Same => {}
                }
                next += 1;
            }
            push_own(fields, &self.column(cells, run, end));
            run = end + 1;
        }
    }
}

/// Appends values. Letters that all of them begin with go into the template if only digits follow.
fn push_own<'a>(fields: &mut Vec<Field<'a>>, column: &[&'a str]) {
    let letters = column[0].bytes().position(|byte| byte.is_ascii_digit()).unwrap_or(0);
    let head = &column[0][..letters];
    let is_numbered = letters > 0
        && head.bytes().all(|byte| byte.is_ascii_alphabetic())
        && column.iter().all(|cell| cell.strip_prefix(head).is_some_and(|rest| integer(rest).is_some()));
    if is_numbered {
        text(fields, head);
        let rests: Vec<&str> = column.iter().map(|cell| &cell[letters..]).collect();
        push_value(fields, rests, None);
    } else if let Some(field) = silent(fields, column, None) {
        fields.push(field);
    } else if let Some(part) = part(fields, column) {
        push_beside(fields, part, false);
    } else {
        let prefix = id_prefix(column);
        text(fields, &column[0][..prefix]);
        fields.push(Field::Value(column.iter().map(|cell| &cell[prefix..]).collect(), None));
    }
}

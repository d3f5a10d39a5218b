//! The fields of a grid, each a piece of a template: text that is the same in all rows, numbers that count up, values.

use super::cost::{about, boundary_prefix, boundary_suffix, id_prefix, is_boundary};
use super::grid::Grid;
use super::template::{Fill, Piece, integer, write_filled};

/// A template that is not finished yet, and the values of its rows.
#[derive(Clone, Default)]
pub(super) struct Fields<'a> {
    pub(super) pieces: Vec<Piece>,
    /// The values of each column, by row. The number of a piece is its column's place here, from 1.
    pub(super) values: Vec<Vec<&'a str>>,
    /// The heading of each row.
    pub(super) headings: Option<Vec<&'a str>>,
}

impl<'a> Fields<'a> {
    /// All fields of a grid, in order. With `keeps_end` the cells of the last column stay in one piece.
    pub(super) fn of(grid: &Grid<'a>, keeps_end: bool) -> Self {
        let mut fields = Self::default();
        let last = grid.cells.len().wrapping_sub(1);
        for (column, cells) in grid.cells.iter().enumerate() {
            fields.text(&grid.gaps[column]);
            let is_last = column == last;
            if keeps_end && is_last && cells.iter().any(|cell| *cell != cells[0]) {
                fields.value(cells.clone(), grid.fills[column]);
            } else {
                fields.push(cells, grid.fills[column], is_last);
            }
        }
        fields.text(grid.gaps.last().map_or("", String::as_str));
        fields
    }

    /// The numbers of the values without a heading, in the order of the template.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Value { headed: false, number, .. } => Some(*number),
            _ => None,
        })
    }

    /// Whether the template has this value more than once.
    pub(super) fn is_used(&self, wanted: usize) -> bool {
        self.numbers().filter(|number| *number == wanted).count() > 1
    }

    fn text(&mut self, more: &str) {
        if more.is_empty() {
            return;
        }
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            text.push_str(more);
        } else {
            self.pieces.push(Piece::Text(more.to_owned()));
        }
    }

    /// Appends a column of values.
    fn value(&mut self, cells: Vec<&'a str>, fill: Option<Fill>) {
        self.values.push(cells);
        self.pieces.push(Piece::value(self.values.len(), fill));
    }

    /// Appends the fields of a column.
    pub(super) fn push(&mut self, cells: &[&'a str], fill: Option<Fill>, is_last: bool) {
        if cells.iter().all(|cell| *cell == cells[0]) {
            let mut filled = String::new();
            write_filled(&mut filled, cells[0], fill);
            return self.text(&filled);
        }
        if self.push_silent(cells, fill) || fill.is_none() && self.push_beside(cells, is_last) {
            return;
        }
        let in_words = is_last && cells.iter().any(|cell| cell.contains(' '));
        if fill.is_none()
            && !in_words
            && let Some(runs) = Runs::of(cells)
        {
            return runs.push(self, cells);
        }
        // A value padded behind keeps its end, a value padded in front keeps its beginning.
        let left = fill.is_none_or(|fill| !fill.right);
        let right = fill.is_none_or(|fill| fill.right);
        let prefix = if left { boundary_prefix(cells) } else { 0 };
        let rests: Vec<&str> = cells.iter().map(|cell| &cell[prefix..]).collect();
        let mut suffix = if right { boundary_suffix(&rests, in_words) } else { 0 };
        // The partner of a bracket that the prefix opens belongs to the suffix.
        if in_words && let Some(closing) = closing(&cells[0][..prefix]) {
            let at_end = rests.iter().all(|rest| rest.ends_with(closing));
            suffix = suffix.max(if at_end { closing.len_utf8() } else { 0 });
        }
        // A reader would not see the blanks at the end of a value.
        if in_words && rests.iter().any(|rest| rest[..rest.len() - suffix].ends_with(' ')) {
            suffix = 0;
        }
        let (before, behind) = (&cells[0][..prefix], &cells[0][cells[0].len() - suffix..]);
        let taken = before.chars().count() + behind.chars().count();
        let fill = fill
            .map(|fill| Fill { width: fill.width.saturating_sub(taken), ..fill })
            .filter(|fill| fill.width > 0);
        self.text(before);
        self.push_whole(rests.iter().map(|rest| &rest[..rest.len() - suffix]).collect(), fill);
        self.text(behind);
    }

    /// Appends cells that stay in one piece.
    fn push_whole(&mut self, cells: Vec<&'a str>, fill: Option<Fill>) {
        if !self.push_silent(&cells, fill) {
            self.value(cells, fill);
        }
    }

    /// Appends cells that no row has to write, because they count up or are those of an earlier column; false where
    /// they are neither.
    fn push_silent(&mut self, cells: &[&str], fill: Option<Fill>) -> bool {
        let count = counts(cells).map(|(from, to)| Piece::Count { from, to, fill });
        let same = || self.numbers().find(|number| self.values[number - 1] == cells);
        let piece = count.or_else(|| Some(Piece::value(same()?, fill)));
        let is_silent = piece.is_some();
        self.pieces.extend(piece);
        is_silent
    }

    /// Appends a column as an earlier one with the rest of each cell before or behind it; false where that saves
    /// nothing.
    fn push_beside(&mut self, cells: &[&'a str], is_last: bool) -> bool {
        let beside = self.numbers().find_map(|number| {
            let values = &self.values[number - 1];
            let (at_front, rests) = [true, false].into_iter().find_map(|at_front| {
                let rests = cells.iter().zip(values).map(|(cell, value)| without(cell, value, at_front));
                Some((at_front, rests.collect::<Option<Vec<_>>>()?))
            })?;
            let saved: usize = values.iter().map(|value| about(value)).sum();
            (saved >= LEAST_NAMED).then_some((number, at_front, rests))
        });
        let Some((number, at_front, rests)) = beside else { return false };
        let piece = Piece::value(number, None);
        if at_front {
            self.pieces.push(piece);
            self.push(&rests, None, is_last);
        } else {
            self.push(&rests, None, false);
            self.pieces.push(piece);
        }
        true
    }

    /// Appends a column that is not split at its signs.
    fn push_own(&mut self, cells: &[&'a str]) {
        if !self.push_silent(cells, None) && !self.push_beside(cells, false) {
            let prefix = id_prefix(cells);
            self.text(&cells[0][..prefix]);
            self.value(cells.iter().map(|cell| &cell[prefix..]).collect(), None);
        }
    }
}

/// The partner of the bracket or quote that a text opens last and does not close.
fn closing(text: &str) -> Option<char> {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('‘', '’')];
    let (at, pair) =
        PAIRS.iter().filter_map(|pair| Some((text.rfind(pair.0)?, pair))).max_by_key(|(at, _)| *at)?;
    (!text[at..].contains(pair.1)).then_some(pair.1)
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

    fn push<'a>(&self, fields: &mut Fields<'a>, cells: &[&'a str]) {
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
                fields.push(&self.column(cells, run, run), None, false);
                run += 1;
                continue;
            }
            // Values with no more than one token between them stay together.
            let mut end = run;
            for (next, kind) in kinds.iter().enumerate().skip(run + 1) {
                match kind {
                    Kind::Alone => break,
                    Kind::Own if about(self.run(cells[0], 0, end + 1, next - 1)) > 1 => break,
                    Kind::Own => end = next,
                    Kind::Same => {}
                }
            }
            fields.push_own(&self.column(cells, run, end));
            run = end + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Fields;

    #[test]
    fn no_value_of_a_sentence_ends_in_a_blank() {
        let mut fields = Fields::default();
        fields.push(&["parsed  (ms)", "read the file (ms)", "counted (ms)"], None, true);
        assert_eq!(fields.values, [["parsed  (ms)", "read the file (ms)", "counted (ms)"]]);
        let mut fields = Fields::default();
        fields.push(&["parsed (ms)", "read the file (ms)", "counted (ms)"], None, true);
        assert_eq!(fields.values, [["parsed", "read the file", "counted"]]);
    }
}

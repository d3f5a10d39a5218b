//! Lines that have something in common: a template, then each line's own values.

use std::fmt::Write as _;

use super::cost::{boundary_prefix, boundary_suffix, cost};
use super::grid::{Grid, Split};
use super::template::{self, Fill, MARK, Piece, integer, write_filled};
use super::value;

/// A line, or several that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    /// How often it stands one below the other.
    pub(super) times: usize,
    /// Whether it is written as it is.
    pub(super) whole: bool,
}

/// What stands in one place of all rows.
enum Field<'a> {
    Text(String),
    Count(u64, u64, Option<Fill>),
    /// Values of their own, by index.
    Value(Vec<&'a str>, Option<Fill>),
    /// The same as that field.
    Same(usize, Option<Fill>),
    /// What headings say, row by row.
    Heading(Vec<&'a str>),
}

/// Names in a list that stand on one line.
const NAMES_A_LINE: usize = 10;

/// Writes lines as one section; nothing where they have too little in common.
pub(super) fn write(
    parts: &[Part<'_>],
    height: usize,
    split: Split,
    why: fn(&[u8]) -> bool,
) -> Option<String> {
    let rows: Vec<&str> = parts.iter().filter(|part| !part.whole).map(|part| part.text).collect();
    if rows.len() < 2 {
        return None;
    }
    let grid = Grid::of(&rows, split)?;
    let mut fields = fields(&grid);
    choose_heading(&mut fields);
    let _ = why;
    Writer::new(fields).write(parts, height)
}

/// All fields of a grid, in order.
fn fields<'a>(grid: &Grid<'a>) -> Vec<Field<'a>> {
    let mut fields = Vec::new();
    let last = grid.cells.len().wrapping_sub(1);
    for (column, cells) in grid.cells.iter().enumerate() {
        text(&mut fields, &grid.gaps[column]);
        push(&mut fields, cells, grid.fills[column], column == last);
    }
    text(&mut fields, grid.gaps.last().map_or("", String::as_str));
    fields
}

fn text(fields: &mut Vec<Field<'_>>, more: &str) {
    if more.is_empty() {
        return;
    }
    if let Some(Field::Text(text)) = fields.last_mut() {
        text.push_str(more)
    } else {
        fields.push(Field::Text(more.to_owned()))
    }
}

/// Appends a column.
fn push<'a>(fields: &mut Vec<Field<'a>>, cells: &[&'a str], fill: Option<Fill>, is_last: bool) {
    if cells.iter().all(|cell| *cell == cells[0]) {
        let mut filled = String::new();
        write_filled(&mut filled, cells[0], fill);
        return text(fields, &filled);
    }
    if let Some((from, to)) = counts(cells) {
        return fields.push(Field::Count(from, to, fill));
    }
    if let Some(same) = same(fields, cells) {
        return fields.push(Field::Same(same, fill));
    }
    if fill.is_none()
        && !is_last_with_blanks(cells, is_last)
        && let Some(runs) = Runs::of(cells)
    {
        return runs.push(fields, cells);
    }
    // What is filled up behind keeps its end, what is filled up in front keeps its beginning.
    let left = fill.is_none_or(|fill| !fill.right);
    let right = fill.is_none_or(|fill| fill.right);
    let prefix = if left { boundary_prefix(cells) } else { 0 };
    let rests: Vec<&str> = cells.iter().map(|cell| &cell[prefix..]).collect();
    let suffix = if right { boundary_suffix(&rests) } else { 0 };
    let taken = cells[0][..prefix].chars().count() + cells[0][cells[0].len() - suffix..].chars().count();
    let fill = fill
        .map(|fill| Fill { width: fill.width.saturating_sub(taken), ..fill })
        .filter(|fill| fill.width > 0);
    let inner: Vec<&str> = rests.iter().map(|rest| &rest[..rest.len() - suffix]).collect();
    text(fields, &cells[0][..prefix]);
    if prefix + suffix > 0
        && let Some((from, to)) = counts(&inner)
    {
        fields.push(Field::Count(from, to, fill));
    } else if prefix + suffix > 0
        && let Some(same) = same(fields, &inner)
    {
        fields.push(Field::Same(same, fill));
    } else {
        fields.push(Field::Value(inner, fill));
    }
    text(fields, &cells[0][cells[0].len() - suffix..]);
}

fn is_last_with_blanks(cells: &[&str], is_last: bool) -> bool {
    is_last && cells.iter().any(|cell| cell.contains(' '))
}

/// Whether a column counts up by one.
fn counts(cells: &[&str]) -> Option<(u64, u64)> {
    let first = integer(cells[0])?;
    if cells.len() < 3 {
        return None;
    }
    let up = cells.iter().zip(first..).all(|(cell, number)| integer(cell) == Some(number));
    up.then_some((first, first + cells.len() as u64 - 1))
}

/// An earlier field with the same values.
fn same(fields: &[Field<'_>], cells: &[&str]) -> Option<usize> {
    fields.iter().position(|field| matches!(field, Field::Value(earlier, _) if earlier[0] == cells[0] && earlier.as_slice() == cells))
}

/// Cells taken apart at their signs, which are the same in all of them.
struct Runs {
    /// For each row the ends of its runs: letters and digits, then one sign, then letters and digits…
    ends: Vec<Vec<u32>>,
    count: usize,
}

/// A cell with more signs is not taken apart.
const MOST_RUNS: usize = 48;

fn runs_of(cell: &str, ends: &mut Vec<u32>) -> bool {
    ends.clear();
    for (at, byte) in cell.bytes().enumerate() {
        if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
            ends.push(at as u32);
            ends.push(at as u32 + 1);
            if ends.len() > MOST_RUNS {
                return false;
            }
        }
    }
    ends.push(cell.len() as u32);
    true
}

impl Runs {
    fn of(cells: &[&str]) -> Option<Self> {
        let mut ends = Vec::with_capacity(cells.len());
        let mut count = 0;
        for cell in cells {
            let mut runs = Vec::new();
            if !runs_of(cell, &mut runs) {
                return None;
            }
            if ends.is_empty() {
                count = runs.len();
            }
            if runs.len() != count || count < 3 {
                return None;
            }
            ends.push(runs);
        }
        let runs = Self { ends, count };
        // Every second run is a sign.
        let same = |run: usize| {
            cells
                .iter()
                .enumerate()
                .all(|(row, cell)| runs.run(cell, row, run, run) == runs.run(cells[0], 0, run, run))
        };
        (0..count / 2).all(|sign| same(2 * sign + 1)).then_some(runs)
    }

    /// Runs of one cell, both ends included.
    fn run<'a>(&self, cell: &'a str, row: usize, from: usize, to: usize) -> &'a str {
        let start = if from == 0 { 0 } else { self.ends[row][from - 1] as usize };
        &cell[start..self.ends[row][to] as usize]
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
        let kinds: Vec<Kind> = (0..self.count)
            .map(|run| {
                let column = self.column(cells, run, run);
                if column.iter().all(|cell| *cell == column[0]) {
                    Kind::Same
                } else if counts(&column).is_some() {
                    Kind::Alone
                } else {
                    Kind::Own
                }
            })
            .collect();
        let mut run = 0;
        while run < self.count {
            if kinds[run] != Kind::Own {
                let column = self.column(cells, run, run);
                match counts(&column) {
                    Some((from, to)) if kinds[run] == Kind::Alone => {
                        fields.push(Field::Count(from, to, None))
                    }
                    _ => text(fields, column[0]),
                }
                run += 1;
                continue;
            }
            // Values with but a sign or two between them stay together.
            let mut end = run;
            let mut next = run + 1;
            while next < self.count {
                match kinds[next] {
                    Kind::Alone => break,
                    Kind::Own => {
                        let between = self.run(cells[0], 0, end + 1, next - 1);
                        if cost(between) > 1 {
                            break;
                        }
                        end = next;
                    }
                    Kind::Same => {}
                }
                next += 1;
            }
            let column = self.column(cells, run, end);
            push_own(fields, column);
            run = end + 1;
        }
    }
}

/// Appends values; letters that all begin with stand in the template, if only digits follow.
fn push_own<'a>(fields: &mut Vec<Field<'a>>, column: Vec<&'a str>) {
    let letters = column[0].bytes().position(|byte| byte.is_ascii_digit()).unwrap_or(0);
    let head = &column[0][..letters];
    let numbered = letters > 0
        && head.bytes().all(|byte| byte.is_ascii_alphabetic())
        && column.iter().all(|cell| cell.strip_prefix(head).is_some_and(|rest| integer(rest).is_some()));
    if numbered {
        text(fields, head);
        let rests: Vec<&str> = column.iter().map(|cell| &cell[letters..]).collect();
        if let Some((from, to)) = counts(&rests) {
            fields.push(Field::Count(from, to, None));
        } else if let Some(same) = same(fields, &rests) {
            fields.push(Field::Same(same, None));
        } else {
            fields.push(Field::Value(rests, None));
        }
    } else if let Some(same) = same(fields, &column) {
        fields.push(Field::Same(same, None));
    } else {
        fields.push(Field::Value(column, None));
    }
}

/// Fields in which headings are looked for.
const HEADED_FIELDS: usize = 12;
/// Least that headings save, in tokens.
const LEAST_SAVED: usize = 6;

/// Where a value may be cut in two.
const CUTS: &[fn(&str) -> usize] = &[
    |value| value.rfind('/').map_or(0, |at| at + 1),
    |value| value.find(':').map_or(0, |at| at + 1),
    |value| value.rfind(':').map_or(0, |at| at + 1),
    |value| value.find("::").map_or(0, |at| at + 2),
    |value| value.find('.').map_or(0, |at| at + 1),
    |value| value.rfind('.').map_or(0, |at| at + 1),
    |value| value.find('(').map_or(0, |at| at + 1),
    |value| value.find(' ').map_or(0, |at| at + 1),
    str::len,
];

/// Says what changes now and then in a heading, if that saves.
fn choose_heading(fields: &mut Vec<Field<'_>>) {
    let used: Vec<usize> = fields
        .iter()
        .filter_map(|field| if let Field::Same(index, _) = field { Some(*index) } else { None })
        .collect();
    let mut best: Option<(usize, usize, usize)> = None;
    let others = fields.iter().filter(|field| matches!(field, Field::Value(..))).count();
    let candidates = fields.iter().enumerate().filter(|(index, _)| !used.contains(index));
    for (index, field) in candidates.take(HEADED_FIELDS) {
        let Field::Value(cells, None) = field else { continue };
        for (number, cut) in CUTS.iter().enumerate() {
            if number == CUTS.len() - 1 && others < 2 {
                continue;
            }
            let (mut spent, mut saved, mut last) = (0, 0, None);
            let mut length = 0;
            for cell in cells {
                let head = &cell[..cut(cell)];
                if last != Some(head) {
                    length = cost(head);
                    spent += length + 2;
                    last = Some(head);
                }
                saved += length;
            }
            if saved > spent + LEAST_SAVED && best.is_none_or(|(most, _, _)| saved - spent > most) {
                best = Some((saved - spent, index, number));
            }
        }
    }
    let Some((_, index, number)) = best else { return };
    let tail = fields.split_off(index + 1);
    let Some(Field::Value(cells, _)) = fields.pop() else { return };
    let heads = cells.iter().map(|cell| &cell[..CUTS[number](cell)]).collect();
    let rests: Vec<&str> = cells.iter().map(|cell| &cell[CUTS[number](cell)..]).collect();
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

struct Writer<'a> {
    template: String,
    values: Vec<Vec<&'a str>>,
    headings: Option<Vec<&'a str>>,
    is_list: bool,
}

impl<'a> Writer<'a> {
    fn new(fields: Vec<Field<'a>>) -> Self {
        let mut numbers = vec![0; fields.len()];
        let mut values = Vec::new();
        let mut headings = None;
        let mut pieces = Vec::new();
        for (index, field) in fields.into_iter().enumerate() {
            match field {
                Field::Text(text) => pieces.push(Piece::Text(text)),
                Field::Count(from, to, fill) => pieces.push(Piece::Count { from, to, fill }),
                Field::Heading(heads) => {
                    headings = Some(heads);
                    pieces.push(Piece::Heading);
                }
                Field::Value(cells, fill) => {
                    values.push(cells);
                    numbers[index] = values.len();
                    pieces.push(Piece::Value { number: values.len(), fill });
                }
                Field::Same(same, fill) => pieces.push(Piece::Value { number: numbers[same], fill }),
            }
        }
        let is_list = values.len() == 1
            && pieces.iter().filter(|piece| matches!(piece, Piece::Value { .. })).count() == 1
            && pieces
                .iter()
                .all(|piece| !matches!(piece, Piece::Value { fill: Some(_), .. } | Piece::Count { .. }))
            && values[0].iter().all(|value| !value.is_empty() && value.len() <= 60 && !value.contains(' '));
        if is_list {
            for piece in &mut pieces {
                if matches!(piece, Piece::Value { .. }) {
                    *piece = Piece::Each;
                }
            }
        }
        Self { template: template::write(&pieces), values, headings, is_list }
    }

    fn write(&self, parts: &[Part<'_>], height: usize) -> Option<String> {
        let mut out = String::new();
        let rows: usize = parts.iter().map(|part| part.times).sum();
        if height == 1 {
            let _ = writeln!(out, "{MARK}{rows} lines: {}", self.template);
        } else {
            let _ = writeln!(out, "{MARK}{rows} times {height} lines:");
            let lines: Vec<&str> = self.template.split('\n').collect();
            if lines.len() != height {
                return None;
            }
            for line in lines {
                let _ = writeln!(
                    out,
                    "{}",
                    if line.is_empty() { MARK.trim_end().to_owned() } else { format!("{MARK}{line}") }
                );
            }
        }
        let mut row = 0;
        let mut heading = "";
        let mut names = Names::default();
        for part in parts {
            if part.whole {
                names.end(&mut out);
                let _ = writeln!(out, "{}{}", value::WHOLE, part.text);
            } else {
                if let Some(headings) = &self.headings
                    && headings[row] != heading
                {
                    names.end(&mut out);
                    heading = headings[row];
                    let _ = writeln!(
                        out,
                        "{}",
                        if heading.is_empty() {
                            MARK.trim_end().to_owned()
                        } else {
                            format!("{MARK}{heading}")
                        }
                    );
                }
                if self.is_list {
                    names.push(&mut out, self.values[0][row]);
                } else if !self.values.is_empty() {
                    let last = self.values.len() - 1;
                    for (index, column) in self.values.iter().enumerate() {
                        if index > 0 {
                            out.push(' ');
                        }
                        if index == last {
                            value::write_last(&mut out, column[row], index == 0);
                        } else {
                            value::write(&mut out, column[row], index == 0);
                        }
                    }
                    out.push('\n');
                }
                row += 1;
            }
            if part.times > 1 {
                names.end(&mut out);
                let _ = writeln!(out, "{MARK}×{}", part.times);
            }
        }
        names.end(&mut out);
        Some(out)
    }
}

/// Names on lines of ten; numbers that count up as a range.
#[derive(Default)]
struct Names {
    on_line: usize,
    range: Option<(u64, u64)>,
}

impl Names {
    fn push(&mut self, out: &mut String, name: &str) {
        let number = integer(name);
        match (&mut self.range, number) {
            (Some((_, to)), Some(number)) if number == *to + 1 => *to = number,
            _ => {
                self.settle(out);
                if let Some(number) = number {
                    self.range = Some((number, number))
                } else {
                    self.put(out, name)
                }
            }
        }
    }

    fn put(&mut self, out: &mut String, name: &str) {
        if self.on_line == NAMES_A_LINE {
            out.push('\n');
            self.on_line = 0;
        } else if self.on_line > 0 {
            out.push(' ');
        }
        // What is like a range and is none stands in quotes.
        if name.split_once("..").is_some_and(|(from, to)| integer(from).is_some() && integer(to).is_some()) {
            let _ = write!(out, "\"{name}\"");
        } else {
            value::write(out, name, self.on_line == 0);
        }
        self.on_line += 1;
    }

    fn settle(&mut self, out: &mut String) {
        let Some((from, to)) = self.range.take() else { return };
        if to - from >= 2 {
            if self.on_line == NAMES_A_LINE {
                out.push('\n');
                self.on_line = 0;
            } else if self.on_line > 0 {
                out.push(' ');
            }
            let _ = write!(out, "{from}..{to}");
            self.on_line += 1;
        } else {
            for number in from..=to {
                self.put(out, &number.to_string());
            }
        }
    }

    fn end(&mut self, out: &mut String) {
        self.settle(out);
        if self.on_line > 0 {
            out.push('\n');
            self.on_line = 0;
        }
    }
}

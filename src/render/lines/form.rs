//! Forms: the template that lines share, and the values of each line.

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use indexmap::IndexSet;

use super::cost::about;
use super::defaults;
use super::fields::Fields;
use super::grid::{Cut, Grid};
use super::headings;
use super::tails;
use super::template::{self, Piece};
use super::value;

/// A template, and the values of the rows that are written with it.
#[derive(Default)]
pub(super) struct Form<'a> {
    /// Name that each row begins with, where a section has several forms; else empty.
    pub(super) name: &'a str,
    pub(super) template: String,
    /// Values by column.
    pub(super) values: Vec<Vec<&'a str>>,
    /// Defaults of the last columns, for rows that end before them.
    defaults: Vec<&'a str>,
    /// Which values need not be written, because they are known from a row above; by column and row.
    known: Vec<Vec<bool>>,
    pub(super) headings: Option<Vec<&'a str>>,
    pub(super) is_list: bool,
    /// Whether a hole stands behind several words of the template.
    spread: bool,
}

/// Longest name in a list, in bytes.
const LONGEST_NAME: usize = 60;
/// Tokens that a column must save by leaving out known values.
const LEAST_KNOWN: usize = 12;
/// Shortest value that may be left out as known, in bytes.
const SHORTEST_KNOWN: usize = 5;
/// Rows after which a column without any known value is given up.
const JUDGED: usize = 256;

impl<'a> Form<'a> {
    /// The form of these rows, or `None` where `cut` does not suit them. Of a form with a name also its fields, because
    /// headings are chosen for several forms together.
    pub(super) fn of(rows: &[&'a str], cut: Cut, name: &'a str) -> Option<(Self, Fields<'a>)> {
        let mut fields = Fields::of(&Grid::of(rows, cut.split)?, cut.keeps_end);
        let mut kept = Fields::default();
        if name.is_empty() {
            headings::choose(&mut fields);
        } else {
            kept.clone_from(&fields);
        }
        Some((Self::best(fields, name), kept))
    }

    /// The form of these fields. Endings that most values share become columns of their own where that saves tokens.
    pub(super) fn best(fields: Fields<'a>, name: &'a str) -> Self {
        let rows = fields.values.first().map_or(0, Vec::len);
        let apart = tails::apart(&fields).map(|fields| Self::new(fields, name));
        let form = Self::new(fields, name);
        let tokens = |form: &Self| form.about_tokens(rows);
        apart.filter(|apart| !apart.defaults.is_empty() && tokens(apart) < tokens(&form)).unwrap_or(form)
    }

    fn new(fields: Fields<'a>, name: &'a str) -> Self {
        let Fields { mut pieces, mut values, headings } = fields;
        // The columns of a row stand in the order of the template.
        let order: IndexSet<usize, FixedState> =
            pieces.iter().filter_map(|piece| piece.number()?.checked_sub(1)).collect();
        reorder(&mut pieces, &mut values, order);
        let mut form = Self { name, values, headings, ..Self::default() };
        form.is_list = form.suits_list(&pieces);
        form.know();
        if form.is_list {
            for piece in &mut pieces {
                if let Piece::Value { headed: false, number, .. } = piece {
                    *number = 0;
                }
            }
        } else {
            form.leave_out(&mut pieces);
        }
        form.spread = is_spread(&pieces);
        form.template = template::write(&pieces);
        form
    }

    /// Whether the values can stand in a list of names.
    fn suits_list(&self, pieces: &[Piece]) -> bool {
        let [names] = self.values.as_slice() else { return false };
        let is_name = |value: &&str| !value.is_empty() && value.len() <= LONGEST_NAME && !value.contains(' ');
        let is_text = |piece: &Piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty());
        let is_other = |piece: &Piece| matches!(piece, Piece::Count { .. }) || is_headed(piece, 1);
        self.name.is_empty()
            && (pieces.iter().any(is_text) || self.headings.is_some())
            && pieces.iter().filter(|piece| is_value(piece, 1)).count() == 1
            && !pieces.iter().any(is_other)
            && names.iter().all(is_name)
    }

    /// Finds the values that need not be written again.
    fn know(&mut self) {
        let known = |column: usize| match column.checked_sub(1) {
            Some(before) if !self.is_list && column < self.plain() => {
                known(&self.values[before], &self.values[column])
            }
            _ => Vec::new(),
        };
        self.known = (0..self.values.len()).map(known).collect();
    }

    /// Number of columns that every row writes.
    fn plain(&self) -> usize {
        self.values.len() - self.defaults.len()
    }

    /// Moves columns that nearly always hold the same value to the end of the rows, where most rows leave them out.
    /// A column behind headings stays where it is.
    fn leave_out(&mut self, pieces: &mut [Piece]) {
        let may = |column: usize| {
            let is_headed = pieces.iter().any(|piece| is_headed(piece, column + 1));
            !is_headed && !self.is_in_text(pieces, column + 1)
        };
        let found = defaults::candidates(&self.values, may);
        if found.is_empty() {
            return;
        }
        let rows = defaults::judged(&self.values);
        let cost = |column: usize| (0..rows).map(|row| self.value_tokens(column, row)).collect();
        let costs: Vec<Vec<usize>> = (0..self.values.len()).map(cost).collect();
        let defaults = defaults::choose(&self.values, &costs, &found);
        if defaults.is_empty() {
            return;
        }
        let is_default = |column: &usize| defaults.iter().any(|default| default.column == *column);
        let others = (0..self.values.len()).filter(|column| !is_default(column));
        let order: Vec<usize> = others.chain(defaults.iter().map(|default| default.column)).collect();
        reorder(pieces, &mut self.values, order);
        self.defaults = defaults.iter().map(|default| default.value).collect();
        let plain = self.plain();
        for piece in pieces {
            if let Piece::Value { number, default, .. } = piece {
                *default = number.checked_sub(plain + 1).map(|index| self.defaults[index].to_owned());
            }
        }
        self.know();
    }

    /// Whether the value is part of a word or stands before one: no word of a sentence is moved to the end of its row.
    fn is_in_text(&self, pieces: &[Piece], wanted: usize) -> bool {
        let is_word = |value: &&&str| value.starts_with(|char: char| char.is_ascii_alphabetic());
        (0..pieces.len()).filter(|&at| is_value(&pieces[at], wanted)).any(|at| match &pieces[at + 1..] {
            [Piece::Text(gap), Piece::Value { headed: false, number, fill: None, .. }, ..] if gap == " " => {
                let values = &self.values[number - 1];
                values.iter().filter(is_word).count() * 2 > values.len()
            }
            [Piece::Text(_), ..] | [] => false,
            _ => true,
        })
    }

    /// Estimated tokens of one value in its row.
    fn value_tokens(&self, column: usize, row: usize) -> usize {
        let value = self.values[column][row];
        // Blanks at either end of a value are hard to read.
        let blanks = 2 * usize::from(value.starts_with(' ') || value.ends_with(' '));
        blanks
            + if self.known[column].get(row) == Some(&true) {
                2
            } else {
                about(value)
                    + usize::from(column > 0 && value.starts_with(|char: char| char.is_ascii_digit()))
            }
    }

    /// Number of values that a row writes: defaults at its end are left out.
    fn written(&self, row: usize) -> usize {
        let plain = self.plain();
        let differs = |index: &usize| self.values[plain + index][row] != self.defaults[*index];
        (0..self.defaults.len()).rev().find(differs).map_or(plain, |index| plain + index + 1)
    }

    /// Whether the rows have no values and no headings.
    pub(super) fn is_silent(&self) -> bool {
        self.values.is_empty() && self.headings.is_none()
    }

    /// Estimated tokens of the template and of `rows` rows, without the headings.
    pub(super) fn about_tokens(&self, rows: usize) -> usize {
        let mut tokens = about(&self.template) + 6 + usize::from(!self.is_list) * rows;
        let quoted = (!self.defaults.is_empty()).then(|| self.plain().wrapping_sub(1));
        for row in 0..self.values.first().map_or(0, Vec::len) {
            for (index, column) in self.values.iter().enumerate().take(self.written(row)) {
                tokens += self.value_tokens(index, row);
                tokens += 2 * usize::from(quoted == Some(index) && column[row].contains(' '));
            }
        }
        tokens
    }

    /// Estimated tokens of the headings, if no other form stands between the rows.
    pub(super) fn heading_tokens(&self) -> usize {
        let mut last = "";
        let headings = self.headings.iter().flatten();
        headings
            .filter(|heading| std::mem::replace(&mut last, heading) != **heading)
            .map(|heading| about(heading) + 2)
            .sum()
    }

    /// Whether the template says why a command failed and the rows do not show that.
    pub(super) fn hides_reason(&self, why: fn(&[u8]) -> bool) -> bool {
        why(self.template.as_bytes()) && (self.spread || !why(self.name.as_bytes()))
    }

    /// Whether the form takes apart a sentence that says why a command failed.
    pub(super) fn spreads_reason(&self, why: fn(&[u8]) -> bool) -> bool {
        self.spread && why(self.template.as_bytes())
    }

    /// Appends the values of a row. They begin the line unless the form has a name.
    pub(super) fn write_row(&self, out: &mut String, row: usize) {
        let last = self.values.len().wrapping_sub(1);
        for (index, column) in self.values.iter().enumerate().take(self.written(row)) {
            let is_first = index == 0 && self.name.is_empty();
            if !is_first {
                out.push(' ');
            }
            if self.known[index].get(row) == Some(&true) {
                out.push_str(value::KNOWN);
            } else {
                value::write(out, column[row], is_first, index == last);
            }
        }
    }
}

/// Puts the columns into this order, and numbers the pieces by it; other columns go.
fn reorder(pieces: &mut [Piece], values: &mut Vec<Vec<&str>>, order: impl IntoIterator<Item = usize>) {
    let mut old = std::mem::take(values);
    // Number 0 stays.
    let mut numbers = vec![0; old.len() + 1];
    for column in order {
        values.push(std::mem::take(&mut old[column]));
        numbers[column + 1] = values.len();
    }
    for piece in pieces {
        if let Piece::Value { number, .. } = piece {
            *number = numbers[*number];
        }
    }
}

fn is_value(piece: &Piece, wanted: usize) -> bool {
    matches!(piece, Piece::Value { headed: false, number, .. } if *number == wanted)
}

/// The same behind a heading.
fn is_headed(piece: &Piece, wanted: usize) -> bool {
    matches!(piece, Piece::Value { headed: true, number, .. } if *number == wanted)
}

/// Whether a hole stands behind a text of several words.
fn is_spread(pieces: &[Piece]) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_sentence = |text: &str| {
        let mut words = text.split(' ').map(|word| is_word(word.trim_matches(['\'', '"', ':', ',', '.'])));
        let mut last = false;
        words.any(|word| std::mem::replace(&mut last, word) && word)
    };
    let first = pieces.iter().position(|piece| matches!(piece, Piece::Text(text) if is_sentence(text)));
    first.is_some_and(|first| {
        pieces[first..].iter().any(|piece| !matches!(piece, Piece::Text(_) | Piece::Count { .. }))
    })
}

/// For each row, whether its value is known and need not be written; empty where that saves too little. A value is
/// known if it last stood beside the same value of the column before, or if it equals the value of the row above and
/// nothing else is known. All rows go by the same one of these two rules, so that a reader looks in one place.
fn known(before: &[&str], values: &[&str]) -> Vec<bool> {
    if values.iter().all(|value| value.len() < SHORTEST_KNOWN) {
        return Vec::new();
    }
    let mut last: HashMap<&str, &str, FixedState> = HashMap::default();
    let mut ways = [Vec::with_capacity(values.len()), Vec::with_capacity(values.len())];
    let mut saved = [0; 2];
    for (row, (before, value)) in before.iter().zip(values).enumerate() {
        if row == JUDGED && saved == [0; 2] {
            return Vec::new();
        }
        let beside = last.insert(before, value);
        let above = row > 0 && values[row - 1] == *value && beside.is_none_or(|beside| beside == *value);
        let tokens = if value.len() < SHORTEST_KNOWN { 0 } else { about(value) };
        for (way, same) in [beside == Some(value), above].into_iter().enumerate() {
            ways[way].push(same && tokens > 2);
            saved[way] += if same { tokens.saturating_sub(2) } else { 0 };
        }
    }
    let way = usize::from(saved[1] > saved[0]);
    let known = std::mem::take(&mut ways[way]);
    let often = known.iter().filter(|&&known| known).count() * 3 > known.len();
    if saved[way] < LEAST_KNOWN || !often { Vec::new() } else { known }
}

//! Reads the rows of a section: their forms, and the values that stand on a line.

use std::borrow::Cow;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::template::Piece;
use super::value;

/// A result whose error says what is wrong.
pub(super) type Step<T> = Result<T, &'static str>;

/// The last value of a column, by the value in the column before.
type Known<'a> = HashMap<Cow<'a, str>, Cow<'a, str>, FixedState>;

/// The templates that lines have in common, and the rows read so far.
pub(super) struct Form<'a> {
    pub(super) name: &'a str,
    pub(super) templates: Vec<Vec<Piece>>,
    values: usize,
    /// The default of each value, where a row ends before it.
    defaults: Vec<Option<String>>,
    pub(super) is_list: bool,
    /// Whether its rows say nothing, and are not written.
    pub(super) is_silent: bool,
    pub(super) row: u64,
    /// The values of all rows, one row behind the other.
    pub(super) rows: Vec<Cow<'a, str>>,
    /// For each column, once a row leaves its value out: each value by the one before it in its row, and the number of
    /// rows that were entered.
    known: Vec<(Known<'a>, usize)>,
}

/// Most values of a row. More are a mistake.
const MOST_VALUES: usize = 4096;

impl<'a> Form<'a> {
    pub(super) fn of(name: &'a str, templates: Vec<Vec<Piece>>) -> Step<Self> {
        let pieces = || templates.iter().flatten();
        let values = pieces().filter_map(Piece::number).max();
        let is_silent = values.is_none();
        let values = values.unwrap_or(0);
        let is_list = pieces().any(|piece| matches!(piece, Piece::Value { headed: false, number: 0, .. }));
        if values > MOST_VALUES || is_list && values > 0 {
            return Err("no template has such values");
        }
        let mut defaults = vec![None; values];
        for piece in pieces() {
            if let Piece::Value { number, default: Some(default), .. } = piece {
                defaults[number - 1] = Some(default.clone());
            }
        }
        Ok(Self {
            name,
            defaults,
            values,
            is_list,
            is_silent,
            row: 0,
            rows: Vec::new(),
            known: vec![(HashMap::default(), 0); values],
            templates,
        })
    }

    /// Appends the values that stand on a line to `values`.
    pub(super) fn read_row(&mut self, line: &'a str, values: &mut Vec<Cow<'a, str>>) -> Step<()> {
        const WRONG: &str = "a value cannot be read";
        let mut rest = line;
        if self.values == 0 && !line.is_empty() {
            return Err("this form has no values");
        }
        for number in 1..=self.values {
            if rest.is_empty()
                && let Some(default) = &self.defaults[number - 1]
            {
                values.push(default.clone().into());
                continue;
            }
            let is_last = number == self.values;
            let behind = rest.strip_prefix(value::KNOWN);
            let behind = behind.filter(|rest| rest.is_empty() || rest.starts_with(' ') && !is_last);
            let value = if let (Some(behind), Some(before)) = (behind, values.last()) {
                rest = behind.strip_prefix(' ').unwrap_or(behind);
                self.known(number - 1, before).ok_or("nothing stands above to which this refers")?
            } else if is_last {
                value::read_last(rest).ok_or(WRONG)?
            } else {
                let (value, behind) = value::read(rest).ok_or(WRONG)?;
                rest = behind;
                value
            };
            values.push(value);
        }
        Ok(())
    }

    /// The value that stood in `column` when `before` last stood in the column before it; if it never did, the last
    /// value of `column`.
    fn known(&mut self, column: usize, before: &str) -> Option<Cow<'a, str>> {
        let (known, rows) = &mut self.known[column];
        let width = self.values;
        for row in self.rows[*rows * width..].chunks_exact(width) {
            known.insert(row[column - 1].clone(), row[column].clone());
        }
        *rows = self.rows.len() / width;
        known.get(before).or_else(|| Some(&self.rows.chunks_exact(width).last()?[column])).cloned()
    }
}

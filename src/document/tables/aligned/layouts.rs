//! The ways in which tools lay a table out, each with a rule of its own to read it by. Where one of them explains all rows
//! and reads them otherwise, nothing tells who is right.

use std::ops::Range;

use super::cells::Cell;
use super::gutters::{Column, Joint, joints};
use super::words::{Measure, Word};

/// Most blanks between two words of a padded cell.
const MOST_BLANKS: usize = 3;

/// A way to lay a table out that explains all rows so far.
pub struct Layout {
    pub measure: Measure,
    names: Vec<Word>,
    /// Least number of blanks between columns whose cells all begin where the name does, as Go's tabwriter and pip pad them.
    /// `None`: each column is a word, padded on the left or on the right, and a blank; one that is too long moves the rest
    /// of its line, as with C's printf.
    gutter: Option<usize>,
    /// The cells of the row at hand.
    row: Vec<Cell>,
    /// Whether it reads a row otherwise.
    pub differs: bool,
}

impl Layout {
    /// The layouts that a header may belong to.
    pub fn all(text: &str, header: &[Word], underline: &[Word], measure: Measure) -> Vec<Self> {
        let joints = joints(text, header, underline);
        let layout = |between: &[Joint], gutter| {
            let mut names = vec![header[0]];
            for (joint, word) in joints.iter().zip(&header[1..]) {
                match names.last_mut() {
                    Some(name) if !between.contains(joint) => (name.end, name.to) = (word.end, word.to),
                    _ => names.push(*word),
                }
            }
            Self { measure, names, gutter, row: Vec::new(), differs: false }
        };
        if underline.is_empty() {
            vec![layout(&[Joint::Between], Some(2)), layout(&[Joint::Between, Joint::Open], None)]
        } else {
            vec![layout(&[Joint::Between], Some(1))]
        }
    }

    /// Reads a row by its words and its end, and compares the cells with those that were read by columns. `false` where it
    /// is no row of this layout.
    pub fn explains(&mut self, words: &[Word], end: usize, row: &[Cell], columns: &[Column]) -> bool {
        self.row.clear();
        let is_row = match self.gutter {
            Some(gutter) => padded(&self.names, gutter, words, &mut self.row),
            None => moved(&self.names, words, &mut self.row),
        };
        if let Some((column, cell)) = self.row.last_mut()
            && *column + 1 == self.names.len()
        {
            cell.end = end;
        }
        let named = |name: &Word, cell: &Range<usize>| (name.start, name.end, cell.start, cell.end);
        let own = self.row.iter().map(|(column, cell)| named(&self.names[*column], cell));
        self.differs |= !own.eq(row.iter().map(|(column, cell)| named(&columns[*column].name, cell)));
        is_row
    }
}

/// Reads a row of padded cells; `false` where it is none.
fn padded(names: &[Word], gutter: usize, mut words: &[Word], row: &mut Vec<Cell>) -> bool {
    for (column, name) in names.iter().enumerate() {
        let stop = names.get(column + 1).map(|next| next.from);
        let (cell, rest) =
            words.split_at(words.partition_point(|word| stop.is_none_or(|stop| word.from < stop)));
        words = rest;
        let ([first, ..], [.., last]) = (cell, cell) else { continue };
        let is_torn = cell.windows(2).any(|pair| pair[1].from - pair[0].to > MOST_BLANKS);
        if first.from != name.from || stop.is_some_and(|stop| is_torn || last.to + gutter > stop) {
            return false;
        }
        row.push((column, first.start..last.end));
    }
    true
}

/// Reads a row of a word a column, which is moved by what is too long; `false` where it is none.
fn moved(names: &[Word], words: &[Word], row: &mut Vec<Cell>) -> bool {
    let signed = |column: usize| column.cast_signed();
    // How far the rest of the line has been moved at least and at most: where a column begins before its name is unknown.
    let (mut least, mut most) = (0, 0);
    words.len() >= names.len()
        && names.iter().zip(words).enumerate().all(|(column, (name, word))| {
            row.push((column, word.start..word.end));
            let (left, right) = (signed(word.from) - signed(name.from), signed(word.to) - signed(name.to));
            let is_left = left == least;
            let is_right = right >= least && (right <= most || left <= most);
            (least, most) = match names.get(column + 1) {
                Some(next) if is_left => {
                    (least.max(signed(word.to) + 1 - signed(next.from)), least.max(right))
                }
                _ => (right, right),
            };
            is_left || is_right
        })
}

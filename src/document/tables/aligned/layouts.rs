//! The ways in which tools lay a table out, each with a rule of its own to read it by. Where one of them explains all rows
//! and reads them otherwise, nothing tells who is right.

use std::ops::Range;

use super::cells::Cell;
use super::gutters::{Column, Joint, joints};
use super::words::{Measure, Word};

/// Most blanks between two words of a padded cell.
const MOST_BLANKS: usize = 3;

/// A way to lay a table out, as far as its rows have been seen.
pub struct Layout {
    pub measure: Measure,
    names: Vec<Word>,
    rule: Rule,
    /// Cells of the row at hand by this rule.
    row: Vec<Cell>,
    /// Whether it reads a row otherwise.
    pub differs: bool,
}

enum Rule {
    /// Go's tabwriter, pip: all cells begin where the name does, and end so many blanks before the next column.
    Padded { blanks: usize },
    /// C's printf: each column a word that is padded on the left or on the right, and a blank; what is too long moves the
    /// rest of the line. Of each column whether it may be padded on the right, or on the left.
    Moved { sides: Vec<(bool, bool)> },
}

impl Layout {
    /// The layouts that a header may belong to.
    pub fn all(text: &str, header: &[Word], underline: &[Word], measure: Measure) -> Vec<Self> {
        let joints = joints(text, header, underline);
        let names = |is_between: fn(Joint) -> bool| {
            let mut names = vec![header[0]];
            for (joint, word) in joints.iter().zip(&header[1..]) {
                match names.last_mut() {
                    Some(name) if !is_between(*joint) => (name.end, name.to) = (word.end, word.to),
                    _ => names.push(*word),
                }
            }
            names
        };
        let layout = |names, rule| Self { measure, names, rule, row: Vec::new(), differs: false };
        let blanks = if underline.is_empty() { 2 } else { 1 };
        let padded = layout(names(|joint| joint == Joint::Between), Rule::Padded { blanks });
        let names = names(|joint| joint != Joint::Within);
        let sides = vec![(true, true); names.len()];
        let moved = underline.is_empty().then(|| layout(names, Rule::Moved { sides }));
        std::iter::once(padded).chain(moved).collect()
    }

    /// Reads a row by its words and its end, and compares the cells with those that were read by columns. `false` where it
    /// is no row of this layout.
    pub fn explains(&mut self, words: &[Word], end: usize, row: &[Cell], columns: &[Column]) -> bool {
        self.row.clear();
        let is_row = match &mut self.rule {
            Rule::Padded { blanks } => padded(&self.names, *blanks, words, &mut self.row),
            Rule::Moved { sides } => moved(&self.names, sides, words, &mut self.row),
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
fn padded(names: &[Word], blanks: usize, mut words: &[Word], row: &mut Vec<Cell>) -> bool {
    for (column, name) in names.iter().enumerate() {
        let stop = names.get(column + 1).map(|next| next.from);
        let (cell, rest) =
            words.split_at(words.partition_point(|word| stop.is_none_or(|stop| word.from < stop)));
        words = rest;
        let ([first, ..], [.., last]) = (cell, cell) else { continue };
        let is_torn = cell.windows(2).any(|pair| pair[1].from - pair[0].to > MOST_BLANKS);
        if first.from != name.from || stop.is_some_and(|stop| is_torn || last.to + blanks > stop) {
            return false;
        }
        row.push((column, first.start..last.end));
    }
    true
}

/// Reads a row of a word a column, which is moved by what is too long; `false` where it is none.
fn moved(names: &[Word], sides: &mut [(bool, bool)], words: &[Word], row: &mut Vec<Cell>) -> bool {
    // How far the rest of the line has been moved at least and at most: where a column begins before its name is unknown.
    let (mut least, mut most) = (0, 0);
    words.len() >= names.len()
        && names.iter().zip(words).enumerate().all(|(column, (name, word))| {
            row.push((column, word.start..word.end));
            let (left, right) =
                (word.from as isize - name.from as isize, word.to as isize - name.to as isize);
            let is_over = right > least && left <= most;
            let is_left = left == least;
            let side = &mut sides[column];
            side.0 &= is_left;
            side.1 &= (least..=most).contains(&right) || is_over;
            (least, most) = match names.get(column + 1) {
                Some(next) if is_left => {
                    (least.max(word.to as isize + 1 - next.from as isize), least.max(right))
                }
                _ => (right, right),
            };
            side.0 || side.1
        })
}

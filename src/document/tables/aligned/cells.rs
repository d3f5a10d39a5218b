//! The cells of rows, once the columns are known; and the ways in which tools lay a table out, each with a rule of its
//! own to read it by. Where one of them explains all rows and reads them otherwise, nothing tells who is right.

use std::ops::Range;

use super::gutters::{Column, Joint, is_word_by_word, joints};
use super::words::{Measure, Word, find, line_at};

/// The number of a column, and the place of a cell in it.
pub type Cell = (usize, Range<usize>);

/// Most blanks between two words of a cell.
const MOST_BLANKS: usize = 2;
/// Rows by which the header is judged.
const JUDGED: usize = 64;

/// How the cells of a column stand under its name.
#[derive(Clone, Copy)]
struct Alignment {
    /// Whether all begin where the name begins.
    left: bool,
    /// The column in which all end.
    right: Option<usize>,
}

/// What the first cells of a column have in common.
#[derive(Clone, Copy, Default)]
pub struct Cells {
    pub count: usize,
    /// Those with a digit, and those that begin with one.
    pub with_digit: usize,
    pub numbers: usize,
    /// Those of several words.
    pub with_blank: usize,
}

/// Reads the rows of a table into its cells.
pub struct Reader<'a> {
    text: &'a str,
    columns: &'a [Column],
    names: Vec<Word>,
    measure: Measure,
    alignments: Vec<Alignment>,
    /// The cells of the row at hand: number of the column, place.
    row: Vec<Cell>,
    words: Vec<Word>,
    /// Whether every row had one word a column, but in the last.
    is_regular: bool,
    /// Least number of words that are found in a row, if it has them; whether all of them are ASCII.
    least: usize,
    is_ascii: bool,
    pub rows: usize,
    /// Rows with two cells or more, and rows with a small letter or a digit, among those judged.
    pub wide: usize,
    pub lively: usize,
    /// Whether the first row has capitals, and neither a small letter nor a digit.
    pub begins_like_header: bool,
    pub cells: Vec<Cells>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str, columns: &'a [Column], measure: Measure, least: usize) -> Self {
        Self {
            text,
            columns,
            names: columns.iter().map(|column| column.name).collect(),
            measure,
            alignments: vec![Alignment { left: true, right: None }; columns.len()],
            row: Vec::new(),
            words: Vec::new(),
            is_regular: true,
            least,
            is_ascii: true,
            rows: 0,
            wide: 0,
            lively: 0,
            begins_like_header: false,
            cells: vec![Cells::default(); columns.len()],
        }
    }

    /// Reads the row that begins at `at`: its cells, and where the next line begins.
    pub fn next(&mut self, at: usize) -> Option<(&[Cell], usize)> {
        let (line, next) = line_at(self.text, at);
        let limit = self.names[self.names.len() - 1].from;
        self.is_ascii = find(self.text, &line, (limit, self.least), self.measure, &mut self.words)?;
        // Rows that were a word a column so far stay so where one of them is moved.
        self.is_regular = self.is_regular && is_word_by_word(&self.words, &self.names);
        if self.words.is_empty() || !(self.by_gutters(&line) || self.is_regular && self.by_words(&line)) {
            return None;
        }
        if self.rows < JUDGED {
            self.judge(&line);
        }
        self.rows += 1;
        Some((&self.row, next))
    }

    /// Has a layout read the row at hand, which begins at `at`, too: `false` where that is none of its rows.
    pub fn is_explained(&mut self, at: usize, layout: &mut Layout) -> bool {
        let line = line_at(self.text, at).0;
        let limits = (self.names[self.names.len() - 1].from, self.least);
        if !self.is_ascii && find(self.text, &line, limits, layout.measure, &mut self.words).is_none() {
            return false;
        }
        layout.explains(&self.words, line.end, &self.row, self.columns)
    }

    /// Takes the cells between the gutters; `false` where a word stands across one, or cells are not aligned.
    fn by_gutters(&mut self, line: &Range<usize>) -> bool {
        self.row.clear();
        let last = self.columns.len() - 1;
        let (mut column, mut at, mut astray) = (0, 0, 0);
        while at < self.words.len() {
            while column < last && self.columns[column + 1].from <= self.words[at].from {
                column += 1;
            }
            let begin = at;
            let stop = if column < last { self.columns[column + 1].from } else { usize::MAX };
            while at < self.words.len() && self.words[at].from < stop {
                at += 1;
            }
            let mut cell =
                Word { end: self.words[at - 1].end, to: self.words[at - 1].to, ..self.words[begin] };
            // Wide blanks do not stand in a text, but between columns.
            let is_torn =
                || self.words[begin..at].windows(2).any(|pair| pair[1].from - pair[0].to > MOST_BLANKS);
            if cell.to > stop || column < last && is_torn() {
                return false;
            }
            if column == last {
                cell.end = line.end;
            }
            let Some(is_aligned) = self.align(column, &mut cell, at - begin) else { return false };
            astray += usize::from(!is_aligned);
            self.row.push((column, cell.start..cell.end));
        }
        let is_note = matches!(self.row[..], [(0, _)]) && self.words.len() > 1;
        !is_note && (astray == 0 || astray == 1 && self.row.len() == self.columns.len() && last > 2)
    }

    /// Whether a cell stands where the others of its column do; `None` where it may not be read at all. Marks of a tree
    /// in front belong to the cell with their blanks.
    fn align(&mut self, column: usize, cell: &mut Word, words: usize) -> Option<bool> {
        let name = self.columns[column].name;
        let is_last = column + 1 == self.columns.len();
        let alignment = &mut self.alignments[column];
        let begins = cell.from == name.from;
        let is_under = cell.to > name.from && cell.from < name.to;
        let ends = is_under && alignment.right.is_none_or(|end| end == cell.to) && (words == 1 || !is_last);
        if alignment.left && begins || ends {
            *alignment = Alignment {
                left: alignment.left && begins,
                right: Some(if ends { cell.to } else { usize::MAX }),
            };
            return Some(true);
        }
        let mark = self.text[cell.start..].chars().next()?;
        if alignment.left && cell.from > name.from && (matches!(mark, '\\' | '|' | '`') || is_drawn(mark)) {
            cell.start -= cell.from - name.from;
            return Some(true);
        }
        if alignment.left && column == 0 && is_under && (mark == '*' || is_drawn(mark)) {
            return Some(true);
        }
        // A single word in the middle of a row may stand beside the others of its column.
        (is_under && words == 1 && column > 0 && !is_last).then_some(false)
    }

    /// Takes a word for each column but the last, which takes the rest of the line.
    fn by_words(&mut self, line: &Range<usize>) -> bool {
        self.row.clear();
        if self.rows < 2 {
            return false;
        }
        let last = self.names.len() - 1;
        self.row.extend(self.words[..last].iter().map(|word| word.start..word.end).enumerate());
        self.row.push((last, self.words[last].start..line.end));
        true
    }

    fn judge(&mut self, line: &Range<usize>) {
        self.wide += usize::from(self.row.len() > 1);
        let is_lively = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let text = &self.text.as_bytes()[line.clone()];
        let is_row_lively = text.iter().any(is_lively);
        self.lively += usize::from(is_row_lively);
        if self.rows == 0 {
            self.begins_like_header = !is_row_lively && text.iter().any(u8::is_ascii_uppercase);
        }
        for (column, cell) in &self.row {
            let (cells, text) = (&mut self.cells[*column], &self.text.as_bytes()[cell.clone()]);
            cells.count += 1;
            cells.with_digit += usize::from(text.iter().any(u8::is_ascii_digit));
            cells.numbers += usize::from(text[0].is_ascii_digit());
            cells.with_blank += usize::from(text.contains(&b' '));
        }
    }
}

/// Lines of trees (`├─`) and marks of states (`●`).
fn is_drawn(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{25FF}' | '×')
}

/// Most blanks between two words of a padded cell.
const MOST_PADDING: usize = 3;

/// Most joints of one blank in a header of which all ways to part columns are tried.
const MOST_OPEN: usize = 4;

/// A way to lay a table out that explains all rows so far.
pub struct Layout {
    pub measure: Measure,
    names: Vec<Word>,
    /// Least number of blanks between columns whose cells all begin where the name does, as Go's tabwriter and pip pad
    /// them. `None`: each column is a word, padded on the left or on the right, and a blank; one that is too long moves
    /// the rest of its line, as with C's printf.
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
        // Which of the open joints part two columns: a bit each.
        let layout = |parted: u32, gutter| {
            let (mut names, mut bit) = (vec![header[0]], 1);
            for (joint, word) in joints.iter().zip(&header[1..]) {
                let is_parted = *joint == Joint::Between || *joint == Joint::Open && parted & bit != 0;
                if *joint == Joint::Open {
                    bit = bit.rotate_left(1);
                }
                match names.last_mut() {
                    Some(name) if !is_parted => (name.end, name.to) = (word.end, word.to),
                    _ => names.push(*word),
                }
            }
            Self { measure, names, gutter, row: Vec::new(), differs: false }
        };
        if !underline.is_empty() {
            return vec![layout(0, Some(1))];
        }
        let open = joints.iter().filter(|joint| **joint == Joint::Open).count();
        let parted = if open > MOST_OPEN { vec![u32::MAX] } else { (0..1 << open).collect() };
        let moved = parted.into_iter().map(|parted| layout(parted, None));
        [layout(0, Some(2))].into_iter().chain(moved).collect()
    }

    /// Of columns as they were read, where what is too long moves the rest of its line.
    pub fn of(columns: &[Column], header: &[Word], measure: Measure) -> Self {
        let name = |column: &Column| {
            let mut words = header.iter().skip_while(|word| word.start < column.name.start);
            let first = words.next().copied().unwrap_or(column.name);
            let last = words.take_while(|word| word.end <= column.name.end).last().copied().unwrap_or(first);
            Word { end: last.end, to: last.to, ..first }
        };
        let names = columns.iter().map(name).collect();
        Self { measure, names, gutter: None, row: Vec::new(), differs: false }
    }

    /// Reads a row by its words and its end, and compares the cells with those that were read by columns. `false` where
    /// it is no row of this layout.
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
        let is_torn = cell.windows(2).any(|pair| pair[1].from - pair[0].to > MOST_PADDING);
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
    // How far the rest of the line has been moved at least and at most: where a column begins before its name is
    // unknown.
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

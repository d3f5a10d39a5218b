//! Which blanks of a header separate columns: those that are blank in all rows, too.

use std::ops::Range;

use super::words::{Measure, Word, find, line_at};

/// Rows in which blanks within a cell are no chance.
const MANY: usize = 8;

/// The blanks between two words of a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// One blank, which has been blank in all rows: between two columns, or within the name of one.
    Open,
    /// Within a name.
    Within,
    /// Between two columns.
    Between,
}

/// A column: the words of its name, and where its cells may begin.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    pub name: Word,
    pub from: usize,
}

/// What the header and the rows so far have in common.
pub struct Gutters<'a> {
    header: &'a [Word],
    joints: Vec<Joint>,
    /// Columns of the terminal that the header or a row covers, up to the end of the header.
    covered: Vec<bool>,
    /// Those that a row covers.
    filled: Vec<bool>,
    /// Of each joint the columns that nothing covers, and those among them that the row at hand covers.
    free: Vec<usize>,
    taken: Vec<usize>,
    /// Of each joint the first blanks that may fill a column up, and in how many rows there are some.
    blanks_seen: Vec<Option<(usize, usize, usize)>>,
    /// Whether every row had one word a column, but in the last.
    is_regular: bool,
    /// Number of rows.
    pub rows: usize,
    /// Whether all of them are ASCII.
    pub is_ascii: bool,
    /// Where the line behind them begins.
    pub end: usize,
}

impl<'a> Gutters<'a> {
    /// `underline`: the runs of dashes below the header, where there are several.
    pub fn new(text: &str, header: &'a [Word], underline: &[Word]) -> Self {
        let width = header[header.len() - 1].to;
        let mut covered = vec![false; width];
        for word in header {
            covered[word.from..word.to].fill(true);
        }
        let free: Vec<usize> = header.windows(2).map(|pair| pair[1].from - pair[0].to).collect();
        Self {
            header,
            joints: joints(text, header, underline),
            covered,
            filled: vec![false; width],
            taken: vec![0; free.len()],
            blanks_seen: vec![None; free.len()],
            free,
            is_regular: true,
            rows: 0,
            is_ascii: true,
            end: 0,
        }
    }

    /// Reads rows from `at` on, up to a line that is none.
    pub fn gather(&mut self, text: &str, at: usize, measure: Measure, is_end: impl Fn(&str) -> bool) {
        let mut words = Vec::new();
        self.end = at;
        while self.end < text.len() {
            let (line, next) = line_at(text, self.end);
            if is_end(&text[line.clone()]) {
                return;
            }
            let Some(is_ascii) = find(text, &line, (self.limit(), 0), measure, &mut words) else { return };
            self.is_regular = self.is_regular && is_word_by_word(&words, &self.header[..=self.tail()]);
            if !(self.admit(&words) || self.is_regular && self.rows > 1) {
                return;
            }
            self.is_ascii &= is_ascii;
            self.rows += 1;
            self.end = next;
        }
    }

    /// Where the last word of the header begins.
    pub fn limit(&self) -> usize {
        self.header[self.header.len() - 1].from
    }

    /// The first word of the last column's name.
    fn tail(&self) -> usize {
        self.joints.iter().rposition(|joint| *joint == Joint::Between).map_or(0, |joint| joint + 1)
    }

    /// Takes a row into account, unless it stands across two columns.
    fn admit(&mut self, words: &[Word]) -> bool {
        let width = self.covered.len();
        let reached = self.take(words);
        let closed = |at: usize| self.taken[at] > 0 && self.taken[at] == self.free[at];
        let is_across = (0..reached).any(|at| closed(at) && self.joints[at] == Joint::Between);
        let proved = if is_across { None } else { self.proofs(words) };
        for at in 0..reached {
            let taken = std::mem::take(&mut self.taken[at]);
            if proved.is_some() && taken > 0 {
                self.free[at] -= taken;
                if self.free[at] == 0 && self.joints[at] == Joint::Open {
                    self.joints[at] = Joint::Within;
                }
            }
        }
        let Some(proved) = proved else { return false };
        for joint in proved {
            self.joints[joint] = Joint::Between;
        }
        for word in words.iter().filter(|word| word.from < width) {
            self.covered[word.from..word.to.min(width)].fill(true);
            self.filled[word.from..word.to.min(width)].fill(true);
        }
        true
    }

    /// Counts the blank columns of each joint that a row covers. Returns how many joints it reaches.
    fn take(&mut self, words: &[Word]) -> usize {
        let (mut joint, mut reached) = (0, 0);
        for word in words {
            while joint < self.taken.len() && self.header[joint + 1].from <= word.from {
                joint += 1;
            }
            let mut at = joint;
            while at < self.taken.len() && self.header[at].to < word.to {
                let (from, to) = (self.header[at].to.max(word.from), self.header[at + 1].from.min(word.to));
                if from < to {
                    let covered = &self.covered[from..to];
                    self.taken[at] += covered.iter().filter(|covered| !**covered).count();
                }
                at += 1;
                reached = at;
            }
        }
        reached
    }

    /// The open joints that a row shows to stand between columns: what stands under the two words is no text that
    /// begins or ends where they do together. `None` where that contradicts other rows.
    fn proofs(&mut self, words: &[Word]) -> Option<Vec<usize>> {
        let mut proved = Vec::new();
        let mut joint = 0;
        for (at, pair) in words.windows(2).enumerate() {
            let (left, right) = (pair[0], pair[1]);
            while joint < self.joints.len() && self.header[joint].to < left.to {
                joint += 1;
            }
            while joint < self.joints.len() && self.header[joint].to < right.from {
                let (name, next) = (self.header[joint], self.header[joint + 1]);
                joint += 1;
                if next.from - name.to > 1
                    || self.joints[joint - 1] == Joint::Between
                    || left.to <= name.from
                    || right.from >= next.to
                {
                    continue;
                }
                let starts = left.from == name.from || at > 0 && left.from - words[at - 1].to == 1;
                let ends =
                    right.to == next.to || words.get(at + 2).is_some_and(|word| word.from - right.to == 1);
                // Several blanks may stand within a cell; if only one of their ends moves, or all rows have them, they
                // fill a column up.
                let is_filled_up = right.from - left.to > 1 && {
                    let seen = self.blanks_seen[joint - 1].get_or_insert((left.to, right.from, 0));
                    seen.2 += 1;
                    (seen.0 == left.to) != (seen.1 == right.from) || seen.2 == MANY
                };
                if is_filled_up || !starts && !ends {
                    if self.joints[joint - 1] == Joint::Within {
                        return None;
                    }
                    proved.push(joint - 1);
                }
            }
        }
        Some(proved)
    }

    /// The columns of the table; `None` where they are not certain.
    pub fn columns(mut self, is_capital: bool) -> Option<Vec<Column>> {
        let blanks = |at: usize| self.header[at + 1].from - self.header[at].to;
        let is_between = |at: &usize| self.joints[*at] == Joint::Between;
        let proved = (0..self.joints.len()).filter(is_between).filter(|at| blanks(*at) == 1).count();
        let is_filled: Vec<bool> =
            self.header.iter().map(|word| self.filled[word.from..word.to].contains(&true)).collect();
        let unsure = (0..self.joints.len())
            .filter(|at| self.joints[*at] == Joint::Open && is_filled[*at] && is_filled[*at + 1])
            .count();
        if unsure > proved * if is_capital { 2 } else { 1 } {
            return None;
        }
        for at in 0..self.joints.len() {
            if self.joints[at] == Joint::Open {
                let is_last = at + 1 == self.joints.len();
                self.joints[at] = match (is_filled[at], is_filled[at + 1]) {
                    (true, true) => Joint::Between,
                    (_, false) if is_last || proved == 0 => Joint::Within,
                    (false, true) if proved == 0 => Joint::Within,
                    // A column without cells, or a word of a name?
                    _ => return None,
                };
            }
        }
        self.begins()
    }

    /// The columns, each from the last blanks before its name that all rows share.
    fn begins(&self) -> Option<Vec<Column>> {
        let first = self.header[0];
        // Before the first name: its own cells, in which a blank may be shared by chance.
        let ahead = self.blanks(self.filled.iter().position(|filled| *filled).unwrap_or(0)..first.from);
        if ahead.iter().any(|run| run.len() > 1) {
            return None;
        }
        let mut columns = vec![Column { name: first, from: 0 }];
        for (joint, name) in self.joints.iter().zip(&self.header[1..]) {
            let column = columns.last_mut()?;
            if *joint != Joint::Between {
                (column.name.end, column.name.to) = (name.end, name.to);
                continue;
            }
            let mut runs = self.blanks(column.name.to..name.from);
            let last = runs.pop()?;
            // What stands between two gutters is of the left column only where it is nearer to that.
            if runs.iter().any(|run| run.len() > 1 || last.len() == 1) {
                return None;
            }
            columns.push(Column { name: *name, from: last.start });
        }
        Some(columns)
    }

    /// The runs of columns that nothing covers.
    fn blanks(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in range.filter(|at| !self.covered[*at]) {
            match runs.last_mut() {
                Some(run) if run.end == at => run.end += 1,
                _ => runs.push(at..at + 1),
            }
        }
        runs
    }
}

/// What the header alone says of its joints.
pub fn joints(text: &str, header: &[Word], underline: &[Word]) -> Vec<Joint> {
    let run = |word: &Word| underline.partition_point(|run| run.to <= word.from);
    let joint = |pair: &[Word]| {
        let begins = |word: &Word, test: fn(char) -> bool| text[word.start..].starts_with(test);
        match (underline.is_empty(), pair[1].from - pair[0].to) {
            // `Mounted on`
            (true, 1) if begins(&pair[0], char::is_uppercase) && begins(&pair[1], char::is_lowercase) => {
                Joint::Within
            }
            (true, 1) => Joint::Open,
            (false, _) if run(&pair[0]) == run(&pair[1]) => Joint::Within,
            _ => Joint::Between,
        }
    };
    header.windows(2).map(joint).collect()
}

/// Whether a row has one word under each name, whatever the gutters, and the rest of the line under the last.
pub fn is_word_by_word(words: &[Word], names: &[Word]) -> bool {
    let last = names.len() - 1;
    words.len() > last
        && words[last].from >= names[last].from
        && (0..last)
            .all(|at| words[at].from < names[at + 1].from && (at == 0 || words[at].to > names[at - 1].to))
}

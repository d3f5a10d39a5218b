//! Tables of aligned columns under a header: `kubectl get`, `docker ps`, `ps`, `df`.
//!
//! A column of the terminal that is blank in the header and in all rows may be a gutter between two columns of the
//! table. A first line is taken for a header where the cells stand under its words, and where these are other than the
//! cells: in capitals, underlined, or without the digits that the cells have.

mod cells;
mod gutters;
mod words;

use std::ops::Range;

use super::rows::Rows;
use crate::fnv;
use cells::{Cell, Cells, Layout, Reader};
use gutters::{Column, Gutters};
pub use words::shown;
use words::{MEASURES, Measure, Word, find, line_at};

/// Widest header, and most words in one.
const WIDEST: usize = 1 << 14;
const MOST_WORDS: usize = 1000;
/// Bytes that may be read in vain for each byte of the text before.
const IN_VAIN: usize = 8;

/// What earlier lines say of those that follow.
#[derive(Default)]
pub struct Past {
    /// Bytes read for tables that were none.
    in_vain: usize,
    /// A header whose table ended, or was none. Up to the next blank line no line of other words is a header: it may be
    /// a row.
    title: Range<usize>,
}

/// A line that may be a header, and the line of dashes below it.
struct Header {
    words: Vec<Word>,
    underline: Vec<Word>,
    rows: usize,
    is_capital: bool,
    is_ascii: bool,
}

/// What was read of a table: the end, whether no row follows, what is in doubt, and the hash of all cells' places.
#[derive(PartialEq, Eq)]
struct Reading {
    end: usize,
    is_whole: bool,
    /// Whether the first row may be the header, and what was taken for that a title, or the rows may be read otherwise.
    is_doubtful: bool,
    places: u64,
}

/// Reads a table that begins at `at`.
pub fn read<'a>(text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
    let (line, _) = line_at(text, at);
    if line.is_empty() {
        rows.past.title = 0..0;
        return None;
    }
    let begins = rows.past.title.is_empty() || {
        let words = |line: &Range<usize>| text[line.clone()].split_ascii_whitespace();
        words(&line).eq(words(&rows.past.title))
    };
    if rows.past.in_vain > IN_VAIN * (at + WIDEST) {
        return None;
    }
    if !may_be_header(&text[line.clone()]) {
        // A header of other signs: its first row is none.
        if begins
            && line.len() <= WIDEST
            && text[line.clone()].contains(' ')
            && is_in_capitals(&text[line.clone()])
        {
            rows.past.title = line;
        }
        return None;
    }
    let mut end = at;
    let found = table(text, &line, begins, &mut end, rows);
    rows.past.in_vain += end - found.unwrap_or(at).min(end);
    found
}

/// Reads the table below a header, in the one way in which its characters can be measured.
fn table<'a>(
    text: &'a str,
    line: &Range<usize>,
    begins: bool,
    reached: &mut usize,
    rows: &mut Rows<'a>,
) -> Option<usize> {
    let header = Header::read(text, line, MEASURES[0])?;
    if !begins && header.underline.is_empty() {
        return None;
    }
    if header.is_capital {
        rows.past.title = line.clone();
    }
    let mut trial = Trial { text, line, is_ascii: header.is_ascii, reached };
    let mut reading = trial.fit(MEASURES[0], Some(rows));
    if !trial.is_ascii {
        let mut best: Option<(Reading, Measure)> = None;
        for measure in MEASURES {
            let Some(reading) = trial.fit(measure, None).filter(|reading| reading.is_whole) else { continue };
            if best.as_ref().is_some_and(|(found, _)| *found != reading) {
                return None;
            }
            best = Some((reading, measure));
        }
        reading = trial.fit(best?.1, Some(rows));
    }
    let Reading { end, is_doubtful, .. } = reading?;
    rows.past.title = line.clone();
    (!is_doubtful).then_some(end)
}

/// A header, whether all that was read is ASCII, and how far that went.
struct Trial<'t> {
    text: &'t str,
    line: &'t Range<usize>,
    is_ascii: bool,
    reached: &'t mut usize,
}

impl Trial<'_> {
    /// Reads a table in one measure: nothing where the rows do not fit the header.
    fn fit(&mut self, measure: Measure, mut rows: Option<&mut Rows<'_>>) -> Option<Reading> {
        let text = self.text;
        let header = Header::read(text, self.line, measure)?;
        let mut until = text.len();
        for _ in 0..3 {
            let mut gutters = Gutters::new(text, &header.words, &header.underline);
            gutters.gather(&text[..until], header.rows, measure, |line| header.is_end(text, line));
            let end = gutters.end;
            self.is_ascii = header.is_ascii && gutters.is_ascii;
            *self.reached = end.max(*self.reached);
            if gutters.rows < 2 {
                break;
            }
            let columns = gutters.columns(header.is_capital)?;
            let reading = self.walk(end, &header, &columns, measure, rows.as_deref_mut())?;
            if reading.end == end {
                let is_whole = end == text.len() || header.is_end(text, &text[line_at(text, end).0]);
                return Some(Reading { is_whole, ..reading });
            }
            // A line that is no row had a say in what the gutters are: once more without it.
            until = reading.end;
        }
        None
    }

    /// Reads the cells of all rows, up to one that does not fit.
    fn walk(
        &self,
        until: usize,
        header: &Header,
        columns: &[Column],
        measure: Measure,
        mut rows: Option<&mut Rows<'_>>,
    ) -> Option<Reading> {
        let text = &self.text[..until];
        let names = columns.iter().map(|column| &text[column.name.start..column.name.end]);
        if columns.len() < 2 || rows.as_mut().is_some_and(|rows| !rows.columns(names)) {
            return None;
        }
        let mut layouts = if rows.is_some() { self.layouts(columns) } else { Vec::new() };
        let mut reader = Reader::new(text, columns, measure, header.words.len());
        let (mut at, mut places) = (header.rows, fnv::START);
        let mut is_unclear = false;
        while at < text.len()
            && let Some((cells, next)) = reader.next(at)
        {
            if let Some(rows) = &mut rows {
                rows.row();
            }
            is_unclear |= header.underline.is_empty() && may_be_parted(text, columns, cells);
            for (column, cell) in cells {
                if let Some(rows) = &mut rows {
                    rows.cell(*column, cell.clone());
                }
                let bytes = [column.to_le_bytes(), cell.start.to_le_bytes(), cell.end.to_le_bytes()];
                places = bytes.as_flattened().iter().fold(places, |hash, byte| fnv::step(hash, *byte));
            }
            layouts.retain_mut(|layout| reader.is_explained(at, layout));
            at = next;
        }
        let is_title = header.is_capital && header.underline.is_empty() && reader.begins_like_header;
        // Two names, and below them two cells in each row, may be two columns.
        let is_pair = |(column, cells): (&Column, &Cells)| {
            text[column.name.start..column.name.end].contains(' ')
                && cells.count > 0
                && cells.with_blank == cells.count
        };
        is_unclear |= header.underline.is_empty() && columns.iter().zip(&reader.cells).any(is_pair);
        let is_doubtful = is_title || is_unclear || layouts.iter().any(|layout| layout.differs);
        let is_proved = header.is_proved(text, columns, &reader);
        is_proved.then_some(Reading { end: at, is_whole: false, is_doubtful, places })
    }

    /// The layouts that the header may belong to, and that of the columns.
    fn layouts(&self, columns: &[Column]) -> Vec<Layout> {
        let measures = if self.is_ascii { &MEASURES[..1] } else { &MEASURES[..] };
        let layouts = measures.iter().filter_map(|measure| {
            let header = Header::read(self.text, self.line, *measure)?;
            let mut layouts = Layout::all(self.text, &header.words, &header.underline, *measure);
            layouts.push(Layout::of(columns, &header.words, *measure));
            Some(layouts)
        });
        layouts.flatten().collect()
    }
}

impl Header {
    fn read(text: &str, line: &Range<usize>, measure: Measure) -> Option<Self> {
        let (mut words, mut underline) = (Vec::new(), Vec::new());
        let is_ascii = find(text, line, (usize::MAX, 0), measure, &mut words)?;
        let (below, mut rows) = line_at(text, line_at(text, line.end).1);
        let is_underline = |line: &str| is_rule(line) && !(line.contains('-') && line.contains('='));
        if below.len() > 2 && is_underline(&text[below.clone()]) {
            find(text, &below, (usize::MAX, 0), measure, &mut underline)?;
            if underline.len() == 1 {
                underline.clear();
            } else if !is_under(&words, &underline) {
                // A row of signs.
                underline.clear();
                rows = below.start;
            }
        } else {
            rows = below.start;
        }
        Some(Self { words, underline, rows, is_capital: is_in_capitals(&text[line.clone()]), is_ascii })
    }

    /// Whether a line ends the table: blank, a rule, a count in parentheses, the header again.
    fn is_end(&self, text: &str, line: &str) -> bool {
        let first = &self.words[0];
        let again = line.split_ascii_whitespace().next() == Some(&text[first.start..first.end]);
        again || is_rule(line) || line.starts_with('(') && line.ends_with(')')
    }

    /// Whether the rows show that the line above them is their header.
    fn is_proved(&self, text: &str, columns: &[Column], reader: &Reader<'_>) -> bool {
        let judged = reader.rows.min(64);
        if judged < 2 || reader.wide * 2 < judged {
            return false;
        }
        let name = |column: &Column| &text[column.name.start..column.name.end];
        if self.is_capital || !self.underline.is_empty() {
            return !self.is_capital || reader.lively * 2 >= judged;
        }
        let told = columns.iter().zip(&reader.cells).filter(|(column, cells)| {
            cells.count > 1
                && cells.with_digit == cells.count
                && !name(column).bytes().any(|byte| byte.is_ascii_digit())
        });
        if columns.iter().any(|column| name(column).starts_with(char::is_lowercase)) {
            let numbers = told.filter(|(_, cells)| cells.numbers == cells.count).count();
            return columns.len() > 2 && numbers * 2 >= columns.len();
        }
        told.count() > 0
    }
}

/// Whether the words of a name may be the names of several columns, since a cell has several blanks, or the last two
/// names may be one, since a row has no last cell.
fn may_be_parted(text: &str, columns: &[Column], cells: &[Cell]) -> bool {
    let is_parted = |(column, cell): &Cell| {
        let name = &columns[*column].name;
        text[name.start..name.end].contains(' ') && text[cell.clone()].contains("  ")
    };
    let [.., one, last] = columns else { return false };
    let is_one = one.name.to + 1 == last.name.from
        && cells.last().is_some_and(|(column, _)| column + 1 < columns.len());
    is_one || cells.iter().any(is_parted)
}

fn is_in_capitals(line: &str) -> bool {
    !line.chars().any(char::is_lowercase) && line.chars().any(char::is_uppercase)
}

/// Whether a line is blank, or a rule.
fn is_rule(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b' '))
}

/// Whether a line has the characters of a header alone, and words that are no numbers.
fn may_be_header(line: &str) -> bool {
    if line.len() > WIDEST || !line.contains(' ') {
        return false;
    }
    let is_name = |word: &str| {
        let end = word.as_bytes()[word.len() - 1];
        let is_text = |c: char| c.is_alphanumeric() || "_-/%#().+*@:&<>".contains(c) || !c.is_ascii();
        !matches!(end, b':' | b'.')
            && word.chars().all(is_text)
            && word.chars().any(|c| c.is_alphabetic() || matches!(c, '%' | '#'))
            && (!word.as_bytes()[0].is_ascii_digit() || word.ends_with("-blocks"))
    };
    let mut words = 0;
    line.split_ascii_whitespace().all(|word| {
        words += 1;
        words <= MOST_WORDS && is_name(word)
    }) && words > 1
}

/// Whether each run of dashes stands under words of the header, and each of these words over one run that is as wide.
fn is_under(words: &[Word], underline: &[Word]) -> bool {
    let mut at = 0;
    let mut used = 0;
    words.iter().all(|word| {
        while at < underline.len() && underline[at].to <= word.from {
            at += 1;
        }
        let is_over = underline.get(at).is_some_and(|run| run.from <= word.from && word.to <= run.to);
        if is_over && used == at {
            used += 1;
        }
        is_over && used == at + 1
    }) && used == underline.len()
}

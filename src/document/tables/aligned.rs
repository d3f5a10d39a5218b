//! Tables of aligned columns under a header: `kubectl get`, `docker ps`, `ps`, `df`.
//!
//! A column of the terminal that is blank in the header and in all rows may be a gutter between two columns of the table.
//! A first line is taken for a header where the cells stand under its words, and where these are other than the cells:
//! in capitals, underlined, or without the digits that the cells have.

mod cells;
mod gutters;
mod words;

use std::ops::Range;

use super::rows::Rows;
use crate::fnv;
use cells::{Cell, Reader};
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
    /// The first word of a header whose table ended, or was none. Up to the next blank line no line is a header that
    /// begins otherwise: it may be a row.
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

/// What was read of a table: the end, whether no row follows, and the hash of all cells' places.
#[derive(PartialEq, Eq)]
struct Reading {
    end: usize,
    is_whole: bool,
    /// Whether the first row may be the header, and what was taken for that a title.
    is_title: bool,
    /// How far blanks in a cell may be taken for those between cells: 0 where there are none, 2 where they are as wide.
    doubt: usize,
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
        let first = text[line.clone()].split_ascii_whitespace().next();
        first == text.get(rows.past.title.clone())
    };
    if rows.past.in_vain > IN_VAIN * (at + WIDEST) || !may_be_header(&text[line.clone()]) {
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
    let title = header.words[0].start..header.words[0].end;
    if header.is_capital && header.words.windows(2).any(|pair| pair[1].from - pair[0].to > 1) {
        rows.past.title = title.clone();
    }
    let mut trial = Trial { is_ascii: header.is_ascii, reached };
    let mut reading = trial.fit(text, &header, MEASURES[0], Some(rows));
    if !trial.is_ascii {
        let mut best: Option<(Reading, Measure)> = None;
        let (mut agree, mut unsure) = (0, 0);
        for (number, measure) in MEASURES.into_iter().enumerate() {
            let header = Header::read(text, line, measure)?;
            let reading = match trial.fit(text, &header, measure, None) {
                Ok(Some(reading)) if reading.is_whole => reading,
                // Where another measure fits, bytes are not what the tool counts.
                Err(Unsure) if number < 2 || agree == 0 => return None,
                other => {
                    unsure += usize::from(other.is_err());
                    continue;
                }
            };
            agree += 1;
            if best.as_ref().is_some_and(|(found, _)| *found != reading) {
                return None;
            }
            best = Some((reading, measure));
        }
        // The fewer of them fit, the more may be chance.
        let is_chance = |doubt: usize| doubt > 0 && doubt + unsure >= agree;
        if best.as_ref().is_some_and(|(reading, _)| is_chance(reading.doubt)) {
            return None;
        }
        let measure = best?.1;
        reading = trial.fit(text, &Header::read(text, line, measure)?, measure, Some(rows));
    }
    let Reading { end, is_title, .. } = reading.ok()??;
    rows.past.title = title;
    (!is_title).then_some(end)
}

/// Rows fit their header in several ways.
struct Unsure;

/// Whether all that was read is ASCII, and how far that went.
struct Trial<'t> {
    is_ascii: bool,
    reached: &'t mut usize,
}

impl Trial<'_> {
    /// Reads a table in one measure: nothing where the rows do not fit the header.
    fn fit(
        &mut self,
        text: &str,
        header: &Header,
        measure: Measure,
        mut rows: Option<&mut Rows<'_>>,
    ) -> Result<Option<Reading>, Unsure> {
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
            let columns = gutters.columns(header.is_capital).ok_or(Unsure)?;
            let Some(reading) = walk(&text[..end], header, &columns, measure, rows.as_deref_mut()) else {
                break;
            };
            if reading.end == end {
                let is_whole = end == text.len() || header.is_end(text, &text[line_at(text, end).0]);
                return Ok(Some(Reading { is_whole, ..reading }));
            }
            // A line that is no row had a say in what the gutters are: once more without it.
            until = reading.end;
        }
        Ok(None)
    }
}

/// Reads the cells of all rows, up to one that does not fit.
fn walk(
    text: &str,
    header: &Header,
    columns: &[Column],
    measure: Measure,
    mut rows: Option<&mut Rows<'_>>,
) -> Option<Reading> {
    let names = columns.iter().map(|column| &text[column.name.start..column.name.end]);
    if columns.len() < 2 || rows.as_mut().is_some_and(|rows| !rows.columns(names)) {
        return None;
    }
    let mut reader = Reader::new(text, columns, measure);
    let (mut at, mut places, mut doubt) = (header.rows, fnv::START, 0);
    while at < text.len()
        && let Some((cells, next)) = reader.next(at)
    {
        if let Some(rows) = &mut rows {
            rows.row();
        } else {
            doubt = doubt.max(row_doubt(text, cells));
        }
        for (column, cell) in cells {
            if let Some(rows) = &mut rows {
                rows.cell(*column, cell.clone());
            } else {
                let bytes = [column.to_le_bytes(), cell.start.to_le_bytes(), cell.end.to_le_bytes()];
                places = bytes.as_flattened().iter().fold(places, |hash, byte| fnv::step(hash, *byte));
            }
        }
        at = next;
    }
    // Rows that are ASCII show where the columns are, however the others are measured.
    if reader.ascii * 2 > reader.rows {
        doubt = 0;
    }
    let is_title = header.is_capital && header.underline.is_empty() && reader.begins_like_header;
    header.is_proved(text, columns, &reader).then_some(Reading {
        end: at,
        is_whole: false,
        is_title,
        doubt,
        places,
    })
}

impl Header {
    fn read(text: &str, line: &Range<usize>, measure: Measure) -> Option<Self> {
        let (mut words, mut underline) = (Vec::new(), Vec::new());
        let is_ascii = find(text, line, usize::MAX, measure, &mut words)?;
        let (below, mut rows) = line_at(text, line_at(text, line.end).1);
        if below.len() > 2 && is_rule(&text[below.clone()]) {
            find(text, &below, usize::MAX, measure, &mut underline)?;
            if underline.len() == 1 {
                underline.clear();
            } else if !is_under(&words, &underline) {
                return None;
            }
        } else {
            rows = below.start;
        }
        let name = &text[line.clone()];
        let is_capital = !name.chars().any(char::is_lowercase) && name.chars().any(char::is_uppercase);
        Some(Self { words, underline, rows, is_capital, is_ascii })
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

/// See [`Reading::doubt`].
fn row_doubt(text: &str, cells: &[Cell]) -> usize {
    let between = cells.windows(2).map(|pair| pair[1].1.start - pair[0].1.end).min().unwrap_or(0);
    let blanks = |cell: &str| cell.split(|c| c != ' ').map(str::len).max().unwrap_or(0);
    match cells.iter().map(|(_, cell)| blanks(&text[cell.clone()])).max().unwrap_or(0) {
        0 => 0,
        inside if inside < between => 1,
        _ => 2,
    }
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

/// Whether each run of dashes stands under words of the header, and each of these words over one run.
fn is_under(words: &[Word], underline: &[Word]) -> bool {
    let overlaps = |word: &Word, run: &Word| word.from < run.to && run.from < word.to;
    let mut at = 0;
    let mut used = 0;
    words.iter().all(|word| {
        while at < underline.len() && underline[at].to <= word.from {
            at += 1;
        }
        let is_over = underline.get(at).is_some_and(|run| overlaps(word, run))
            && underline.get(at + 1).is_none_or(|run| !overlaps(word, run));
        if is_over && used == at {
            used += 1;
        }
        is_over && used == at + 1
    }) && used == underline.len()
}

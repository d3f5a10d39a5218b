//! Listings without a header whose columns are known: `ls -l`, `find -ls`, `tar tv`, `aws s3 ls`.

use std::ops::Range;

use super::line::Line;
use super::rows::Rows;
use super::stamps::{MONTHS, begins};

/// Least entries of a listing.
const LEAST: usize = 2;

/// Reads a listing that begins at `at`: lines of the same form.
pub fn read<'a>(text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
    let mut cells = Vec::new();
    let form = entry(Line::at(text, at)?, &mut cells)?;
    rows.columns(form.columns());
    let (mut end, mut count) = (at, 0);
    for line in Line::all(text, at) {
        cells.clear();
        if entry(line, &mut cells) != Some(form) {
            break;
        }
        rows.row();
        cells.iter().enumerate().for_each(|(column, cell)| rows.cell(column, cell.clone()));
        (end, count) = (line.next, count + 1);
    }
    (count >= LEAST).then_some(end)
}

/// What prints such lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Ls,
    /// With inode and blocks.
    LsNumbered,
    Tar,
    S3,
}

impl Form {
    fn columns(self) -> impl Iterator<Item = &'static str> {
        let columns = match self {
            Self::Ls => "mode links owner group size modified name",
            Self::LsNumbered => "inode blocks mode links owner group size modified name",
            Self::Tar => "mode owner/group size modified name",
            Self::S3 => "date time size name",
        };
        columns.split(' ')
    }
}

/// The words of a line.
struct Words<'a> {
    line: Line<'a>,
    at: usize,
}

impl<'a> Words<'a> {
    fn of(line: Line<'a>) -> Self {
        Self { line, at: 0 }
    }

    /// The next word, and whether it passes.
    fn next(&mut self, passes: impl Fn(&str) -> bool) -> Option<Range<usize>> {
        let rest = self.line.text.get(self.at..)?;
        let start = self.at + rest.len() - rest.trim_start_matches(' ').len();
        let rest = &self.line.text[start..];
        let word = &rest[..rest.find(' ').unwrap_or(rest.len())];
        if word.is_empty() || !passes(word) {
            return None;
        }
        self.at = start + word.len();
        Some(self.placed(start..self.at))
    }

    /// From the first of some words to the last that was read.
    fn since(&self, first: &Range<usize>) -> Range<usize> {
        first.start..self.line.start + self.at
    }

    /// The rest of the line behind a blank.
    fn rest(&self) -> Option<Range<usize>> {
        let rest = self.line.text.get(self.at..)?.strip_prefix(' ').filter(|rest| !rest.is_empty())?;
        Some(self.placed(self.line.text.len() - rest.len()..self.line.text.len()))
    }

    fn placed(&self, range: Range<usize>) -> Range<usize> {
        self.line.start + range.start..self.line.start + range.end
    }
}

/// The cells of a line, and its form.
fn entry(line: Line<'_>, cells: &mut Vec<Range<usize>>) -> Option<Form> {
    let first = line.text.trim_start_matches(' ').bytes().next()?;
    if first.is_ascii_digit() {
        return numbered(line, cells).or_else(|| s3(line, cells));
    }
    if line.text.starts_with(' ') && line.text.trim_start_matches(' ').starts_with("PRE ") {
        return s3_prefix(line, cells);
    }
    let mut words = Words::of(line);
    cells.push(words.next(is_mode)?);
    match tar(Words { ..words }, cells) {
        Some(()) => Some(Form::Tar),
        None => ls(words, cells).map(|()| Form::Ls),
    }
}

/// `find -ls`, `ls -lis`: inode and blocks before the mode.
fn numbered(line: Line<'_>, cells: &mut Vec<Range<usize>>) -> Option<Form> {
    let mut words = Words::of(line);
    let numbers = [words.next(is_number)?, words.next(is_size)?, words.next(is_mode)?];
    cells.extend(numbers);
    ls(words, cells).map(|()| Form::LsNumbered)
}

/// What stands behind the mode.
fn ls(mut words: Words<'_>, cells: &mut Vec<Range<usize>>) -> Option<()> {
    let any = |_: &str| true;
    cells.extend([words.next(is_number)?, words.next(any)?, words.next(any)?]);
    let mut size = words.next(|word| is_size(word) || word.strip_suffix(',').is_some_and(is_number))?;
    if words.line.text.as_bytes()[words.at - 1] == b',' {
        words.next(is_number)?;
        size = words.since(&size);
    }
    let date = date(&mut words)?;
    cells.extend([size, date, words.rest()?]);
    Some(())
}

/// `root/root 4096 2026-11-23 20:50 name` behind the mode.
fn tar(mut words: Words<'_>, cells: &mut Vec<Range<usize>>) -> Option<()> {
    let owner = words.next(|word| word.contains('/'))?;
    let is_device =
        |word: &str| word.split_once(',').is_some_and(|(one, other)| is_number(one) && is_number(other));
    let size = words.next(|word| is_number(word) || is_device(word))?;
    let date = words.next(is_iso).and_then(|date| words.next(is_clock).map(|_| words.since(&date)))?;
    cells.extend([owner, size, date, words.rest()?]);
    Some(())
}

/// `2026-11-23 20:50:12       4096 name`, with the size (`8.8 KiB` is one) in ten places.
fn s3(line: Line<'_>, cells: &mut Vec<Range<usize>>) -> Option<Form> {
    let mut words = Words::of(line);
    let (date, time) = (words.next(is_iso)?, words.next(|word| is_clock(word) && word.len() == 8)?);
    if words.at != 19 {
        return None;
    }
    let size = words.next(is_size)?;
    words.next(|word| word == "Bytes" || word == "Byte" || word.len() == 3 && word.ends_with("iB"));
    let size = words.since(&size);
    if words.at < 30 || words.at > 30 && size.start != line.start + 20 {
        return None;
    }
    cells.extend([date, time, size, words.rest()?]);
    Some(Form::S3)
}

/// `PRE name/` of `aws s3 ls`, right below the sizes.
fn s3_prefix(line: Line<'_>, cells: &mut Vec<Range<usize>>) -> Option<Form> {
    let mut words = Words::of(line);
    let size = words.next(|word| word == "PRE")?;
    if words.at != 30 {
        return None;
    }
    cells.extend([0..0, 0..0, size, words.rest()?]);
    Some(Form::S3)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `4096`, `4.0K`, `1,234`.
fn is_size(word: &str) -> bool {
    let number = word.trim_end_matches(['K', 'M', 'G', 'T', 'P', 'E', 'k', 'i', 'B']);
    word.len() - number.len() <= 3
        && number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b','))
}

/// `-rw-r--r--`, and with a mark of further rights.
fn is_mode(word: &str) -> bool {
    let word = word.as_bytes();
    matches!(word.len(), 10 | 11)
        && b"-dlbcpsDC".contains(&word[0])
        && word[1..10].iter().all(|byte| b"rwxsStT-".contains(byte))
        && word.get(10).is_none_or(|mark| b".+@".contains(mark))
}

/// Digits where `form` has a `0`, its own characters elsewhere.
fn is_like(word: &str, form: &str) -> bool {
    word.len() == form.len() && begins(word.as_bytes(), form)
}

fn is_iso(word: &str) -> bool {
    is_like(word, "0000-00-00")
}

/// `20:50`, `20:50:12`.
fn is_clock(word: &str) -> bool {
    is_like(word, "00:00") || is_like(word, "00:00:00")
}

/// `Nov 23 20:50`, `23 Nov  2025`, `Nov 23 20:50:12 2026`, `2026-11-23 20:50`, `2026-11-23 20:50:12.000000000 +0000`.
fn date(words: &mut Words<'_>) -> Option<Range<usize>> {
    if let Some(date) = words.next(is_iso) {
        let time = words.next(|word| is_clock(word) || is_like(word, "00:00:00.000000000"))?;
        if time.len() > 8 {
            words.next(|word| is_like(word, "+0000") || is_like(word, "-0000"))?;
        }
        return Some(words.since(&date));
    }
    let is_month = |word: &str| word.len() == 3 && MONTHS.contains(word);
    let is_day = |word: &str| is_number(word) && word.len() < 3;
    let (first, is_first) = match words.next(is_month) {
        Some(month) => (month, true),
        None => (words.next(is_day)?, false),
    };
    words.next(|word| if is_first { is_day(word) } else { is_month(word) })?;
    let time = words.next(|word| is_clock(word) || is_like(word, "0000"))?;
    if time.len() == 8 {
        words.next(|word| is_like(word, "0000"))?;
    }
    Some(words.since(&first))
}

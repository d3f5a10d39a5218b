//! Reads the notation of text back.

use std::borrow::Cow;

use super::drawn::Pen;
use super::row::{Form, Step};
use super::template::{self, Fill, MARK, Piece, integer, range, write_filled};
use super::value;

/// A mistake in a text in the notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Line number, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: &'static str,
}

/// Whether a text begins as the notation of text does: its first line says how many lines there are.
pub fn is_notation(text: &str) -> bool {
    total(text).is_some() || lines_of_first(text).is_some()
}

/// The number of all lines, if the first one says it: `… 12 lines follow:`.
fn total(text: &str) -> Option<u64> {
    integer(text.split('\n').next()?.strip_prefix(MARK)?.strip_suffix(" lines follow:")?)
}

/// The number of lines that the section at the beginning of a text stands for.
pub(super) fn lines_of_first(text: &str) -> Option<u64> {
    Some(match Start::read(text.split('\n').next()?)? {
        Start::Lines(rows, _) | Start::Forms(rows, _) | Start::Tree(rows, _) => rows,
        Start::Blocks(rows, height) => rows.saturating_mul(height as u64),
    })
}

/// The head of a section.
enum Start<'a> {
    /// The number of lines, and their template.
    Lines(u64, &'a str),
    /// The number of records and the lines of each, whose templates follow.
    Blocks(u64, usize),
    /// The number of lines and the number of forms, which follow.
    Forms(u64, usize),
    /// The number of lines of a tree, which are indented by their levels, and its pen.
    Tree(u64, Pen<'a>),
}

impl<'a> Start<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let rest = line.strip_prefix(MARK)?;
        let (number, rest) = rest.split_once(' ')?;
        let number = integer(number)?;
        if let Some(template) = rest.strip_prefix("lines: ") {
            return Some(Self::Lines(number, template));
        }
        if let Some(pen) = rest.strip_prefix("lines, a tree drawn by ") {
            return Some(Self::Tree(number, Pen::read(pen.strip_suffix(':')?)?));
        }
        let few =
            |text| integer(text).filter(|number| (2..=64).contains(number)).map(|number| number as usize);
        if let Some(count) = rest.strip_prefix("lines of ").and_then(|rest| rest.strip_suffix(" forms:")) {
            return few(count).map(|count| Self::Forms(number, count));
        }
        let height = rest.strip_prefix("times ")?.strip_suffix(" lines:")?;
        few(height).map(|height| Self::Blocks(number, height))
    }
}

/// Reads a text in the notation, which may stand for at most `most` bytes.
///
/// # Errors
/// The first line that is not in the notation, or that takes the text beyond `most` bytes.
pub fn read(text: &str, most: usize) -> Result<String, Wrong> {
    let total = total(text);
    if total.is_none() && lines_of_first(text).is_none() {
        return Err(Wrong { line: 1, what: "the first line does not say how many lines there are" });
    }
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let most = most.saturating_add(lines.len() * size_of::<usize>());
    let (at, out) = (usize::from(total.is_some()), String::with_capacity(text.len() * 2));
    let mut reader = Reader { lines, at, out, starts: Vec::new(), most };
    reader.read().map_err(|what| Wrong { line: reader.at.max(1), what })?;
    if total.is_some_and(|total| total != reader.starts.len() as u64) {
        return Err(Wrong { line: 1, what: "not so many lines follow" });
    }
    let mut out = reader.out;
    if !text.ends_with('\n') {
        out.pop();
    }
    Ok(out)
}

const TOO_MUCH: &str = "this stands for more text than is read";
const WHICH: &str = "which lines?";

/// The first and the last line that a reference names, and how deep they are now: `lines 120..163 again, 4 deeper`.
fn reference(text: &str) -> Option<((u64, u64), &str)> {
    let (lines, how) = text.strip_prefix("lines ")?.split_once(" again")?;
    Some((range(lines)?, how))
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    at: usize,
    out: String,
    /// Where each line of `out` begins.
    starts: Vec<usize>,
    /// Most bytes of `out` and `starts`.
    most: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let line = self.lines.get(self.at)?;
        self.at += 1;
        Some(line.strip_suffix('\n').unwrap_or(line))
    }

    fn room(&self, bytes: usize) -> Step<()> {
        let used = self.out.len() + self.starts.len() * size_of::<usize>();
        if used + bytes > self.most { Err(TOO_MUCH) } else { Ok(()) }
    }

    fn line(&mut self, line: &str) -> Step<()> {
        self.room(line.len() + 1)?;
        self.starts.push(self.out.len());
        self.out.push_str(line);
        self.out.push('\n');
        Ok(())
    }

    fn read(&mut self) -> Step<()> {
        while let Some(line) = self.next() {
            let Some(rest) = line.strip_prefix(MARK) else {
                self.line(line)?;
                continue;
            };
            if let Some(start) = Start::read(line) {
                self.section(&start)?;
            } else if let Some(times) = rest.strip_prefix('×') {
                self.repeat(times, 1)?;
            } else if rest.starts_with("lines ") {
                self.again(reference(rest).ok_or(WHICH)?)?;
            } else {
                return Err("no mark of this notation");
            }
        }
        Ok(())
    }

    /// Repeats the last `height` lines until they stand there `times` times; returns the number of repetitions.
    fn repeat(&mut self, times: &str, height: usize) -> Step<u64> {
        let times = integer(times).filter(|&times| times > 1).ok_or("how many times?")?;
        let first = self.starts.len().checked_sub(height).ok_or("no line above")?;
        let block = self.out[self.starts[first]..].to_owned();
        for _ in 1..times {
            for line in block.split_terminator('\n') {
                self.line(line)?;
            }
        }
        Ok(times - 1)
    }

    /// Appends the lines of a reference; returns their number.
    fn again(&mut self, ((from, to), how): ((u64, u64), &str)) -> Step<u64> {
        let (blanks, how) = match how.strip_prefix(", ") {
            Some(how) => how.split_once(' ').ok_or(WHICH)?,
            None => ("0", if how.is_empty() { "deeper" } else { "" }),
        };
        let blanks = integer(blanks).ok_or(WHICH)? as usize;
        let is_deeper = how == "deeper";
        if !(1..=to).contains(&from) || to > self.starts.len() as u64 || !is_deeper && how != "less deep" {
            return Err(WHICH);
        }
        for number in from as usize - 1..to as usize {
            let start = self.starts[number];
            let end = self.starts.get(number + 1).map_or(self.out.len(), |&next| next) - 1;
            let same = &self.out[start..end];
            let mut line = String::new();
            if is_deeper {
                self.room(blanks)?;
                line.extend(std::iter::repeat_n(' ', if same.is_empty() { 0 } else { blanks }));
                line.push_str(same);
            } else if !same.is_empty() {
                let cut = same.get(..blanks).filter(|cut| cut.bytes().all(|byte| byte == b' '));
                line.push_str(&same[cut.ok_or("this line is not that deep")?.len()..]);
            }
            self.line(&line)?;
        }
        Ok(to + 1 - from)
    }

    fn section(&mut self, start: &Start<'_>) -> Step<()> {
        let (rows, mut forms) = match *start {
            Start::Lines(rows, template) => (rows, vec![Form::of("", vec![template::read(template)])?]),
            Start::Tree(rows, pen) => return self.tree(rows, pen),
            Start::Blocks(rows, height) => {
                let templates = (0..height).map(|_| self.marked().map(template::read));
                (rows, vec![Form::of("", templates.collect::<Step<_>>()?)?])
            }
            Start::Forms(rows, count) => {
                let form = |_| {
                    let (name, template) = self.marked()?.split_once(": ").ok_or("no form")?;
                    Form::of(name, vec![template::read(template)])
                };
                (rows, (0..count).map(form).collect::<Step<_>>()?)
            }
        };
        let single = forms.len() == 1;
        if single && forms[0].is_silent {
            return (0..rows).try_for_each(|_| self.row(&mut forms[0], &[], ""));
        }
        let height = forms[0].templates.len();
        let mut heading = "";
        let mut values = Vec::new();
        let mut left = rows;
        while left > 0 {
            let line = self.next().ok_or("the section has fewer lines than it says")?;
            let read = if line == MARK.trim_end() {
                heading = "";
                0
            } else if let Some(rest) = line.strip_prefix(MARK) {
                if let Some(times) = rest.strip_prefix('×') {
                    self.repeat(times, height)?
                } else if let Some(again) = reference(rest).filter(|_| height == 1) {
                    self.again(again)?
                } else {
                    heading = rest;
                    0
                }
            } else if height == 1 && (value::is_indented(line) || line.starts_with(value::WHOLE)) {
                self.line(line.strip_prefix(value::WHOLE).unwrap_or(line))?;
                1
            } else if single && forms[0].is_list {
                self.list(&mut forms[0], line, heading)?
            } else {
                let (form, rest) = if single {
                    (&mut forms[0], line)
                } else {
                    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
                    (forms.iter_mut().find(|form| form.name == name).ok_or("no form has this name")?, rest)
                };
                form.read_row(rest, &mut values)?;
                self.row(form, &values, heading)?;
                form.rows.append(&mut values);
                1
            };
            left = left.checked_sub(read).ok_or("more lines than the section says")?;
        }
        Ok(())
    }

    /// Reads the lines of a tree and draws them.
    fn tree(&mut self, rows: u64, pen: Pen<'_>) -> Step<()> {
        const WRONG: &str = "the tree has fewer lines than it says";
        let rows =
            usize::try_from(rows).ok().filter(|&rows| rows <= self.lines.len() - self.at).ok_or(WRONG)?;
        let lines: Vec<&str> = (0..rows).filter_map(|_| self.next()).collect();
        let most = self.most.saturating_sub(self.out.len());
        let drawn = pen.draw(&lines, most).ok_or(TOO_MUCH)?;
        drawn.split_terminator('\n').try_for_each(|line| self.line(line))
    }

    /// The text behind the mark on the next line.
    fn marked(&mut self) -> Step<&'a str> {
        let line = self.next().ok_or("a template is missing")?;
        if line == MARK.trim_end() { Ok("") } else { line.strip_prefix(MARK).ok_or("no template") }
    }

    /// Writes a line for each value of a list; returns their number.
    fn list(&mut self, form: &mut Form<'_>, line: &str, heading: &str) -> Step<u64> {
        let mut rest = line;
        let mut count = 0;
        while !rest.is_empty() {
            let (value, behind) = value::read(rest).ok_or("a value cannot be read")?;
            rest = behind;
            self.row(form, &[value], heading)?;
            count += 1;
        }
        Ok(count)
    }

    /// Writes the lines of one row.
    fn row(&mut self, form: &mut Form<'_>, values: &[Cow<'_, str>], heading: &str) -> Step<()> {
        let mut line = String::new();
        for template in &form.templates {
            line.clear();
            for piece in template {
                let (value, fill): (Cow<'_, str>, _) = match piece {
                    Piece::Text(text) => (text.into(), None),
                    Piece::Count { from, fill, .. } => ((from + form.row).to_string().into(), *fill),
                    Piece::Value { headed: true, number: 0, fill, .. } => (heading.into(), *fill),
                    Piece::Value { headed, number, fill, .. } => {
                        let value =
                            values.get(number.saturating_sub(1)).ok_or("the row has no such value")?;
                        let headed = headed.then(|| format!("{heading}{value}").into());
                        (headed.unwrap_or_else(|| Cow::Borrowed(&**value)), *fill)
                    }
                };
                self.room(line.len() + value.len() + Fill::blanks(fill, &value))?;
                write_filled(&mut line, &value, fill);
            }
            self.line(&line)?;
        }
        form.row += 1;
        Ok(())
    }
}

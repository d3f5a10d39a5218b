//! Tables drawn with lines: psql, mysql, `sqlite3 -box`, `aws --output table`, markdown.
//!
//! A rule tells the columns. In a row of characters that are one column wide the bars stand where the rule has its
//! crosses, so a cell may hold a bar; in any other row there must be no more bars than the rule has crosses, so no
//! widths are needed.

use std::ops::Range;

use super::super::scalars::is_number;
use super::line::Line;
use super::rows::Rows;

/// Reads a table that begins at `at`.
pub fn read<'a>(text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
    let line = Line::at(text, at)?;
    match line.text.as_bytes().first()? {
        b'+' => boxed(text, line, rows),
        b'|' => boxed(text, line, rows).or_else(|| markdown(text, line, rows)),
        b'-' if line.text.starts_with(RECORD) => records(text, line, rows),
        0xE2 if line.text.starts_with(|c| glyph(c) == Some(Glyph::Cross)) => boxed(text, line, rows),
        b' ' => psql(text, line, rows),
        _ => None,
    }
}

/// What lines are drawn with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Glyph {
    Dash,
    Bar,
    Cross,
}

fn glyph(c: char) -> Option<Glyph> {
    match c {
        '-' | '=' => Some(Glyph::Dash),
        '|' => Some(Glyph::Bar),
        '─' | '━' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '═' | '╴' | '╶' | '╸' | '╺' | '╼' | '╾' => {
            Some(Glyph::Dash)
        }
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '╵' | '╷' | '╹' | '╻' | '╽' | '╿' => {
            Some(Glyph::Bar)
        }
        '+' | '┌'..='╋' | '╒'..='╰' => Some(Glyph::Cross),
        _ => None,
    }
}

/// Where the bars of a table stand.
struct Grid {
    /// Drawn with `+`, `-` and `|`.
    ascii: bool,
    /// The character columns of the crosses, and how many characters the rule has.
    crosses: Vec<usize>,
    length: usize,
    /// The bytes of the bars of the row that was split last.
    bars: Vec<Range<usize>>,
    /// The columns of these bars; the crosses of another rule.
    columns: Vec<usize>,
}

impl Grid {
    /// The grid that a rule tells.
    fn of(rule: &str) -> Option<Self> {
        let mut crosses = Vec::new();
        let length = parse(rule, &mut crosses)?;
        let ascii = rule.is_ascii();
        Some(Self { ascii, crosses, length, bars: Vec::new(), columns: Vec::new() })
    }

    /// Whether all lines of the table begin and end with a bar.
    fn is_closed(&self) -> bool {
        self.crosses.first() == Some(&0) && self.crosses.last() == Some(&(self.length - 1))
    }

    fn is_rule(&mut self, line: &str) -> bool {
        self.columns.clear();
        parse(line, &mut self.columns) == Some(self.length) && self.columns == self.crosses
    }

    /// Finds the bars of a row: where the rule has its crosses, or all there are. Each has blanks beside it, as a mark
    /// of a cell that goes on in the next line would stand there.
    fn split(&mut self, row: &str) -> bool {
        self.bars.clear();
        self.columns.clear();
        let (mut narrow, mut last) = (true, 0);
        for (column, (at, c)) in row.char_indices().enumerate() {
            let found = glyph(c);
            narrow &= matches!(c, ' '..='~') || found.is_some();
            if found == Some(Glyph::Bar) && c.is_ascii() == self.ascii {
                self.bars.push(at..at + c.len_utf8());
                self.columns.push(column);
            }
            last = column;
        }
        if narrow && self.columns != self.crosses {
            let mut at = self.columns.iter();
            self.bars.retain(|_| at.next().is_some_and(|column| self.crosses.binary_search(column).is_ok()));
        }
        let bytes = row.as_bytes();
        self.bars.len() == self.crosses.len()
            && self.bars.iter().all(|bar| {
                (bar.start == 0 || bytes[bar.start - 1] == b' ')
                    && bytes.get(bar.end).is_none_or(|next| *next == b' ')
            })
            && (self.is_closed() || !(narrow && last + 1 >= self.length || row.ends_with(['+', '↵', '…'])))
    }

    /// The cells between the bars that were found, without the padding.
    fn cells<'r>(&self, row: &'r str) -> impl Iterator<Item = Range<usize>> + use<'_, 'r> {
        let starts = (!self.is_closed()).then_some(0).into_iter().chain(self.bars.iter().map(|bar| bar.end));
        let ends = self.bars.iter().map(|bar| bar.start).skip(usize::from(self.is_closed()));
        let ends = ends.chain((!self.is_closed()).then_some(row.len()));
        starts.zip(ends).map(|(start, end)| trimmed(row, start..end))
    }
}

/// The columns of a rule's crosses, and its length in characters.
fn parse(rule: &str, crosses: &mut Vec<usize>) -> Option<usize> {
    let (mut length, mut is_dash) = (0, false);
    for c in rule.chars() {
        let glyph = glyph(c)?;
        if glyph != Glyph::Dash {
            if length > 0 && !is_dash {
                return None;
            }
            crosses.push(length);
        }
        is_dash = glyph == Glyph::Dash;
        length += 1;
    }
    (!crosses.is_empty()).then_some(length)
}

fn line_above(text: &str, start: usize) -> Option<&str> {
    text[..start].strip_suffix('\n')?.rsplit('\n').next()
}

/// The range without blanks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let cell = text[range.clone()].trim_end_matches(' ');
    let start = range.start + cell.len() - cell.trim_start_matches(' ').len();
    start..range.start + cell.len()
}

/// Adds a row that stands at `start`; `false` if it has no cell.
fn add(rows: &mut Rows<'_>, cells: impl Iterator<Item = Range<usize>>, start: usize) -> bool {
    rows.row();
    let mut is_empty = true;
    for (column, cell) in cells.enumerate() {
        is_empty &= cell.is_empty();
        rows.cell(column, start + cell.start..start + cell.end);
    }
    !is_empty
}

/// ` a | b ` above `---+---`; the rows end with a blank line or `(3 rows)`.
fn psql<'a>(text: &'a str, head: Line<'a>, rows: &mut Rows<'a>) -> Option<usize> {
    let rule = Line::at(text, head.next)?;
    if !rule.text.starts_with(['-', '─', '═']) {
        return None;
    }
    let mut grid = Grid::of(rule.text).filter(|grid| !grid.is_closed())?;
    if !grid.split(head.text) || !rows.columns(grid.cells(head.text).map(|cell| &head.text[cell])) {
        return None;
    }
    let mut end = rule.next;
    while let Some(row) = Line::at(text, end).filter(|row| !row.text.is_empty() && !row.text.starts_with('('))
    {
        if !(row.text.starts_with(' ') && grid.split(row.text) && add(rows, grid.cells(row.text), row.start))
        {
            return None;
        }
        end = row.next;
    }
    (end > rule.next).then_some(end)
}

/// A rule, the head, a rule, rows, a rule. Rows may have rules between them, if the head's is another. Inside of a
/// table of `aws` each line stands between further bars.
fn boxed<'a>(text: &'a str, top: Line<'a>, rows: &mut Rows<'a>) -> Option<usize> {
    let bars = &top.text[..top.text.len() - top.text.trim_start_matches('|').len()];
    let inside = |line: Line<'a>| {
        let body = line.text.strip_prefix(bars)?.strip_suffix(bars)?;
        Some(Line { text: body, start: line.start + bars.len(), next: line.next })
    };
    let line = |at| Line::at(text, at).and_then(inside);
    let top = inside(top)?;
    // A lone Unicode column may be a frame around prose.
    let mut grid =
        Grid::of(top.text).filter(|grid| grid.is_closed() && (grid.ascii || grid.crosses.len() > 2))?;
    // A table is read from its first line alone, so that no line is read for each of those above it.
    let above = line_above(text, top.start - bars.len()).and_then(|above| inside(Line::at(above, 0)?));
    let (head, rule) = (line(top.next)?, line(line(top.next)?.next)?);
    if above.is_some_and(|above| grid.split(above.text)) || !grid.is_rule(rule.text) || !grid.split(head.text)
    {
        return None;
    }
    let names = grid.cells(head.text).map(|cell| &head.text[cell]);
    if !rows.columns(names) {
        return None;
    }
    let (mut end, mut before) = (rule.next, None::<Line<'a>>);
    // Rows in the part that is read, and rules behind the head's.
    let (mut lines, mut rules) = (0, 0);
    loop {
        let row = line(end)?;
        end = row.next;
        if !grid.is_rule(row.text) {
            let wraps = before.is_some_and(|before| goes_on(&mut grid, before.text, row.text));
            if rules * lines > 0
                || wraps
                || !grid.split(row.text)
                || !add(rows, grid.cells(row.text), row.start)
            {
                return None;
            }
            (lines, before) = (lines + 1, Some(row));
            continue;
        }
        if lines == 0 {
            return None;
        }
        if line(end).is_none_or(|next| !grid.split(next.text)) {
            return Some(end);
        }
        if lines > 1 || row.text == rule.text {
            return None;
        }
        (lines, rules, before) = (0, rules + 1, None);
    }
}

/// Whether a row may be the second line of the one above: it has an empty cell and no number first, and its first words
/// had no place above.
fn goes_on(grid: &mut Grid, above: &str, row: &str) -> bool {
    if !grid.split(row) || grid.cells(row).all(|cell| !cell.is_empty()) {
        return false;
    }
    let cells: Vec<_> = grid.cells(row).collect();
    !is_number(&row[cells[0].clone()])
        && grid.split(above)
        && grid.cells(above).zip(cells).zip(grid.crosses.windows(2)).all(|((above_it, cell), crosses)| {
            let word = row[cell].split(' ').next().unwrap_or_default().chars().count();
            word == 0 || above[above_it].chars().count() + 1 + word + 3 > crosses[1] - crosses[0]
        })
}

/// `| a | b |` above `|---|---|`.
fn markdown<'a>(text: &'a str, head: Line<'a>, rows: &mut Rows<'a>) -> Option<usize> {
    // In a table that was refused a row may look like a rule.
    if line_above(text, head.start).is_some_and(|above| above.starts_with(['|', '+'])) {
        return None;
    }
    let rule = Line::at(text, head.next)?;
    let (mut bars, mut more) = (Vec::new(), Vec::new());
    if !is_markdown_rule(rule.text) || !pipes(head.text, &mut bars) || !pipes(rule.text, &mut more) {
        return None;
    }
    let columns = bars.len();
    if more.len() != columns || !rows.columns(between(head.text, &bars).map(|cell| &head.text[cell])) {
        return None;
    }
    let mut end = rule.next;
    while let Some(row) = Line::at(text, end).filter(|row| row.text.starts_with('|')) {
        let is_row = !is_markdown_rule(row.text) && pipes(row.text, &mut bars) && bars.len() == columns;
        if !is_row || !add(rows, between(row.text, &bars), row.start) {
            return None;
        }
        end = row.next;
    }
    (end > rule.next).then_some(end)
}

fn is_markdown_rule(line: &str) -> bool {
    line.contains('-') && line.bytes().all(|byte| matches!(byte, b' ' | b'|' | b'-' | b':'))
}

/// The bars of a line of markdown that begins and ends with one, but for `\|`.
fn pipes(line: &str, bars: &mut Vec<usize>) -> bool {
    bars.clear();
    let is_escaped = |at: usize| at > 0 && line.as_bytes()[at - 1] == b'\\';
    bars.extend(memchr::memchr_iter(b'|', line.as_bytes()).filter(|at| !is_escaped(*at)));
    bars.len() > 1 && bars[0] == 0 && bars.last() == Some(&(line.len() - 1))
}

/// The cells between bars of markdown.
fn between<'r>(line: &'r str, bars: &'r [usize]) -> impl Iterator<Item = Range<usize>> + 'r {
    bars.windows(2).map(|bars| trimmed(line, bars[0] + 1..bars[1]))
}

/// How the rule above a row begins.
const RECORD: &str = "-[ RECORD ";

fn record_number(line: &str) -> Option<usize> {
    let (number, rest) = line.strip_prefix(RECORD)?.split_once(" ]")?;
    rest.bytes().all(|byte| matches!(byte, b'-' | b'+')).then(|| number.parse().ok())?
}

/// Reads rows from the first one on, which has all columns.
fn records<'a>(text: &'a str, rule: Line<'a>, rows: &mut Rows<'a>) -> Option<usize> {
    let mut count = record_number(rule.text).filter(|number| *number == 1)?;
    let (bar, names) = first_record(text, rule.next)?;
    if !rows.columns(names.iter().copied()) {
        return None;
    }
    let (mut end, mut column) = (rule.next, 0);
    rows.row();
    while let Some(line) = Line::at(text, end).filter(|line| is_of_record(*line)) {
        if line.text.starts_with(RECORD) {
            count = record_number(line.text).filter(|next| *next == count + 1)?;
            rows.row();
            column = 0;
        } else {
            let key = line.text.get(..bar)?.trim_end_matches(' ');
            if !is_bar(line.text, bar) {
                return None;
            }
            column += names[column..].iter().position(|name| *name == key)?;
            let start = line.start + (bar + 2).min(line.text.len());
            rows.cell(column, start..line.start + line.text.len());
            column += 1;
        }
        end = line.next;
    }
    Some(end)
}

/// Whether a line is still one of the table.
fn is_of_record(line: Line<'_>) -> bool {
    !(line.text.is_empty() || line.text.starts_with('(') && line.text.ends_with(')'))
}

fn is_bar(line: &str, at: usize) -> bool {
    let bytes = line.as_bytes();
    bytes.get(at) == Some(&b'|')
        && bytes[at - 1] == b' '
        && bytes.get(at + 1).is_none_or(|next| *next == b' ')
}

/// Where the bars stand, and the keys before them: at the one place where all lines of the first row have one.
fn first_record(text: &str, start: usize) -> Option<(usize, Vec<&str>)> {
    let is_pair = |line: &Line<'_>| is_of_record(*line) && !line.text.starts_with(RECORD);
    let lines = || Line::all(text, start).take_while(is_pair).map(|line| line.text);
    let line = lines().next()?;
    let mut bars: Vec<_> =
        memchr::memchr_iter(b'|', line.as_bytes()).filter(|at| *at > 0 && is_bar(line, *at)).collect();
    lines().for_each(|line| bars.retain(|at| is_bar(line, *at)));
    let [bar] = bars[..] else { return None };
    let keys = lines().map(|line| line.get(..bar).map(|key| key.trim_end_matches(' ')));
    let keys: Vec<_> = keys.collect::<Option<_>>()?;
    keys.iter().all(|key| key.is_ascii()).then_some((bar, keys))
}

//! Rows taken apart into cells and the gaps between them, with the rule of each gap.

use super::template::Fill;

/// How rows are split into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// At every run of blanks.
    Words,
    /// At two or more blanks, at tabs and at line breaks.
    Cells,
    /// At blanks, for this many words of each line; the rest of the line is one cell.
    Head(usize),
}

/// How rows become columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) split: Split,
    /// Whether the last cell of a row stays in one piece: a sentence that gives a reason is read whole.
    pub(super) keeps_end: bool,
}

/// Most words of a row: no table has more.
const MOST_WORDS: usize = 64;

/// Cells by column, and the text before each column and behind the last.
pub(super) struct Grid<'a> {
    pub(super) cells: Vec<Vec<&'a str>>,
    /// One more than there are columns.
    pub(super) gaps: Vec<String>,
    pub(super) fills: Vec<Option<Fill>>,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

/// Puts the start and end offset of each cell of a row into `out`; false if there are too many.
fn words(row: &str, split: Split, out: &mut Vec<(u32, u32)>) -> bool {
    out.clear();
    let bytes = row.as_bytes();
    let most = if let Split::Head(words) = split { words } else { usize::MAX };
    let mut at = 0;
    let mut on_line = 0;
    while at < bytes.len() {
        while at < bytes.len() && is_blank(bytes[at]) {
            on_line = if bytes[at] == b'\n' { 0 } else { on_line };
            at += 1;
        }
        if at == bytes.len() {
            break;
        }
        let start = at;
        if on_line == most {
            at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            let end = start + row[start..at].trim_end_matches([' ', '\t']).len();
            out.push((start as u32, end as u32));
            continue;
        }
        on_line += 1;
        if out.len() == MOST_WORDS {
            return false;
        }
        let ends = |at: usize| {
            is_blank(bytes[at])
                && (split != Split::Cells
                    || bytes[at] != b' '
                    || bytes.get(at + 1).is_none_or(|&byte| is_blank(byte)))
        };
        at = (at..bytes.len()).find(|&at| ends(at)).unwrap_or(bytes.len());
        out.push((start as u32, at as u32));
    }
    true
}

impl<'a> Grid<'a> {
    /// Takes rows apart; `None` where the rows differ in their number of cells, or where a gap follows no rule.
    pub(super) fn of(rows: &[&'a str], split: Split) -> Option<Self> {
        let mut found = Vec::new();
        if !words(rows.first()?, split, &mut found) {
            return None;
        }
        let columns = found.len();
        let mut cells = vec![Vec::with_capacity(rows.len()); columns];
        let mut between: Vec<Vec<&'a str>> = vec![Vec::with_capacity(rows.len()); columns + 1];
        for row in rows {
            if !words(row, split, &mut found) || found.len() != columns {
                return None;
            }
            let mut end = 0;
            for (column, &(from, to)) in found.iter().enumerate() {
                between[column].push(&row[end..from as usize]);
                cells[column].push(&row[from as usize..to as usize]);
                end = to as usize;
            }
            between[columns].push(&row[end..]);
        }
        let mut grid = Self { cells, gaps: Vec::with_capacity(columns + 1), fills: vec![None; columns] };
        between.iter().enumerate().all(|(gap, texts)| grid.settle(gap, texts)).then_some(grid)
    }

    /// Finds the rule of a gap: the same text in all rows, or the padding of a cell beside it. Returns whether there is
    /// a rule.
    fn settle(&mut self, gap: usize, texts: &[&str]) -> bool {
        if texts.iter().all(|text| *text == texts[0]) {
            self.gaps.push(texts[0].to_owned());
            return true;
        }
        if texts.iter().any(|text| text.bytes().any(|byte| byte != b' ')) {
            return false;
        }
        let Some((left, right, blanks)) = self.padding(gap, texts) else { return false };
        if let Some(width) = left {
            self.fills[gap - 1] = Some(Fill { width, right: false });
        }
        if let Some(width) = right {
            self.fills[gap] = Some(Fill { width, right: true });
        }
        self.gaps.push(" ".repeat(blanks));
        true
    }

    /// The widths to which the cells before and behind a gap of blanks are padded, and the blanks between them.
    fn padding(&self, gap: usize, texts: &[&str]) -> Option<(Option<usize>, Option<usize>, usize)> {
        let lengths = |column: usize| self.cells[column].iter().map(|cell| cell.chars().count());
        let least = texts.iter().map(|text| text.len()).min().unwrap_or(0);
        let free_left = gap > 0 && self.fills[gap - 1].is_none();
        if free_left && let Some(width) = width(lengths(gap - 1), texts, least) {
            return Some((Some(width), None, least));
        }
        if gap == self.cells.len() {
            return None;
        }
        if let Some(width) = width(lengths(gap), texts, least) {
            return Some((None, Some(width), least));
        }
        if !free_left {
            return None;
        }
        // Both: the cell before is padded on its right, the cell behind on its left.
        let left = lengths(gap - 1).max().unwrap_or(0);
        let rests =
            texts.iter().zip(lengths(gap - 1)).map(|(text, length)| text.len().checked_sub(left - length));
        let rests: Vec<usize> = rests.collect::<Option<_>>()?;
        let least = rests.iter().copied().min().unwrap_or(0);
        let total = rests[0] + self.cells[gap][0].chars().count();
        let fits = rests.iter().zip(lengths(gap)).all(|(rest, length)| rest + length == total);
        (fits && total > least).then(|| (Some(left), Some(total - least), least))
    }
}

/// The width to which cells of these lengths are padded, if each gap is the padding and `least` blanks.
fn width(lengths: impl Iterator<Item = usize> + Clone, gaps: &[&str], least: usize) -> Option<usize> {
    let ends = lengths.clone().zip(gaps).map(|(length, gap)| length + gap.len());
    let width = ends.clone().min()? - least;
    let fits = lengths.zip(gaps).all(|(length, gap)| width.saturating_sub(length) + least == gap.len());
    (fits && width > 0 && width <= 4096).then_some(width)
}

//! Tables of text: one blank between cells in place of alignment. A cell that is empty or has a blank in it is quoted,
//! so that the cells stay apart; after a success a column that has one value in every row is stated once.

use std::borrow::Cow;

use super::super::lines::{Cut, Lines, is_mark};
use super::listing;

/// A column is stated once from this many rows on.
const FEWEST_ROWS: usize = 4;

/// Squeezes every table in `lines`: once more while what was squeezed makes other rows fit.
pub fn squeeze(lines: &mut Lines<'_>, succeeded: bool) {
    const MOST: usize = 4;
    for _ in 0..MOST {
        if !squeeze_once(lines, succeeded) {
            return;
        }
    }
}

/// Whether anything changed.
fn squeeze_once(lines: &mut Lines<'_>, succeeded: bool) -> bool {
    let mut cuts = Vec::new();
    let stated = succeeded && listing::state_once(lines, &mut cuts);
    let (mut at, mut end, mut changed) = (0, 0, false);
    while at < lines.len() {
        if at >= end {
            end = at + (at..lines.len()).take_while(|at| is_row(lines.get(*at))).count();
        }
        if let Some(gaps) = listing::gaps(lines.get(at)) {
            changed |= !stated && squeeze_line(lines, at, gaps);
            at += 1;
            continue;
        }
        let seen = if at + 1 < end && is_rule_row(lines.get(at + 1)) && lines.get(at).contains(&b'|') {
            ruled(lines, at, end)
        } else if end - at.min(end) >= 2 {
            block(lines, at, end, succeeded, &mut cuts)
        } else {
            (end.max(at + 1) - at, false)
        };
        at += seen.0;
        changed |= seen.1;
    }
    changed |= !cuts.is_empty();
    cuts.sort_by_key(|cut| cut.start);
    lines.cut(cuts);
    changed
}

/// Sets a line. Whether it was another.
fn set(lines: &mut Lines<'_>, at: usize, out: Vec<u8>) -> bool {
    let differs = out.as_slice() != lines.get(at);
    if differs {
        lines.set(at, out);
    }
    differs
}

fn is_row(line: &[u8]) -> bool {
    !line.trim_ascii().is_empty() && !is_mark(line) && line.is_ascii() | std::str::from_utf8(line).is_ok()
}

/// `----+-----` or `|---|---|`.
fn is_rule_row(line: &[u8]) -> bool {
    let body = line.trim_ascii();
    body.len() > 2 && body.iter().all(|byte| b"-+|:= ".contains(byte)) && body.contains(&b'-')
}

/// A table with lines drawn between its columns (psql, mysql): no alignment beside them. Returns how many lines were
/// looked at, and whether one changed.
fn ruled(lines: &mut Lines<'_>, start: usize, end: usize) -> (usize, bool) {
    let mut changed = false;
    let columns = |line: &[u8]| memchr::memchr_iter(b'|', line).count();
    let header = columns(lines.get(start));
    let rows = (start + 2..end).take_while(|at| columns(lines.get(*at)) == header).count();
    for at in (start..start + 2 + rows).filter(|at| *at != start + 1) {
        let cells: Vec<&[u8]> = lines.get(at).split(|byte| *byte == b'|').map(<[u8]>::trim_ascii).collect();
        changed |= set(lines, at, cells.join(&b" | "[..]).trim_ascii().to_vec());
    }
    (rows + 2, changed)
}

/// Squeezes the table that begins at `start`, if one does. Returns how many lines were looked at, and whether one
/// changed.
fn block(
    lines: &mut Lines<'_>,
    start: usize,
    end: usize,
    succeeded: bool,
    cuts: &mut Vec<Cut>,
) -> (usize, bool) {
    let text = |at: usize| std::str::from_utf8(lines.get(at)).unwrap_or_default();
    if is_entry(text(start)) {
        return (1, false);
    }
    let (mut starts, narrow) = column_starts(text(start));
    if starts.len() >= 2 {
        let rows = (start + 1..end).take_while(|at| is_aligned(text(*at), &starts)).count();
        starts.extend(
            narrow
                .into_iter()
                .filter(|column| (start + 1..=start + rows).all(|at| begins(text(at), *column))),
        );
        starts.sort_unstable();
        let cells: Vec<Vec<&str>> = (start..=start + rows).map(|at| cells(text(at), &starts)).collect();
        if rows > 0 && !is_misread(&cells) {
            let Some((table, once)) = rewrite(&cells, succeeded) else {
                return (rows + 1, false);
            };
            let mut changed = false;
            let indent = text(start).len() - text(start).trim_start().len();
            let indent = " ".repeat(indent);
            for (step, row) in table.into_iter().enumerate() {
                changed |= set(lines, start + step, format!("{indent}{row}").into_bytes());
            }
            if let Some(once) = once {
                let mark = format!("{indent}… in every row: {once}");
                cuts.push(Cut { start, end: start, mark: Some(mark) });
            }
            return (rows + 1, changed);
        }
    }
    words(lines, start, end)
}

/// `Name:   web` is no header.
fn is_entry(line: &str) -> bool {
    line.contains(": ") || line.trim_end().ends_with(':')
}

/// Where the columns of a header begin, in characters: behind two blanks and more, and perhaps behind one.
fn column_starts(header: &str) -> (Vec<usize>, Vec<usize>) {
    let (mut wide, mut narrow) = (Vec::new(), Vec::new());
    let mut blanks = 2;
    for (at, c) in header.chars().enumerate() {
        if c == '\t' {
            return (Vec::new(), Vec::new());
        }
        if c == ' ' {
            blanks += 1;
            continue;
        }
        match blanks {
            0 => {}
            1 => narrow.push(at),
            _ => wide.push(at),
        }
        blanks = 0;
    }
    (wide, narrow)
}

/// Whether a word of a row begins at a column.
fn begins(row: &str, column: usize) -> bool {
    let mut around = row.chars().skip(column.saturating_sub(1));
    around.next() == Some(' ') && around.next().is_some_and(|c| c != ' ')
}

/// Whether one header names several columns of narrow numbers (`Used Avail Use%`).
fn is_misread(cells: &[Vec<&str>]) -> bool {
    let (header, rows) = (&cells[0], &cells[1..]);
    let is_wide = |column: usize| rows.iter().any(|row| row[column].contains("  "));
    (0..header.len()).any(|column| header[column].contains(' ') && is_wide(column))
}

/// Whether no cell of a row begins left of its column, with all blanks before.
fn is_aligned(row: &str, starts: &[usize]) -> bool {
    let mut next = starts.iter().peekable();
    let mut before = ' ';
    for (at, c) in row.chars().enumerate() {
        while next.peek().is_some_and(|start| **start < at) {
            next.next();
        }
        if next.peek() == Some(&&at) && at > 0 && before != ' ' || c == '\t' {
            return false;
        }
        before = c;
    }
    let first = row.chars().take_while(|c| *c == ' ').count();
    starts.contains(&first)
}

fn cells<'a>(row: &'a str, starts: &[usize]) -> Vec<&'a str> {
    let mut offsets = row.char_indices().map(|(at, _)| at).enumerate();
    let mut byte_of =
        |column: usize| offsets.find(|(at, _)| *at == column).map_or(row.len(), |(_, byte)| byte);
    let mut bounds: Vec<usize> = starts.iter().map(|start| byte_of(*start)).collect();
    bounds.push(row.len());
    bounds.windows(2).map(|pair| row[pair[0]..pair[1]].trim()).collect()
}

/// The rows, the header first, and the columns that are stated once.
fn rewrite(cells: &[Vec<&str>], succeeded: bool) -> Option<(Vec<String>, Option<String>)> {
    let columns = cells[0].len();
    let rows = &cells[1..];
    let is_constant = |column: usize| {
        let value = rows[0][column];
        succeeded
            && rows.len() >= FEWEST_ROWS
            && column > 0
            && !value.is_empty()
            && !is_rule(value)
            && rows.iter().all(|row| row[column] == value || is_rule(row[column]))
    };
    let constant: Vec<usize> = (0..columns).filter(|column| is_constant(*column)).collect();
    let left: Vec<usize> = (0..columns).filter(|column| !constant.contains(column)).collect();
    let mut table = Vec::with_capacity(cells.len());
    for (number, row) in cells.iter().enumerate() {
        let mut line: Vec<Cow<'_, str>> = Vec::with_capacity(left.len());
        for column in &left {
            let is_last = *column == columns - 1 && number > 0;
            line.push(if is_last { Cow::Borrowed(row[*column]) } else { quoted(row[*column])? });
        }
        table.push(line.join(" ").trim_end().to_owned());
    }
    let once: Vec<String> =
        constant.iter().map(|column| format!("{} {}", cells[0][*column], rows[0][*column])).collect();
    Some((table, (!once.is_empty()).then(|| once.join(", "))))
}

/// A cell of dashes under a header.
fn is_rule(cell: &str) -> bool {
    cell.len() >= 3 && cell.bytes().all(|byte| matches!(byte, b'-' | b'='))
}

/// A cell that stays apart from its neighbours; `None` where it cannot.
fn quoted(cell: &str) -> Option<Cow<'_, str>> {
    if !cell.is_empty() && !cell.contains([' ', '"']) {
        return Some(Cow::Borrowed(cell));
    }
    let inner = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.is_empty() && !inner.contains('"') => Some(Cow::Borrowed(cell)),
        _ if cell.contains('"') => None,
        _ => Some(Cow::Owned(format!("\"{cell}\""))),
    }
}

/// Rows of as many words as the header, or of more where the last column is a text: blanks between become one.
/// Returns how many lines were looked at, and whether one changed.
fn words(lines: &mut Lines<'_>, start: usize, end: usize) -> (usize, bool) {
    let header = spans(lines.get(start));
    let columns = header.len().min(spans(lines.get(start + 1)).len());
    if columns < 3 {
        return (1, false);
    }
    // A quoted cell is no word: such a table was squeezed before.
    let has_quotes = |at: usize| lines.get(at).contains(&b'"');
    if has_quotes(start) {
        return (1, false);
    }
    let fits = |at: &usize| {
        let row = if has_quotes(*at) { Vec::new() } else { spans(lines.get(*at)) };
        let overlap =
            |(cell, title): (&(usize, usize), &(usize, usize))| cell.0 < title.1 && title.0 < cell.1;
        row.len() == columns && header.len() == columns
            || row.len() >= columns && row[..columns - 1].iter().zip(&header).all(overlap)
    };
    let rows = (start + 1..end).take_while(fits).count();
    if rows == 0 {
        return (1, false);
    }
    let mut changed = false;
    for at in start..=start + rows {
        changed |= squeeze_line(lines, at, columns - 1);
    }
    (rows + 1, changed)
}

/// Where the words of a line begin and end.
pub(super) fn spans(line: &[u8]) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for at in (0..line.len()).filter(|at| !line[*at].is_ascii_whitespace()) {
        match spans.last_mut().filter(|span| span.1 == at) {
            Some(span) => span.1 = at + 1,
            None => spans.push((at, at + 1)),
        }
    }
    spans
}

/// One blank in place of each of the first `gaps` runs of them; what follows stays as it is.
fn squeeze_line(lines: &mut Lines<'_>, at: usize, gaps: usize) -> bool {
    let line = lines.get(at);
    let spans = spans(line);
    let mut out = Vec::with_capacity(line.len());
    out.extend_from_slice(&line[..spans.first().map_or(0, |span| span.0)]);
    for (number, span) in spans.iter().enumerate() {
        if number > 0 {
            out.push(b' ');
        }
        if number == gaps || number + 1 == spans.len() {
            out.extend_from_slice(line[span.0..].trim_ascii_end());
            break;
        }
        out.extend_from_slice(&line[span.0..span.1]);
    }
    set(lines, at, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str, succeeded: bool) -> String {
        let mut lines = Lines::new(text.as_bytes());
        squeeze(&mut lines, succeeded);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        squeeze(&mut again, succeeded);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once");
        out
    }

    #[test]
    fn cells_stay_apart() {
        let text = "CONTAINER ID   IMAGE     PORTS      STATUS\n\
                    4f2a9c1d88e0   web:1     80/tcp     Up 2 hours\n\
                    a81c22bb01ff   db                   Up  3 hours\n";
        let out = "\"CONTAINER ID\" IMAGE PORTS STATUS\n\
                   4f2a9c1d88e0 web:1 80/tcp Up 2 hours\na81c22bb01ff db \"\" Up  3 hours\n";
        assert_eq!(squeezed(text, true), out);
    }

    #[test]
    fn a_column_of_one_value_is_stated_once() {
        let rows: String = (0..5).map(|n| format!("web-{n}   1/1     <none>\n")).collect();
        let text = format!("NAME    READY   GATE\n{rows}");
        let names: String = (0..5).map(|n| format!("web-{n}\n")).collect();
        assert_eq!(squeezed(&text, true), format!("… in every row: READY 1/1, GATE <none>\nNAME\n{names}"));
        assert!(squeezed(&text, false).contains("web-4 1/1 <none>\n"));
    }

    #[test]
    fn right_aligned_columns_and_listings() {
        let df = "Filesystem      Size  Used Avail Use% Mounted on\n\
                  /dev/sda1        98G   12G   81G  13% /\ntmpfs           1.8G     0  1.8G   0% /dev/shm\n";
        let out = "Filesystem Size Used Avail Use% Mounted on\n/dev/sda1 98G 12G 81G 13% /\ntmpfs 1.8G 0 1.8G 0% /dev/shm\n";
        assert_eq!(squeezed(df, true), out);
        let ls = "total 8\n-rw-r--r--  1 me  me    402 Nov 21 15:05 a  b\n";
        assert_eq!(squeezed(ls, true), "total 8\n-rw-r--r-- 1 me me 402 Nov 21 15:05 a  b\n");
    }

    #[test]
    fn drawn_columns_keep_their_lines() {
        let text = " id | name  | note \n----+-------+------\n  1 | a  b  | x\n 22 |       | \n(2 rows)\n";
        let out = "id | name | note\n----+-------+------\n1 | a  b | x\n22 |  |\n(2 rows)\n";
        assert_eq!(squeezed(text, true), out);
    }

    #[test]
    fn what_does_not_fit_its_columns_stays() {
        for text in [
            "Proto State   Address  Program\nudp            1.2.3.4  x\ntcp   LISTEN  1.2.3.4  y\n",
            "a text    of two\nlines that are no table\n",
            "NAME   SAYS\nx      say \"a b\" and c\ny      \"z\n",
        ] {
            let out = squeezed(text, true);
            assert!(out.contains("LISTEN") || out == text || out.contains("say \"a b\" and c"), "{out}");
        }
    }
}

//! Rows of words: a table without wide gaps, or with numbers to the right.

use super::super::super::lines::Lines;
use super::set;

/// Rows of as many words as the header, or of more where the last column is a text: blanks between become one.
/// Returns how many lines were looked at, and whether one changed.
pub(super) fn squeeze(lines: &mut Lines<'_>, start: usize, end: usize) -> (usize, bool) {
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
pub(in super::super) fn spans(line: &[u8]) -> Vec<(usize, usize)> {
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
pub(super) fn squeeze_line(lines: &mut Lines<'_>, at: usize, gaps: usize) -> bool {
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

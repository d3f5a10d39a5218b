//! Lines of `ls -l` and `find -ls`: no header, the file's kind and rights first, its name last.

use super::super::lines::{Cut, Lines};
use super::table::spans;

/// Gaps between the columns of `ls -l`.
const LS_GAPS: usize = 8;
/// `find -ls` has the inode and the blocks in front.
const FIND_GAPS: usize = 10;
/// Fewer lines keep what all of them say.
const FEWEST: usize = 6;
/// Owner and group, and the date's three words, counted from the rights.
const COLUMNS: [(usize, usize, &str); 2] = [(2, 4, "owner and group"), (5, 8, "date")];

/// The gaps between columns in a line of a listing.
pub fn gaps(line: &[u8]) -> Option<usize> {
    let is_mode = |word: &[u8]| {
        (10..=11).contains(&word.len())
            && b"-dlbcps".contains(&word[0])
            && word[1..10].iter().all(|byte| b"rwxsStT-".contains(byte))
    };
    let spans = spans(line);
    let word = |at: usize| spans.get(at).map(|span| &line[span.0..span.1]);
    if word(0).is_some_and(is_mode) {
        return Some(LS_GAPS);
    }
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    (word(2).is_some_and(is_mode) && word(0).is_some_and(is_number) && word(1).is_some_and(is_number))
        .then_some(FIND_GAPS)
}

/// Takes owner, group and date out of every line where all lines say the same, and puts a mark above the first.
/// Whether there is such a mark, from now or before: then file names begin elsewhere.
pub fn state_once(lines: &mut Lines<'_>, cuts: &mut Vec<Cut>) -> bool {
    if lines.iter().any(|line| line.starts_with("… every file's".as_bytes())) {
        return true;
    }
    let rows: Vec<(usize, usize)> =
        (0..lines.len()).filter_map(|at| Some((at, gaps(lines.get(at))?))).collect();
    let Some((first, first_gaps)) = rows.first().copied().filter(|_| rows.len() >= FEWEST) else {
        return false;
    };
    let words = |(at, gaps): (usize, usize), from: usize, to: usize| -> Option<String> {
        let (line, spans) = (lines.get(at), spans(lines.get(at)));
        let from = from + gaps - LS_GAPS;
        let words = spans.get(from..to + gaps - LS_GAPS).filter(|_| spans.len() > gaps)?;
        let words: Vec<_> = words.iter().map(|span| String::from_utf8_lossy(&line[span.0..span.1])).collect();
        Some(words.join(" "))
    };
    let mut gone = Vec::new();
    let mut said = Vec::new();
    for (from, to, what) in COLUMNS {
        let value = words((first, first_gaps), from, to);
        if let Some(value) =
            value.filter(|value| rows.iter().all(|row| words(*row, from, to).as_ref() == Some(value)))
        {
            gone.extend(from..to);
            said.push(format!("{what} “{value}”"));
        }
    }
    if said.is_empty() {
        return false;
    }
    for (at, gaps) in rows {
        let line = lines.get(at);
        let spans = spans(line);
        let kept = (0..gaps).filter(|column| !gone.contains(&(column + LS_GAPS).wrapping_sub(gaps)));
        let mut out: Vec<&[u8]> = kept.map(|column| &line[spans[column].0..spans[column].1]).collect();
        out.push(line[spans[gaps].0..].trim_ascii_end());
        let out = out.join(&b' ');
        lines.set(at, out);
    }
    cuts.push(Cut { start: first, end: first, mark: Some(format!("… every file's {}", said.join(", "))) });
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_line_says_is_stated_once() {
        let rows: String =
            (0..7).map(|n| format!("-rw-r--r--   1 me  us   40{n} Nov 21 10:16 a  {n}\n")).collect();
        let text = format!("total 8\n{rows}");
        let mut lines = Lines::new(text.as_bytes());
        let mut cuts = Vec::new();
        assert!(state_once(&mut lines, &mut cuts));
        lines.cut(cuts);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        let rows: String = (0..7).map(|n| format!("-rw-r--r-- 1 40{n} a  {n}\n")).collect();
        assert_eq!(
            out,
            format!("total 8\n… every file's owner and group “me us”, date “Nov 21 10:16”\n{rows}")
        );
    }
}

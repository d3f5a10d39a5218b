//! Tables of text: one blank between cells in place of alignment. A cell that is empty or has a blank in it is quoted,
//! so that the cells stay apart; after a success a column that has one value in every row is stated once.

mod aligned;
mod words;

use super::super::lines::{Lines, is_mark};
use super::listing;
pub(super) use words::spans;

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
            changed |= !stated && words::squeeze_line(lines, at, gaps);
            at += 1;
            continue;
        }
        let seen = if at + 1 < end && is_rule_row(lines.get(at + 1)) && lines.get(at).contains(&b'|') {
            ruled(lines, at, end)
        } else if end - at.min(end) >= 2 {
            aligned::squeeze(lines, at, end, succeeded, &mut cuts)
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

//! Lists of places (`find`, `grep -n`, `sysctl -a`): what several lines in a row begin with, a directory, a file or a
//! name, stands once above them, and they follow it behind one blank.

use super::super::lines::{Cut, Lines, is_mark};

/// Fewer lines with one beginning stay.
const FEWEST: usize = 3;
/// A shorter beginning stays.
const SHORTEST: usize = 6;

/// Puts common beginnings above their lines, but not where a line that begins with a blank of its own comes next.
pub fn head(lines: &mut Lines<'_>) {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let length = beginning(lines.get(at));
        let start = lines.get(at)[..length].to_vec();
        let is_under = |at: &usize| {
            let line = lines.get(*at);
            beginning(line) == length && line.starts_with(&start) && line.len() > length && !is_mark(line)
        };
        let end = at + (at..lines.len()).take_while(is_under).count();
        let is_clear = end == lines.len() || !lines.get(end).starts_with(b" ");
        if length >= SHORTEST && end - at >= FEWEST && is_clear {
            let rows: Vec<Vec<u8>> = (at..end).map(|at| [b" ", &lines.get(at)[length..]].concat()).collect();
            for (step, row) in rows.into_iter().enumerate() {
                lines.set(at + step, row);
            }
            if let Ok(start) = String::from_utf8(start) {
                cuts.push(Cut { start: at, end: at, mark: Some(start) });
            }
        }
        at = end.max(at + 1);
    }
    lines.cut(cuts);
}

/// The length of what a line may share with its neighbours: `src/a.rs:` of a match, `src/` of a path, `kern.ipc.` of
/// a setting.
fn beginning(line: &[u8]) -> usize {
    let key_ends = line.iter().position(|byte| matches!(byte, b':' | b'=' | b' ' | b'\t')).unwrap_or(line.len());
    let key = &line[..key_ends];
    let number = line.get(key_ends + 1).is_some_and(u8::is_ascii_digit);
    let after = line[key_ends..].iter().skip(1).find(|byte| !byte.is_ascii_digit());
    let is_match = line.get(key_ends) == Some(&b':') && number && matches!(after, Some(b':' | b'-'));
    if is_match {
        return key_ends + 1;
    }
    let is_path = key_ends == line.len();
    let sign = if is_path { b'/' } else { b'.' };
    key.iter().rposition(|byte| *byte == sign).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headed(text: &str) -> String {
        let mut lines = Lines::new(text.as_bytes());
        head(&mut lines);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        head(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once:\n{out}");
        out
    }

    #[test]
    fn a_common_beginning_stands_once() {
        for (text, out) in [
            ("src/dir/a.rs\nsrc/dir/b.rs\nsrc/dir/c.rs\nREADME\n", "src/dir/\n a.rs\n b.rs\n c.rs\nREADME\n"),
            ("src/a.rs:1:fn a\nsrc/a.rs:22:  b: c\nsrc/a.rs:3:x\n", "src/a.rs:\n 1:fn a\n 22:  b: c\n 3:x\n"),
            ("kern.ipc.a: 1\nkern.ipc.b: 2\nkern.ipc.c: 3\n", "kern.ipc.\n a: 1\n b: 2\n c: 3\n"),
            ("a/b\na/c\na/d\n", "a/b\na/c\na/d\n"),
            ("src/dir/b\nsrc/dir/c\nsrc/dir/d\n e\n", "src/dir/b\nsrc/dir/c\nsrc/dir/d\n e\n"),
        ] {
            assert_eq!(headed(text), out);
        }
    }
}

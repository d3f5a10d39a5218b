//! Lists of places (`find`, `grep -n`, `sysctl -a`): what several lines in a row begin with, a directory, a file or a
//! name, stands once above them, and they follow it behind one blank.

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::super::lines::{Cut, Lines, is_mark};

/// Fewer lines with one beginning stay; of a long beginning, one fewer.
const FEWEST: usize = 3;
/// A shorter beginning stays, in bytes.
const SHORTEST: usize = 6;
/// A beginning that is long.
const LONG: usize = 40;

/// Puts common beginnings above their lines, but not where a line that begins with a blank of its own comes next.
pub fn head(lines: &mut Lines<'_>) {
    let mut cuts = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let (length, _) = beginning(lines.get(at));
        let start = lines.get(at)[..length].to_vec();
        let is_under = |at: &usize| {
            let line = lines.get(*at);
            beginning(line).0 == length && line.starts_with(&start) && line.len() > length && !is_mark(line)
        };
        let end = at + (at..lines.len()).take_while(is_under).count();
        let is_clear = end == lines.len() || !lines.get(end).starts_with(b" ");
        let fewest = FEWEST - usize::from(length >= LONG);
        if length >= SHORTEST && end - at >= fewest && is_clear {
            for at in at..end {
                let line = lines.get(at);
                let row = [b" ", &line[beginning(line).1..]].concat();
                lines.set(at, row);
            }
            if let Ok(start) = String::from_utf8(start) {
                cuts.push(Cut { start: at, end: at, mark: Some(start) });
            }
        }
        at = end.max(at + 1);
    }
    lines.cut(cuts);
}

/// `082245da src/main.rs (A U Thor   2023-10-16 18:05:39 -0400   1) text` up to the line's number.
static BLAME: Lazy<Option<Regex>> = Lazy::new(|| {
    Regex::new(r"(?-u)^(\^?[0-9a-f]{7,40} [^()]*\(.* \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} ) *").ok()
});
/// Where the author stands in such a line at the latest, in bytes.
const AUTHOR: usize = 200;

/// The length of what a line may share with its neighbours, and with the blanks behind it: `src/a.rs:` of a match,
/// `src/` of a path, `kern.ipc.` of a setting, `tests/a.py::` of a test, who wrote a line and when.
fn beginning(line: &[u8]) -> (usize, usize) {
    let may_be_blame = line.first().is_some_and(|byte| byte.is_ascii_hexdigit() || *byte == b'^')
        && memchr::memchr(b'(', &line[..line.len().min(AUTHOR)]).is_some();
    if may_be_blame
        && let Some(found) = BLAME.as_ref().and_then(|blame| blame.captures(line))
        && let (Some(whole), Some(shared)) = (found.get(0), found.get(1))
    {
        return (shared.end(), whole.end());
    }
    let length = job(line).unwrap_or_else(|| place(line));
    (length, length)
}

/// The length of the job, its step, the day, the hour and the minute in front of a line of `gh run view --log`.
fn job(line: &[u8]) -> Option<usize> {
    const STAMP: &[u8] = b"0000-00-00T00:00:";
    let mut tabs = memchr::memchr_iter(b'\t', line);
    let start = tabs.next().and(tabs.next())? + 1;
    let stamp = line.get(start..start + STAMP.len())?;
    let fits = |(sign, byte): (&u8, &u8)| if *sign == b'0' { byte.is_ascii_digit() } else { sign == byte };
    STAMP.iter().zip(stamp).all(fits).then_some(start + STAMP.len())
}

fn place(line: &[u8]) -> usize {
    if let Some(at) = memchr::memmem::find(line, b"::").filter(|at| !line[..*at].contains(&b' ')) {
        return at + 2;
    }
    let key_ends =
        line.iter().position(|byte| matches!(byte, b':' | b'=' | b' ' | b'\t')).unwrap_or(line.len());
    let key = &line[..key_ends];
    let number = line.get(key_ends + 1).is_some_and(u8::is_ascii_digit);
    let after = line[key_ends..].iter().skip(1).find(|byte| !byte.is_ascii_digit());
    if line.get(key_ends) == Some(&b':') && number && matches!(after, Some(b':' | b'-')) {
        return key_ends + 1;
    }
    let sign = if key_ends == line.len() { b'/' } else { b'.' };
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
            (
                "082245da (A Thor   2023-10-16 18:05:39 -0400   9) a\n082245da (A Thor   2023-10-16 18:05:39 -0400  10)  b\n\
                 082245da (A Thor   2023-10-16 18:05:39 -0400  11)\n",
                "082245da (A Thor   2023-10-16 18:05:39 -0400 \n 9) a\n 10)  b\n 11)\n",
            ),
            ("kern.ipc.a: 1\nkern.ipc.b: 2\nkern.ipc.c: 3\n", "kern.ipc.\n a: 1\n b: 2\n c: 3\n"),
            (
                "a job\ta step\t2026-11-20T09:00:01.1Z x\na job\ta step\t2026-11-20T09:00:02.2Z \na job\ta step\t2026-11-20T09:00:03.3Z y: z\n",
                "a job\ta step\t2026-11-20T09:00:\n 01.1Z x\n 02.2Z \n 03.3Z y: z\n",
            ),
            ("a/b\na/c\na/d\n", "a/b\na/c\na/d\n"),
            ("src/dir/b\nsrc/dir/c\nsrc/dir/d\n e\n", "src/dir/b\nsrc/dir/c\nsrc/dir/d\n e\n"),
        ] {
            assert_eq!(headed(text), out);
        }
    }
}

//! Search results and findings, `path:line:text`: the path once, as `rg --heading -n` prints them.

/// Whether a text may be a path, as it stands in front of a line's number.
fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().any(u8::is_ascii_alphabetic)
        && bytes.iter().any(|byte| b"./".contains(byte))
        && !text.contains(char::is_whitespace)
        && !bytes.iter().any(|byte| *byte <= b' ' || b":\"\\".contains(byte))
}

/// Length of a line's number and the sign behind it, which is `:` behind that of a match, `-` behind that of a line around
/// it.
fn number(rest: &str, signs: &[u8]) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_number =
        (1..=9).contains(&digits) && rest.as_bytes().get(digits).is_some_and(|sign| signs.contains(sign));
    is_number.then_some(digits + 1)
}

/// The path of a match.
pub(super) fn path(line: &str) -> Option<&str> {
    let (path, rest) = line.split_once(':')?;
    (number(rest, b":").is_some() && is_path(path)).then_some(path)
}

/// The sign of a line that is a match in a file, or stands around one.
fn sign(line: &str, path: &str) -> Option<u8> {
    let rest = line.strip_prefix(path)?;
    let sign = *rest.as_bytes().first().filter(|sign| b":-".contains(sign))?;
    number(&rest[1..], &[sign]).map(|_| sign)
}

/// Lines around a match that are looked at.
const AROUND: usize = 100;
/// Stands between matches with lines around them.
const GAP: &str = "--";

/// Length in lines of the group of results of one file that `lines` begin with, and the file's path.
pub(super) fn group<'a>(lines: &[&'a str]) -> Option<(usize, &'a str)> {
    let first = *lines.first()?;
    let path = path(first).or_else(|| {
        let signs = || memchr::memchr_iter(b'-', first.as_bytes());
        // Most lines with a dash are no such line, and the lines below need not be looked at.
        let around = signs()
            .next()
            .filter(|at| *at > 0 && signs().any(|at| number(&first[at + 1..], b"-").is_some()))?;
        let start = &first[..around];
        let mut later = lines[1..].iter().take(AROUND).take_while(|line| line.starts_with(start));
        later.find_map(|line| path(line)).filter(|path| sign(first, path) == Some(b'-'))
    })?;
    let of_file = |line: &str| sign(line, path).is_some();
    let is_gap = |at: usize| lines[at] == GAP && lines.get(at + 1).is_some_and(|line| of_file(line));
    let length = (0..lines.len()).take_while(|&at| of_file(lines[at]) || is_gap(at)).count();
    Some((length, path))
}

/// Writes such a group.
pub(super) fn write(out: &mut String, lines: &[&str], path: &str) {
    out.push_str(path);
    for line in lines {
        out.push('\n');
        out.push_str(if *line == GAP { line } else { &line[path.len() + 1..] });
    }
    out.push('\n');
}

/// Reads a group; returns its length in lines, 0 where none begins here.
pub(super) fn read(out: &mut String, lines: &[&str]) -> usize {
    let sign = |line: &str| number(line, b":-").map(|length| char::from(line.as_bytes()[length - 1]));
    let Some(path) = lines.first().filter(|path| is_path(path)) else { return 0 };
    let mut length = 1;
    while let Some(line) = lines.get(length) {
        if let Some(sign) = sign(line) {
            out.push_str(path);
            out.push(sign);
        } else if *line != GAP || length == 1 || lines.get(length + 1).is_none_or(|line| sign(line).is_none())
        {
            break;
        }
        out.push_str(line);
        out.push('\n');
        length += 1;
    }
    if length == 1 { 0 } else { length }
}

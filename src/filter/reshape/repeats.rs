//! Several lines that already stood above, in the same order, become a mark that quotes the first and the last of
//! them: `… 14 lines as above, from “Labels: app=auth” to “Args:”`. A parse in the manner of LZ77, over lines.

use std::collections::HashMap;

use super::super::lines::{Cut, Lines, is_mark};

/// Fewer lines stay.
const FEWEST: usize = 4;
/// Fewer bytes than this stay: the mark costs some.
const FEWEST_BYTES: usize = 180;
/// Of a quoted line, in characters.
const LONGEST_QUOTE: usize = 48;

/// Folds repeated passages, once more while what went makes others come first. `signed`: the lines of a patch are
/// compared without their sign, so that code that moved is named, too; a passage has one sign.
pub fn fold(lines: &mut Lines<'_>, signed: bool) {
    const MOST: usize = 4;
    for _ in 0..MOST {
        if !fold_once(lines, signed) {
            return;
        }
    }
}

/// Whether there was one.
fn fold_once(lines: &mut Lines<'_>, signed: bool) -> bool {
    let ids = ids(lines, signed);
    let mut first: HashMap<[usize; FEWEST], usize> = HashMap::new();
    let mut cuts: Vec<Cut> = Vec::new();
    let mut at = 0;
    while at + FEWEST <= ids.len() {
        if text(lines.get(at), signed).trim_ascii().is_empty() {
            at += 1;
            continue;
        }
        let mut window = [0; FEWEST];
        window.copy_from_slice(&ids[at..at + FEWEST]);
        let from = *first.entry(window).or_insert(at);
        if let Some(length) = passage(lines, &ids, from, at, signed) {
            cuts.push(Cut { start: at, end: at + length, mark: Some(mark(lines, at, length, signed)) });
            at += length;
        } else {
            at += 1;
        }
    }
    let found = !cuts.is_empty();
    lines.leave_out(cuts.iter().map(|cut| cut.end - cut.start).sum());
    lines.cut(cuts);
    found
}

/// A number for each different line; marks are equal to nothing.
fn ids(lines: &Lines<'_>, signed: bool) -> Vec<usize> {
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    let mut id = |(at, line)| if is_mark(line) { at } else { *known.entry(text(line, signed)).or_insert(at) };
    lines.iter().enumerate().map(&mut id).collect()
}

/// The sign of a patch's line; a file's header has none.
fn sign(line: &[u8], signed: bool) -> Option<u8> {
    let is_header = line.starts_with(b"+++ ") || line.starts_with(b"--- ");
    line.first().copied().filter(|sign| signed && !is_header && matches!(sign, b'+' | b'-'))
}

fn text(line: &[u8], signed: bool) -> &[u8] {
    &line[usize::from(sign(line, signed).is_some())..]
}

/// The lines of the passage at `at` that stands at `from`, too, if they are worth a mark.
fn passage(lines: &Lines<'_>, ids: &[usize], from: usize, at: usize, signed: bool) -> Option<usize> {
    let most = (at - from).min(ids.len() - at);
    let first = sign(lines.get(at), signed);
    let is_same =
        |step: &usize| ids[from + step] == ids[at + step] && sign(lines.get(at + step), signed) == first;
    let mut length = (0..most).take_while(is_same).count();
    while length > 0 && text(lines.get(at + length - 1), signed).trim_ascii().is_empty() {
        length -= 1;
    }
    let bytes =
        (at..at + length).map(|at| lines.get(at).trim_ascii().len() + 1).take(FEWEST_BYTES).sum::<usize>();
    (length >= FEWEST && bytes >= FEWEST_BYTES).then_some(length)
}

fn mark(lines: &Lines<'_>, at: usize, length: usize, signed: bool) -> String {
    let kind = match sign(lines.get(at), signed) {
        Some(b'+') => "added ",
        Some(_) => "removed ",
        None => "",
    };
    let quoted = |at: usize| quote(text(lines.get(at), signed));
    format!("… {length} {kind}lines as above, from “{}” to “{}”", quoted(at), quoted(at + length - 1))
}

fn quote(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_named_by_its_ends() {
        let passage: String = (0..9).map(|n| format!("  setting {n} of the service: {}\n", n * n)).collect();
        let text = format!("one\n{passage}two\n{passage}three\n");
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines, false);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        let mark =
            "… 9 lines as above, from “setting 0 of the service: 0” to “setting 8 of the service: 64”\n";
        assert_eq!(out, format!("one\n{passage}two\n{mark}three\n"));
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again, false);
        assert_eq!(again.finish(out.as_bytes()), None);
    }
}

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

/// Folds repeated passages, once more while what went makes others come first.
pub fn fold(lines: &mut Lines<'_>) {
    const MOST: usize = 4;
    for _ in 0..MOST {
        if !fold_once(lines) {
            return;
        }
    }
}

/// Whether there was one.
fn fold_once(lines: &mut Lines<'_>) -> bool {
    let ids = ids(lines);
    let mut first: HashMap<[usize; FEWEST], usize> = HashMap::new();
    let mut cuts: Vec<Cut> = Vec::new();
    let mut at = 0;
    while at + FEWEST <= ids.len() {
        if lines.get(at).trim_ascii().is_empty() {
            at += 1;
            continue;
        }
        let mut window = [0; FEWEST];
        window.copy_from_slice(&ids[at..at + FEWEST]);
        let from = *first.entry(window).or_insert(at);
        if let Some(length) = passage(lines, &ids, from, at) {
            cuts.push(Cut { start: at, end: at + length, mark: Some(mark(lines, at, length)) });
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
fn ids(lines: &Lines<'_>) -> Vec<usize> {
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    let mut id = |(at, line)| if is_mark(line) { at } else { *known.entry(line).or_insert(at) };
    lines.iter().enumerate().map(&mut id).collect()
}

/// The lines of the passage at `at` that stands at `from`, too, if they are worth a mark.
fn passage(lines: &Lines<'_>, ids: &[usize], from: usize, at: usize) -> Option<usize> {
    let most = (at - from).min(ids.len() - at);
    let mut length = (0..most).take_while(|step| ids[from + step] == ids[at + step]).count();
    while length > 0 && lines.get(at + length - 1).trim_ascii().is_empty() {
        length -= 1;
    }
    let bytes =
        (at..at + length).map(|at| lines.get(at).trim_ascii().len() + 1).take(FEWEST_BYTES).sum::<usize>();
    (length >= FEWEST && bytes >= FEWEST_BYTES).then_some(length)
}

fn mark(lines: &Lines<'_>, at: usize, length: usize) -> String {
    let quoted = |at: usize| quote(lines.get(at));
    format!("… {length} lines as above, from “{}” to “{}”", quoted(at), quoted(at + length - 1))
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
        fold(&mut lines);
        let out = String::from_utf8(lines.finish(text.as_bytes()).unwrap().text).unwrap();
        let mark =
            "… 9 lines as above, from “setting 0 of the service: 0” to “setting 8 of the service: 64”\n";
        assert_eq!(out, format!("one\n{passage}two\n{mark}three\n"));
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again);
        assert_eq!(again.finish(out.as_bytes()), None);
    }
}

//! The rules for any text: of a run of equal lines one stays with a count, long base64 is replaced by its length.

use super::lines::{Cut, Lines};
use super::opaque;

/// Minimum length of a run of equal lines that is folded.
const FEWEST_EQUAL: usize = 3;
/// Minimum length of the lines that a mark replaces, in bytes: a mark may cost more tokens per byte than the lines.
const MARK_COST: usize = 48;

/// Replaces long base64 by its length, and all lines of a run of equal lines but the first by their count.
pub fn fold(lines: &mut Lines<'_>) {
    for at in 0..lines.len() {
        if let Some((text, count)) = opaque::shorten(lines.get(at)) {
            lines.set(at, text);
            lines.leave_out(count);
        }
    }
    let mut cuts = Vec::new();
    let mut start = 0;
    for at in 1..=lines.len() {
        if at == lines.len() || lines.get(at) != lines.get(start) {
            fold_equal(lines, start, at, &mut cuts);
            start = at;
        }
    }
    lines.cut(cuts);
}

fn fold_equal(lines: &Lines<'_>, start: usize, end: usize, cuts: &mut Vec<Cut>) {
    let line = lines.get(start);
    let goes = end - start - 1;
    if end - start >= FEWEST_EQUAL && !line.trim_ascii().is_empty() && goes * (line.len() + 1) >= MARK_COST {
        cuts.push(Cut::counted(start + 1, end, goes, "more times"));
    }
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "a test's text")]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines);
        lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8_lossy(&f.text).into_owned())
    }

    #[test]
    fn equal_lines_are_counted() {
        let text = "waiting for the server to come up\n".repeat(9);
        let want = "waiting for the server to come up\n… 8 more times\n";
        assert_eq!(folded(&text), want);
        assert_eq!(folded(want), want, "twice is once");
    }

    #[test]
    fn lines_that_differ_in_a_number_are_as_many_facts() {
        let log: String =
            (0..50).map(|n| format!("shard {n} finished with {} problems found\n", n % 7)).collect();
        assert_eq!(folded(&log), log);
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let text = b"\xff\xfe one\n".repeat(20);
        let mut lines = Lines::new(&text);
        fold(&mut lines);
        assert_eq!(lines.finish(&text).unwrap().text, b"\xff\xfe one\n\xe2\x80\xa6 19 more times\n");
    }
}

//! What holds for any text, with no filter: library frames of stack traces and runs of equal or near-equal lines
//! fold to a count, long hexadecimal and base64 are named.

use super::lines::{Cut, Lines};
use super::mask::mask;
use super::reason::says_why;
use super::{frames, opaque};

/// Fewer equal lines stay.
const FEWEST_EQUAL: usize = 3;
/// Fewer near-equal lines stay.
const FEWEST_NEAR: usize = 4;
/// What goes must be this much longer than the mark in its place, in bytes: a mark may cost more tokens a byte.
const MARK_COST: usize = 48;

/// Folds what repeats in `lines`. After a failure, or where nobody knows, only counts, dates and identifiers are
/// passed over in the comparison; after a success paths are, too.
pub fn fold(lines: &mut Lines<'_>, succeeded: bool) {
    frames::fold(lines);
    for at in 0..lines.len() {
        if let Some((text, count)) = opaque::shorten(lines.get(at)) {
            lines.set(at, text);
            lines.leave_out(count);
        }
    }
    fold_runs(lines, !succeeded);
}

fn fold_runs(lines: &mut Lines<'_>, keep_names: bool) {
    let mut cuts = Vec::new();
    let (mut first, mut next) = (Vec::new(), Vec::new());
    let mut masked = !lines.is_empty() && mask(lines.get(0), keep_names, &mut first);
    let mut start = 0;
    let mut left_out = 0;
    for at in 1..=lines.len() {
        let mut next_masked = false;
        if at < lines.len() {
            next_masked = mask(lines.get(at), keep_names, &mut next);
            let same = lines.get(at) == lines.get(start);
            if same || masked && next_masked && first == next {
                continue;
            }
        }
        left_out += fold_run(lines, start, at, &mut cuts);
        start = at;
        masked = next_masked;
        std::mem::swap(&mut first, &mut next);
    }
    lines.cut(cuts);
    lines.leave_out(left_out);
}

/// Folds the run of equal or near-equal lines, where it is worth it. Returns how many that differ went.
fn fold_run(lines: &Lines<'_>, start: usize, end: usize, cuts: &mut Vec<Cut>) -> usize {
    if end - start < FEWEST_EQUAL {
        return 0;
    }
    let first = lines.get(start);
    if (start + 1..end).all(|at| lines.get(at) == first) {
        fold_equal(lines, start, end, cuts);
        return 0;
    }
    if end - start < FEWEST_NEAR || says_why(first) {
        let mut from = start;
        for at in start + 1..=end {
            if at == end || lines.get(at) != lines.get(from) {
                fold_equal(lines, from, at, cuts);
                from = at;
            }
        }
        return 0;
    }
    let count = end - start - 1;
    if !is_worth_it(lines, start, end) {
        return 0;
    }
    cuts.push(Cut::counted(start + 1, end, count, "more lines like this"));
    count
}

fn fold_equal(lines: &Lines<'_>, start: usize, end: usize, cuts: &mut Vec<Cut>) {
    let blank = lines.get(start).trim_ascii().is_empty();
    if end - start >= FEWEST_EQUAL && !blank && is_worth_it(lines, start, end) {
        cuts.push(Cut::counted(start + 1, end, end - start - 1, "more times"));
    }
}

fn is_worth_it(lines: &Lines<'_>, start: usize, end: usize) -> bool {
    (start + 1..end).map(|at| lines.get(at).len() + 1).sum::<usize>() >= MARK_COST
}

#[cfg(test)]
#[expect(clippy::format_collect, reason = "a test's text")]
mod tests {
    use super::*;

    fn folded(text: &str, succeeded: bool) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines, succeeded);
        lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8_lossy(&f.text).into_owned())
    }

    #[test]
    fn runs_fold_to_their_first_line_and_a_count() {
        let log: String = (0..50).map(|n| format!("12:00:{n:02} INFO handled request {n}\n")).collect();
        let text = format!("start\n{log}end\n");
        let want = "start\n12:00:00 INFO handled request 0\n… 49 more lines like this\nend\n";
        assert_eq!(folded(&text, false), want);
        assert_eq!(folded(want, false), want, "twice is once");
        let text = "waiting for the server to come up\n".repeat(9);
        assert_eq!(folded(&text, false), "waiting for the server to come up\n… 8 more times\n");
    }

    #[test]
    fn a_line_that_says_why_is_never_folded_into_another() {
        let log: String = (0..50).map(|n| format!("12:00:{n:02} ERROR in request {n}\n")).collect();
        assert_eq!(folded(&log, false), log);
        assert_eq!(folded(&log, true), log);
        let same = "the request failed, as ever before\n".repeat(9);
        assert_eq!(folded(&same, false), "the request failed, as ever before\n… 8 more times\n");
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        let text = b"\xff\xfe one\n".repeat(20);
        let mut lines = Lines::new(&text);
        fold(&mut lines, true);
        assert_eq!(lines.finish(&text).unwrap().text, b"\xff\xfe one\n\xe2\x80\xa6 19 more times\n");
    }

    #[test]
    fn lists_and_tables_are_answers_and_stay() {
        for line in ["./src/dir/file-#.txt", "web-#   1/1   Running   #   2d", "# total"] {
            let text: String = (0..50).map(|n| line.replace('#', &n.to_string()) + "\n").collect();
            assert_eq!(folded(&text, true), text);
        }
    }
}

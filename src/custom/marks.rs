//! Puts marks in front of text that a filter wrote and no tool, and adds the lines that must stand beside such text.

use std::collections::HashSet;

use once_cell::sync::Lazy;
use regex::bytes::Regex;

use super::Call;
use crate::failure::says_why;
use crate::filter::lines::{Line, Lines, MARK, is_mark, lines_of};
use crate::filter::pattern::ours;

/// Number of last lines that stay of a failure that no line explains.
const LAST_LINES: usize = 10;
/// Denials of a failure: `no warnings`, `0 failed`.
static DENIAL: Lazy<Regex> = Lazy::new(|| {
    ours(r"(?i)\b(?:no|0|without)(?: \w+)? (?:errors?|warnings?|failures?|failed|vulnerabilities)\b")
});
/// Places and codes: `src/main.rs:12`, `main.ts(3,14)`, `main.py", line 7`, `--> `, `E0308`, `exit status 2`.
static PLACE: Lazy<Regex> = Lazy::new(|| {
    ours(
        r#"(?-u)[A-Za-z0-9_]\.[A-Za-z]{1,5}[:(]\d+|\.[A-Za-z]{1,5}", line \d+|^\s*(?:-->|at )|\b[A-Z]{1,4}\d{3,5}\b|(?i:exit|status|code|signal)\W{1,4}\d+"#,
    )
});
/// Words that say that all is well.
static PRAISE: Lazy<Regex> =
    Lazy::new(|| ours(r"(?i)\b(?:ok|success\w*|succeeded|pass\w*|done|clean|finished|complete\w*)\b|[✓✔√]"));

/// Puts a text that a filter wrote in place of the lines of `text`. A written line that is neither the tool's nor
/// `drawn` from the tool's goes behind a mark. After a failure, every line of `text` that may say why or where follows;
/// where no line does, the last lines follow.
pub fn take<'a>(
    written: &[u8],
    text: &'a [u8],
    drawn: &HashSet<Vec<u8>>,
    lines: &mut Lines<'a>,
    call: &Call<'_>,
) {
    // The written lines that are the text's. The set is made of what was written, which is short.
    let mut wanted: HashSet<&[u8]> = lines_of(written).map(<[u8]>::trim_ascii).collect();
    let known: HashSet<&[u8]> = lines_of(text).filter_map(|line| wanted.take(line.trim_ascii())).collect();
    let taken = lines_of(written).map(|line| {
        let body = line.trim_ascii();
        let is_known = body.is_empty() || known.contains(body) || drawn.contains(body) || is_mark(line);
        Line::from(if is_known { line.to_vec() } else { marked(line) })
    });
    lines.all = taken.collect();
    let mut kept: HashSet<Vec<u8>> = lines.iter().map(|line| line.trim_ascii().to_vec()).collect();
    if !call.succeeded() {
        let explains = |line: &[u8]| says_why(line) || PLACE.is_match(line);
        let mut told: Vec<&[u8]> = lines_of(text).filter(|line| explains(line)).collect();
        if told.is_empty() && !lines.iter().any(|line| !is_mark(line) && explains(line)) {
            told.extend(lines_of(text).filter(|line| !line.trim_ascii().is_empty()));
            told.drain(..told.len().saturating_sub(LAST_LINES));
        }
        told.retain(|line| kept.insert(line.trim_ascii().to_vec()));
        lines.all.extend(told.into_iter().map(Line::from));
    }
    let went =
        lines_of(text).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty() && !kept.contains(*line));
    lines.left_out = went.count();
}

/// Puts the exit status in front where a mark judges: after a success by blame, after a failure also by praise.
pub fn tell_status(lines: &mut Lines<'_>, call: &Call<'_>) {
    let Some(exit) = call.exit else { return };
    // After a success "no warnings" is no judgement that the status has to explain.
    let condemns = |line: &[u8]| match exit {
        0 => says_why(&DENIAL.replace_all(line, &b""[..])),
        _ => says_why(line) || PRAISE.is_match(line),
    };
    let judges = |line: &[u8]| is_mark(line) && condemns(line);
    if lines.iter().any(judges) {
        let status = marked(format!("exit status {exit}").as_bytes());
        if !lines.iter().any(|line| line == status) {
            lines.all.insert(0, status.into());
        }
    }
}

pub fn marked(line: &[u8]) -> Vec<u8> {
    [MARK.as_bytes(), line.trim_ascii_end()].concat()
}

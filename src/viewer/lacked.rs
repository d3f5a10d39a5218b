//! What a window lacked of a failing tool's output.

use std::collections::HashSet;

use crate::config::Mode;
use crate::overflow::{Digest, Large, Whole};
use crate::pipeline::scrub::scrub;
use crate::pipeline::visible;
use crate::tokens;

/// Bytes of a token, at most, of what is worth counting.
const LONGEST_TOKEN: usize = 16;

/// What of `text`, the output of a tool that failed, says why and is not in `window`, within `room` tokens: every line
/// that the window lacks where they are few, else those of the preview. Empty where nothing is lacking.
pub fn what_the_window_lacked(text: &[u8], window: &[u8], room: usize) -> String {
    let (readable_text, seen) = (readable(text), readable(window));
    let seen: HashSet<&str> = seen.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let is_new = |line: &&str| !line.trim().is_empty() && !seen.contains(line.trim_end());
    if text == window || !readable_text.lines().any(|line| is_new(&line)) {
        return String::new();
    }
    // Where the window is the beginning or the end, the rest is what it lacks, equal lines too.
    let rest = text.strip_suffix(window).or_else(|| text.strip_prefix(window)).filter(|_| !window.is_empty());
    let without_blanks = |part: &[u8]| joined(readable(part).lines().filter(|line| !line.trim().is_empty()));
    let rest = rest.map_or_else(|| joined(readable_text.lines().filter(is_new)), without_blanks);
    if rest.len() <= room.saturating_mul(LONGEST_TOKEN) && tokens::count(rest.as_bytes()) <= room {
        return rest;
    }
    let preview = preview(text);
    let lines: Vec<&str> = preview.lines().filter(|line| is_new(line)).collect();
    within(&without_doubled_gaps(&lines), room)
}

/// The lines that today's preview chooses.
fn preview(text: &[u8]) -> String {
    let summary = Digest::of(text, &[]);
    let large = Large {
        summary: &summary,
        structured: None,
        whole: Whole::Saved { path: "", id: "" },
        failed: true,
        running: false,
        room: usize::MAX,
    };
    let (_, preview) = large.reduced(Mode::Buffer).unwrap_or_default();
    let inner = preview.split_once('\n').map_or("", |(_, rest)| rest).trim_end();
    inner.rsplit_once('\n').map_or("", |(lines, _)| lines).to_owned()
}

/// Marks of gaps that nothing stands between any more are one.
fn without_doubled_gaps<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let is_gap = |line: &str| line.starts_with("… (line");
    let mut kept: Vec<&str> = Vec::new();
    for line in lines {
        if !(is_gap(line) && kept.last().is_none_or(|last| is_gap(last))) {
            kept.push(line);
        }
    }
    while kept.last().is_some_and(|last| is_gap(last)) {
        kept.pop();
    }
    kept
}

fn within(lines: &[&str], room: usize) -> String {
    let mut end = lines.len();
    loop {
        let text = joined(lines[..end].iter().copied());
        if end == 0 || tokens::count(text.as_bytes()) <= room {
            return text;
        }
        end -= 1;
    }
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines.flat_map(|line| [line.trim_end(), "\n"]).collect()
}

fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&visible::inert(&scrub(bytes))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_are_given_whole_and_none_twice() {
        let text = b"one\nerror: two\n\nthree\nfour\n";
        assert_eq!(what_the_window_lacked(text, b"three\nfour\n", 900), "one\nerror: two\n");
        assert_eq!(what_the_window_lacked(text, text, 900), "");
        assert_eq!(what_the_window_lacked(b"", b"", 900), "");
    }

    #[test]
    fn of_many_lines_those_that_say_why() {
        let mut text: String =
            (0..5_000).map(|n| format!("compiled unit {n} of the program, all well\n")).collect();
        text.insert_str(100_000, "\nsrc/a.c:7:1: error: no such thing\n");
        let lacked = what_the_window_lacked(text.as_bytes(), b"", 900);
        assert!(lacked.contains("error: no such thing"), "{lacked}");
        assert!(tokens::count(lacked.as_bytes()) <= 900);
    }
}

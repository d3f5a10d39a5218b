//! rustc's and clippy's warnings: one that comes with the same message at many places stands once in full, and its
//! other places follow it: `… 36 more with this message: src/de.rs:12:5 14:7, src/ser.rs:3:1`.

use std::collections::HashMap;

use super::super::honesty::has_fact;
use super::super::lines::{Cut, Lines};
use super::super::reason::says_why;

/// Fewer warnings of one message stay as they are.
const FEWEST: usize = 2;

/// Folds warnings that say the same. After a failure errors stay, and so does a warning whose details may say why.
pub fn fold(lines: &mut Lines<'_>, succeeded: bool) {
    let mut groups: HashMap<Vec<u8>, Vec<Warning>> = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let Some(warning) = Warning::new(lines, at) else {
            at += 1;
            continue;
        };
        at = warning.end;
        if succeeded || warning.is_plain(lines) {
            groups.entry(lines.get(warning.start).to_vec()).or_default().push(warning);
        }
    }
    let mut cuts = Vec::new();
    for warnings in groups.into_values().filter(|warnings| warnings.len() >= FEWEST) {
        let (first, others) = warnings.split_at(1);
        let end = first[0].end;
        let mark = format!("… {} more with this message: {}", others.len(), places(others, succeeded));
        cuts.push(Cut { start: end, end, mark: Some(mark) });
        for other in others {
            // The empty line behind it goes, too.
            let blank = other.end < lines.len() && lines.get(other.end).is_empty();
            lines.leave_out(other.end - other.start);
            cuts.push(Cut { start: other.start, end: other.end + usize::from(blank), mark: None });
        }
    }
    cuts.sort_by_key(|cut| (cut.start, cut.end));
    lines.cut(cuts);
}

/// Lines of one warning: its message, `  --> place`, the source, notes; an empty line ends it.
struct Warning {
    start: usize,
    end: usize,
    place: String,
}

impl Warning {
    fn new(lines: &Lines<'_>, start: usize) -> Option<Self> {
        if !lines.get(start).starts_with(b"warning: ") || start + 1 >= lines.len() {
            return None;
        }
        let place = std::str::from_utf8(lines.get(start + 1)).ok()?.trim_start().strip_prefix("--> ")?.to_owned();
        let end = start + (start..lines.len()).take_while(|at| !lines.get(*at).is_empty()).count();
        let tells = (start + 2..end).all(|at| {
            let line = lines.get(at);
            line.starts_with(b" ") || line.first().is_some_and(u8::is_ascii_digit) || line.starts_with(b"...")
                || line.starts_with(b"help: ") || line.starts_with(b"note: ")
        });
        tells.then_some(Self { start, end, place })
    }

    /// Whether its details hold nothing that a failed run must keep.
    fn is_plain(&self, lines: &Lines<'_>) -> bool {
        (self.start + 2..self.end).all(|at| !says_why(lines.get(at)) && !has_fact(lines.get(at)))
    }
}

/// `src/de.rs:12:5 14:7×3, src/ser.rs:3:1`; `src/de.rs:12:5, src/de.rs:14:7` after a failure, where each stands whole.
fn places(warnings: &[Warning], by_file: bool) -> String {
    let mut out = String::new();
    let mut file = "";
    for same in warnings.chunk_by(|a, b| a.place == b.place) {
        let place = same[0].place.as_str();
        match place.split_once(':') {
            Some((path, rest)) if by_file && path == file => {
                out.push(' ');
                out.push_str(rest);
            }
            split => {
                if !out.is_empty() {
                    out.push_str(", ");
                }
                out.push_str(place);
                file = split.map_or("", |(path, _)| path);
            }
        }
        if same.len() > 1 {
            out.push_str(&format!("×{}", same.len()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str, succeeded: bool) -> String {
        let mut lines = Lines::new(text.as_bytes());
        fold(&mut lines, succeeded);
        let out = lines.finish(text.as_bytes()).map_or(text.into(), |f| String::from_utf8(f.text).unwrap());
        let mut again = Lines::new(out.as_bytes());
        fold(&mut again, succeeded);
        assert_eq!(again.finish(out.as_bytes()), None, "twice is once:\n{out}");
        out
    }

    fn warning(message: &str, place: &str, note: &str) -> String {
        format!("warning: {message}\n  --> {place}\n   |\n10 | let a = b.unwrap();\n   |         ^^^\n   |\n   = {note}\n\n")
    }

    #[test]
    fn a_message_stands_once_with_all_places() {
        let text = warning("used `unwrap()`", "src/a.rs:10:2", "help: see")
            + &warning("other", "src/a.rs:11:2", "help: see")
            + &warning("used `unwrap()`", "src/a.rs:12:2", "help: see")
            + &warning("used `unwrap()`", "src/b.rs:1:2", "help: see")
            + &warning("used `unwrap()`", "src/b.rs:7:2", "help: see");
        let out = folded(&text, true);
        assert!(out.contains("   = help: see\n… 3 more with this message: src/a.rs:12:2, src/b.rs:1:2 7:2\n\n"), "{out}");
        assert!(out.contains("warning: other\n") && out.matches("unwrap()`\n").count() == 1, "{out}");
        assert!(folded(&text, false).contains("src/b.rs:1:2, src/b.rs:7:2\n"));
    }

    #[test]
    fn after_a_failure_details_that_may_say_why_stay() {
        let text = warning("same", "src/a.rs:10:2", "note: expected x") + &warning("same", "src/a.rs:12:2", "note: expected y");
        assert_eq!(folded(&text, false), text);
    }
}

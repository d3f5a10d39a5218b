//! `[[replace]]` and `trim_lines`: rewrite lines, one line for one line.

use regex::bytes::Captures;

use super::schema::Replace;
use super::value::{Budget, capture_names};
use crate::failure::says_why;
use crate::filter::lines::{Line, Lines, is_settled};

impl Replace {
    fn apply(&self, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let pattern = self.pattern.get()?;
        let mut captures = pattern.captures_iter(line).peekable();
        captures.peek()?;
        let written = |captures: &Captures<'_>| self.output.with(&capture_names(pattern, captures), budget);
        if !self.all {
            return written(&captures.next()?);
        }
        let (mut out, mut copied) = (Vec::new(), 0);
        for captures in captures {
            let whole = captures.get(0)?;
            out.extend_from_slice(&line[copied..whole.start()]);
            out.extend(written(&captures)?);
            copied = whole.end();
        }
        out.extend_from_slice(&line[copied..]);
        Some(out)
    }
}

/// Runs the rules over every line. A rewritten line that is no part of the old line is flagged for a mark; so is one
/// that would change again, so that filtering twice is the same as filtering once. After a failure a line that may say
/// why stays as it is.
pub fn run(rules: &[Replace], trim: bool, lines: &mut Lines<'_>, succeeded: bool) {
    if rules.is_empty() && !trim {
        return;
    }
    let budget = Budget::for_input(lines.iter().map(<[u8]>::len).sum());
    for at in 0..lines.len() {
        let line = lines.get(at);
        let fixed = rules.is_empty() || is_settled(line) || !succeeded && says_why(line);
        if let Some(new) = (!fixed).then(|| rewritten(rules, trim, line, &budget)).flatten() {
            let again = rewritten(rules, trim, &new, &budget);
            let is_part = memchr::memmem::find(line, &new).is_some();
            let rewritten = !is_part || again.is_some_and(|again| again != new);
            lines.all[at] = Line { text: new.into(), rewritten };
            lines.left_out += 1;
        } else if trim && line.trim_ascii().len() < line.len() && !is_settled(line) {
            let trimmed = line.trim_ascii().to_vec();
            lines.set(at, trimmed);
        }
    }
}

/// The line as the rules leave it, trimmed in the end; `None` where they do not change it.
fn rewritten(rules: &[Replace], trim: bool, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
    let apply =
        |new: Option<Vec<u8>>, rule: &Replace| rule.apply(new.as_deref().unwrap_or(line), budget).or(new);
    let mut new = rules.iter().fold(None, apply)?;
    for byte in new.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
    if trim || new.trim_ascii().is_empty() {
        new = new.trim_ascii().to_vec();
    }
    (new != line).then_some(new)
}

//! `[[replace]]` and `trim_lines`: rewrite lines, one line for one line.

use regex::bytes::{Captures, Regex};
use toml::Spanned;

use super::schema::Replace;
use super::summary::{Budget, Template, capture_names};
use crate::filter::lines::{Lines, is_settled};
use crate::filter::{pattern, says_why};
use crate::mistake::Mistake;

/// A compiled rule.
#[derive(Debug)]
pub struct Replacing {
    pattern: Regex,
    output: Template,
    replace_all: bool,
}

impl Replacing {
    /// Compiles a rule that stands in `source`.
    ///
    /// # Errors
    /// An expression or a template with a mistake.
    pub fn new(rule: &Replace, source: &str) -> Result<Self, Mistake> {
        let output = Spanned::new(rule.output.span(), with_braces(rule.output.get_ref()));
        Ok(Self {
            pattern: pattern::one(&rule.pattern, source)?,
            output: Template::new(&output, source)?,
            replace_all: rule.replace_all,
        })
    }

    /// The rewritten line, if it matches.
    fn apply(&self, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
        let mut captures = self.pattern.captures_iter(line).peekable();
        captures.peek()?;
        let written =
            |captures: &Captures<'_>| self.output.with(&capture_names(&self.pattern, captures), budget);
        if !self.replace_all {
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
pub fn run(rules: &[Replacing], trim: bool, lines: &mut Lines<'_>, succeeded: bool) {
    if rules.is_empty() && !trim {
        return;
    }
    let budget = Budget::for_input(lines.iter().map(<[u8]>::len).sum());
    for at in 0..lines.len() {
        let line = lines.get(at);
        let trimmed = if trim { line.trim_ascii() } else { line };
        let fixed = rules.is_empty() || is_settled(line) || !succeeded && says_why(line);
        let Some(new) = (!fixed).then(|| rewritten(rules, trim, line, &budget)).flatten() else {
            if trimmed.len() < line.len() && !is_settled(line) {
                let trimmed = trimmed.to_vec();
                lines.set(at, trimmed);
            }
            continue;
        };
        let again = rewritten(rules, trim, &new, &budget);
        let is_part = memchr::memmem::find(line, &new).is_some();
        if is_part && again.is_none_or(|again| again == new) {
            lines.set(at, new);
        } else {
            lines.set_rewritten(at, new);
        }
        lines.leave_out(1);
    }
}

/// The line as the rules leave it, trimmed in the end; `None` where they do not change it.
fn rewritten(rules: &[Replacing], trim: bool, line: &[u8], budget: &Budget) -> Option<Vec<u8>> {
    let mut new: Option<Vec<u8>> = None;
    for rule in rules {
        if let Some(text) = rule.apply(new.as_deref().unwrap_or(line), budget) {
            new = Some(text);
        }
    }
    let mut new = new?;
    for byte in new.iter_mut().filter(|byte| **byte == b'\n') {
        *byte = b' ';
    }
    if trim || new.trim_ascii().is_empty() {
        new = new.trim_ascii().to_vec();
    }
    (new != line).then_some(new)
}

/// The text with `{1}` in place of `$1` and `${1}`.
fn with_braces(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('$') {
        let behind = rest[at + 1..].trim_start_matches('{');
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        out.push_str(&rest[..at]);
        if digits == 0 {
            out.push('$');
            rest = &rest[at + 1..];
            continue;
        }
        out.push_str(&format!("{{{}}}", &behind[..digits]));
        let braced = rest[at + 1..].starts_with('{') && behind[digits..].starts_with('}');
        rest = &behind[digits + usize::from(braced)..];
    }
    out + rest
}

//! The fields behind the times of logs whose names are sure.

use std::ops::Range;

use super::stamps::Form;

/// A field, and what stands around it in the first line; it has to in all others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    /// The field's name.
    pub field: &'static str,
    /// ` - ` before it.
    dashed: bool,
    open: &'static str,
    close: &'static str,
}

const LEVELS: [&str; 18] = [
    "trace", "debug", "info", "notice", "warn", "warning", "error", "err", "critical", "crit", "fatal",
    "severe", "alert", "emerg", "panic", "log", "fine", "config",
];
/// What names of threads have in them.
const THREADS: [&str; 7] = ["hread", "exec", "pool", "main", "worker", "nio", "task"];
/// Fields whose order no form of a log tells.
const ANY: [&str; 3] = ["level", "thread", "logger"];
const DELIMITERS: [(&str, &str); 8] =
    [("\"", "\""), ("[", "]:"), ("[", "]"), ("(", ")"), ("<", ">"), ("", ":"), ("", "]"), ("", "")];

/// The fields of a line behind its time.
pub fn of(form: Form, line: &str, mut at: usize) -> Vec<Fit> {
    let fixed = form.fields();
    let mut fits: Vec<Fit> = Vec::new();
    loop {
        let behind = match fixed {
            [] => ANY.iter().copied().find_map(|field| {
                let fit = Fit::first(field, line, at)?;
                (!fits.iter().any(|fit| fit.field == field)).then_some(fit)
            }),
            _ => fixed.get(fits.len()).and_then(|field| Fit::first(field, line, at)),
        };
        let Some((fit, end)) = behind else { break };
        fits.push(fit);
        at = end;
    }
    fits
}

/// How many of the fields are sure: without a level there is no logger or thread, without a process no host.
pub fn certain(fits: &[Fit]) -> usize {
    let has = |field| fits.iter().any(|fit| fit.field == field);
    let is_sure = |fit: &Fit| match fit.field {
        "thread" | "logger" => has("level"),
        "host" => has("process"),
        "pid" => has("source"),
        _ => true,
    };
    fits.iter().take_while(|fit| is_sure(fit)).count()
}

/// Whether a text may be such a field; in the first line it has to look like one.
fn is(field: &str, text: &str, is_first: bool) -> bool {
    let digits = || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = || !text.is_empty() && !text.contains([' ', '\t']);
    match field {
        "level" => LEVELS.iter().any(|level| level.eq_ignore_ascii_case(text)),
        "pid" | "status" => digits(),
        "bytes" => text == "-" || digits(),
        "thread" => !is_first || THREADS.iter().any(|part| text.contains(part)),
        "logger" => is_word() && (!is_first || text.contains(['.', '_']) || text.contains("::")),
        "host" | "process" | "source" => is_word(),
        _ => true,
    }
}

/// What may stand around it.
fn may_stand_in(field: &str, (open, close): (&str, &str)) -> bool {
    match field {
        "level" => open != "\"",
        "thread" => (open, close) == ("[", "]") || close.is_empty(),
        "logger" | "host" | "status" | "bytes" => open.is_empty() && close != "]",
        "process" => open.is_empty() && close == ":",
        "pid" => open.is_empty() && close.is_empty(),
        "source" => open.is_empty() && close == "]",
        _ => open == "\"",
    }
}

impl Fit {
    /// The field as it stands in the first line, and where it ends.
    fn first(field: &'static str, line: &str, at: usize) -> Option<(Self, usize)> {
        let may_be_dashed = matches!(field, "level" | "thread" | "logger");
        let dashed = may_be_dashed && line[at..].starts_with(" - ");
        let mut fits = DELIMITERS.iter().filter(|around| may_stand_in(field, **around));
        fits.find_map(|&(open, close)| {
            let fit = Self { field, dashed, open, close };
            let (cell, end) = fit.read(line, at)?;
            let is_sure = match field {
                "logger" => close == ":" || line[end..].starts_with(" - "),
                "thread" => open == "[" || line[end..].starts_with(" - "),
                _ => true,
            };
            (is_sure && is(field, &line[cell], true)).then_some((fit, end))
        })
    }

    /// The cell in a line, behind `at`, and where the field ends.
    pub fn read(&self, line: &str, at: usize) -> Option<(Range<usize>, usize)> {
        let rest = if self.dashed { line[at..].strip_prefix(" - ")? } else { &line[at..] };
        let rest = without(rest.trim_start_matches([' ', '\t']), self.open)?;
        let start = line.len() - rest.len();
        let length = match self.close.chars().next().filter(|_| !self.open.is_empty()) {
            Some('"') => quoted(rest)?,
            Some(close) => rest.find([close, '['])?,
            None => rest.find([' ', '\t']).unwrap_or(rest.len()).checked_sub(self.close.len())?,
        };
        let cell = start..start + length;
        let is_closed = without(line.get(cell.end..)?, self.close).is_some();
        let end = cell.end + self.close.len();
        let is_end = is_closed && (line.len() == end || line[end..].starts_with([' ', '\t']));
        (is_end && end > at && is(self.field, &line[cell.clone()], false)).then_some((cell, end))
    }
}

/// The text behind a delimiter, if it begins with that. To compare an empty one, whose address is none, is slow on
/// processors that load by masks.
fn without<'a>(text: &'a str, delimiter: &str) -> Option<&'a str> {
    if delimiter.is_empty() { Some(text) } else { text.strip_prefix(delimiter) }
}

/// The length of a text before its closing quote; `\"` is none.
fn quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', &bytes[at..])?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at = (at + 2).min(bytes.len());
    }
}

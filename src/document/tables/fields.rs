//! The fields behind the times of logs whose names are sure.

use std::ops::Range;

use super::stamps::Form;

/// A field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Level,
    Thread,
    Pid,
    Logger,
    Host,
    Process,
    Source,
    Request,
    Status,
    Bytes,
    Referer,
    Agent,
}

/// A field, and what stands around it in the first line; it has to in all others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fit {
    pub field: Field,
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
const ACCESS: [Field; 5] = [Field::Request, Field::Status, Field::Bytes, Field::Referer, Field::Agent];
const DELIMITERS: [(&str, &str); 8] =
    [("\"", "\""), ("[", "]:"), ("[", "]"), ("(", ")"), ("<", ">"), ("", ":"), ("", "]"), ("", "")];

impl Field {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Thread => "thread",
            Self::Pid => "pid",
            Self::Logger => "logger",
            Self::Host => "host",
            Self::Process => "process",
            Self::Source => "source",
            Self::Request => "request",
            Self::Status => "status",
            Self::Bytes => "bytes",
            Self::Referer => "referer",
            Self::Agent => "agent",
        }
    }

    /// The fields of a line behind its time.
    pub fn of(form: Form, line: &str, mut at: usize) -> Vec<Fit> {
        let fixed: &[Self] = match form {
            form if form.is_access() => &ACCESS,
            form if form.is_klog() => &[Self::Pid, Self::Source],
            form if form.is_syslog() => &[Self::Host, Self::Process],
            _ => &[],
        };
        let mut fits: Vec<Fit> = Vec::new();
        let any = [Self::Level, Self::Thread, Self::Logger];
        loop {
            let behind = match fixed {
                [] => any.iter().copied().find_map(|field| {
                    let fit = Fit::first(field, line, at)?;
                    (!fits.iter().any(|fit| fit.field == field)).then_some(fit)
                }),
                _ => fixed.get(fits.len()).and_then(|field| Fit::first(*field, line, at)),
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
            Self::Thread | Self::Logger => has(Self::Level),
            Self::Host => has(Self::Process),
            Self::Pid => has(Self::Source),
            _ => true,
        };
        fits.iter().take_while(|fit| is_sure(fit)).count()
    }

    /// Whether a text may be such a field; in the first line it has to look like one.
    fn is(self, text: &str, is_first: bool) -> bool {
        let digits = || !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = || !text.is_empty() && !text.contains([' ', '\t']);
        match self {
            Self::Level => LEVELS.iter().any(|level| level.eq_ignore_ascii_case(text)),
            Self::Pid | Self::Status => digits(),
            Self::Bytes => text == "-" || digits(),
            Self::Thread => !is_first || THREADS.iter().any(|part| text.contains(part)),
            Self::Logger => is_word() && (!is_first || text.contains(['.', '_']) || text.contains("::")),
            Self::Host | Self::Process | Self::Source => is_word(),
            Self::Request | Self::Referer | Self::Agent => true,
        }
    }

    /// What may stand around it.
    fn may_stand_in(self, (open, close): (&str, &str)) -> bool {
        match self {
            Self::Level => open != "\"",
            Self::Thread => (open, close) == ("[", "]") || close.is_empty(),
            Self::Logger | Self::Host | Self::Status | Self::Bytes => open.is_empty() && close != "]",
            Self::Process => open.is_empty() && close == ":",
            Self::Pid => open.is_empty() && close.is_empty(),
            Self::Source => open.is_empty() && close == "]",
            Self::Request | Self::Referer | Self::Agent => open == "\"",
        }
    }
}

impl Fit {
    /// The field as it stands in the first line, and where it ends.
    fn first(field: Field, line: &str, at: usize) -> Option<(Self, usize)> {
        let may_be_dashed = matches!(field, Field::Level | Field::Thread | Field::Logger);
        let dashed = may_be_dashed && line[at..].starts_with(" - ");
        let mut fits = DELIMITERS.iter().filter(|around| field.may_stand_in(**around));
        fits.find_map(|&(open, close)| {
            let fit = Self { field, dashed, open, close };
            let (cell, end) = fit.read(line, at)?;
            let is_sure = match field {
                Field::Logger => close == ":" || line[end..].starts_with(" - "),
                Field::Thread => open == "[" || line[end..].starts_with(" - "),
                _ => true,
            };
            (is_sure && field.is(&line[cell], true)).then_some((fit, end))
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
        (is_end && end > at && self.field.is(&line[cell.clone()], false)).then_some((cell, end))
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

//! Logs: lines with times in front. The date, the time, and the fields behind them whose names are sure are columns;
//! the message is the rest of the line.

use std::ops::Range;

use super::line::Line;
use super::rows::Rows;
use super::stamps::{Stamp, stamp};

/// Least lines with a time.
const LEAST: usize = 8;
/// So many lines may have no time for each that has one: stack traces, bodies of requests.
const MOST_OTHERS: usize = 2;
/// Lengths of a field whose padding is told apart.
const LENGTHS: usize = 64;

/// What all lines of a log have in front of their messages.
pub struct Log {
    form: Stamp,
    fields: Vec<Fit>,
    /// Whether a dash stands before all messages.
    dashed: bool,
    /// By the length of what stands before the message: the fewest blanks between.
    blanks: [usize; LENGTHS],
}

impl Log {
    /// What the lines have, if the text is a log.
    pub fn of(text: &str) -> Option<Self> {
        let mut log = None::<Self>;
        let (mut timed, mut others) = (0, 0);
        // For each number of fields: the padding behind them.
        let mut blanks = Vec::new();
        let mut dashed = Vec::new();
        let mut cells = Vec::new();
        for line in Line::all(text, 0) {
            let stamp = stamp(line.text, &mut cells)
                .filter(|(form, _)| log.as_ref().is_none_or(|log| log.form == *form));
            let Some((form, end)) = stamp else {
                others += usize::from(!line.text.is_empty());
                continue;
            };
            timed += 1;
            let log = log.get_or_insert_with(|| {
                let fields = fields_of(form, line.text, end);
                blanks.resize(fields.len() + 1, [usize::MAX; LENGTHS]);
                dashed.resize(fields.len() + 1, true);
                Self { form, fields, dashed: false, blanks: [0; LENGTHS] }
            });
            let (mut start, mut at) = (cells.last()?.start, end);
            for count in 0..=log.fields.len() {
                let rest = &line.text[at..];
                let fewest = &mut blanks[count][(at - start).min(LENGTHS - 1)];
                *fewest = (*fewest).min(rest.len() - rest.trim_start_matches([' ', '\t']).len());
                dashed[count] &= !form.is_access() && rest.starts_with(" - ");
                let Some(fit) = log.fields.get(count) else { break };
                match fit.read(line.text, at) {
                    Some((cell, end)) => (start, at) = (cell.start, end),
                    None => log.fields.truncate(count),
                }
            }
        }
        let mut log = log.filter(|_| timed >= LEAST && others <= timed * MOST_OTHERS)?;
        log.fields.truncate(certain(&log.fields));
        (log.dashed, log.blanks) = (dashed[log.fields.len()], blanks[log.fields.len()]);
        Some(log)
    }

    /// Reads the lines with a time that begin at `at`.
    pub fn read<'a>(&self, text: &'a str, at: usize, rows: &mut Rows<'a>) -> Option<usize> {
        let mut end = None;
        let mut cells = Vec::new();
        for line in Line::all(text, at) {
            let Some((_, behind)) = stamp(line.text, &mut cells).filter(|(form, _)| *form == self.form)
            else {
                break;
            };
            if end.is_none() {
                let fields = self.fields.iter().map(|fit| fit.field);
                rows.columns(self.form.names().chain(fields).chain(["message"]));
            }
            rows.row();
            let mut column = 0;
            let mut add = |cell: Range<usize>| {
                let is_none = self.form.is_access() && line.text[cell.clone()] == *"-";
                let cell = if is_none { 0..0 } else { line.start + cell.start..line.start + cell.end };
                rows.cell(column, cell);
                column += 1;
            };
            let (mut start, mut at) = (cells.last()?.start, behind);
            cells.drain(..).for_each(&mut add);
            for fit in &self.fields {
                let (cell, end) = fit.read(line.text, at)?;
                (start, at) = (cell.start, end);
                add(cell);
            }
            let blanks = if self.dashed { " - ".len() } else { self.blanks[(at - start).min(LENGTHS - 1)] };
            add((at + blanks).min(line.text.len())..line.text.len());
            end = Some(line.next);
        }
        end
    }
}

/// A field, and what stands around it in the first line; it has to in all others.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fit {
    field: &'static str,
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
fn fields_of(form: Stamp, line: &str, mut at: usize) -> Vec<Fit> {
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
fn certain(fits: &[Fit]) -> usize {
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
    fn read(&self, line: &str, at: usize) -> Option<(Range<usize>, usize)> {
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

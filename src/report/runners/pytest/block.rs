//! A single failure of pytest's: its traceback in any style, and what the test printed.

use std::ops::Range;

use super::super::super::record::{Part, PartKind, Place, Said, Test, Verdict, number};
use super::super::super::section::{Section, dedent, indent, parts};
use super::super::traces::{self, TRACEBACK};

/// Whether a test's reason begins as the summary says, which cuts long reasons.
pub fn says(test: &Test<'_>, summary: &Test<'_>) -> bool {
    let why = summary.said(&[PartKind::Reason]).next().unwrap_or("").trim_end_matches("...");
    !why.is_empty() && test.said(&[PartKind::Reason]).any(|text| text.trim().starts_with(why))
}

/// The name in a rule of underscores: `____ test_x ____`.
pub fn name(line: &str) -> Option<&str> {
    let inner = line.trim_end().strip_prefix('_')?.strip_suffix('_')?.trim_matches('_');
    let name = inner.strip_prefix(' ')?.strip_suffix(' ')?.trim();
    (!name.is_empty() && name != "_" && !name.starts_with("_ ")).then_some(name)
}

/// A key under which a heading and a line of the summary name the same test.
pub fn key(name: &str) -> String {
    let name = ["ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting ", "[doctest] ", "ERROR "]
        .iter()
        .fold(name, |name, prefix| name.strip_prefix(prefix).unwrap_or(name));
    let (path, parameters) = name.split_at(name.find('[').unwrap_or(name.len()));
    let path = path.split_once("::").map_or(path, |(_, inner)| inner);
    path.replace("::", ".") + parameters
}

/// A frame of a traceback.
struct Frame<'t> {
    place: Place<'t>,
    said: Said<'t>,
    source: Vec<Said<'t>>,
    /// The code above it, in the long style.
    body: Vec<Said<'t>>,
}

/// What a traceback says, gathered line by line.
#[derive(Default)]
struct Reader<'t> {
    frames: Vec<Frame<'t>>,
    /// The statement whose place comes behind it (the long style).
    statement: Vec<Said<'t>>,
    /// The lines since the last frame.
    body: Vec<Said<'t>>,
    /// Exceptions that led to the last one.
    chain: Vec<Said<'t>>,
    reason: Vec<Said<'t>>,
    values: Vec<Said<'t>>,
    captured: Vec<Part<'t>>,
    is_statement: bool,
    is_short: bool,
    /// Whether this is a traceback as Python prints it (`--tb=native`): the exception has no mark in front.
    is_native: bool,
}

/// Reads the place and the reason of a failure.
pub fn read<'t>(section: &Section<'t>, lines: Range<usize>) -> (Option<Place<'t>>, Vec<Part<'t>>) {
    let mut reader = Reader::default();
    let mut at = lines.start;
    while at < lines.end {
        if let Some(title) = captured(section.text(at)) {
            let end =
                section.find(at + 1, lines.end, |line| captured(line).is_some() || line.starts_with("!!!!"));
            reader.captured.push(Part { kind: PartKind::Captured, title, said: section.block(at + 1..end) });
            at = end;
            continue;
        }
        reader.line(section.said(at));
        at += 1;
    }
    if reader.reason.is_empty() {
        let end = section.find(lines.start, lines.end, |line| captured(line).is_some());
        let said = section.block(lines.start..end);
        let first = said.first().map_or("", |said| said.text);
        *match first {
            text if text.starts_with("[XPASS(strict)]") => &mut reader.reason,
            // `contains 3 failed subtests`: it sums up what stands in front, and is no reason of its own.
            text if text.starts_with("contains ") && text.contains(" failed subtest") => {
                &mut reader.statement
            }
            _ => &mut reader.values,
        } = said;
    }
    reader.finish()
}

/// The place and the reason in a line of `--tb=line`: `/abs/tests/a.py:12: AssertionError: …`.
pub fn one_line(line: &str) -> Option<(Place<'_>, &str)> {
    let (place, rest) = Place::parse(line.trim_end()).filter(|_| indent(line) == 0)?;
    rest.strip_prefix(": ").map(|why| (place, why))
}

/// A failure of `--tb=line`, with what was printed above its line.
pub fn of_line<'t>(
    section: &Section<'t>,
    above: Range<usize>,
    end: usize,
    outcome: Verdict,
) -> Option<(Range<usize>, Test<'t>)> {
    let last = above.end;
    let (place, reason) = one_line(section.text(last)).filter(|_| last < end)?;
    let (_, mut why) = read(section, above.clone());
    if !why.iter().any(|part| part.kind == PartKind::Reason) {
        why.retain(|part| part.kind != PartKind::Values);
        why.insert(0, Part::new(PartKind::Reason, vec![section.quote(last, reason)]));
    }
    Some((above.start..last + 1, Test { id: String::new(), outcome, place: Some(place), why }))
}

/// The title over captured output: `---- Captured stdout call ----`, `---- Captured log setup ----`.
fn captured(line: &str) -> Option<&str> {
    let title = line.trim_end().strip_prefix("--")?.strip_suffix("--")?.trim_matches('-').trim();
    title.starts_with("Captured ").then_some(title)
}

impl<'t> Reader<'t> {
    fn line(&mut self, said: Said<'t>) {
        let text = said.text;
        let reason = text.strip_prefix('E').filter(|rest| rest.is_empty() || rest.starts_with("  "));
        self.body.extend((reason.is_none() && !is_chain(text)).then_some(said));
        if let Some(reason) = reason {
            self.is_statement = false;
            self.error(Said { text: reason, ..said });
        } else if text.trim_end() == TRACEBACK {
            self.is_native = true;
        } else if self.is_exception(text) {
            self.error(said);
        } else if let Some(frame) = frame(said) {
            self.is_short = frame.said.text.contains(": in ") || text.starts_with("  File ");
            let source = if self.is_short { Vec::new() } else { std::mem::take(&mut self.statement) };
            let mut body = std::mem::take(&mut self.body);
            body.retain(|line| {
                line.number != said.number && !line.text.starts_with("_ _ ") && !is_object(line.text)
            });
            if self.is_short || self.is_native {
                body.clear();
            }
            self.frames.push(Frame { source, body, ..frame });
            self.is_statement = self.is_short;
        } else if let Some(rest) = text.strip_prefix('>').filter(|rest| rest.starts_with("  ")) {
            self.is_statement =
                self.reason.is_empty() || self.frames.iter().any(|frame| !frame.source.is_empty());
            if self.is_statement {
                self.statement = vec![Said { text: rest, ..said }];
            } else {
                self.values.push(Said { text: rest.trim_start(), ..said });
            }
        } else if is_chain(text) {
            self.end_exception();
            self.chain.push(said);
        } else if text.trim().is_empty() || !text.starts_with([' ', '\t']) {
            self.is_statement = false;
        } else if self.is_statement && !is_caret(text) {
            match self.frames.last_mut().filter(|_| self.is_short) {
                Some(frame) => frame.source.push(said),
                // In the first line the mark took the place of this blank.
                None => self.statement.push(Said { text: &text[1..], ..said }),
            }
        }
    }

    /// Whether a line is of the exception below the frames of a traceback as Python prints it.
    fn is_exception(&self, text: &str) -> bool {
        let begins = || !self.frames.is_empty() && !text.starts_with([' ', '\t']) && !text.trim().is_empty();
        self.is_native && !is_chain(text) && (!self.reason.is_empty() || begins())
    }

    /// Takes a line of the exception; what follows a blank line is a difference of values.
    fn error(&mut self, said: Said<'t>) {
        let text = said.text.trim();
        let is_difference = text.is_empty() || text.starts_with("Full diff:");
        if self.values.is_empty() && (!is_difference || self.reason.is_empty()) {
            self.reason.push(said);
        } else {
            self.values.push(said);
        }
    }

    /// Moves the exception that was read to those that led to the next one.
    fn end_exception(&mut self) {
        let mut reason = std::mem::take(&mut self.reason);
        dedent(&mut reason);
        self.chain.append(&mut reason);
        self.chain.append(&mut self.values);
    }

    fn finish(mut self) -> (Option<Place<'t>>, Vec<Part<'t>>) {
        let is_own = |frame: &Frame<'_>| !frame.place.is_foreign();
        let nearest = self.frames.iter().rposition(is_own);
        let outermost = self.frames.iter().position(is_own).filter(|at| nearest != Some(*at));
        let mut body = outermost.map_or_else(Vec::new, |at| std::mem::take(&mut self.frames[at].body));
        let (mut place, mut excerpt) = (None, Vec::new());
        // A file that Python could not read has no frame: `File "tests/a.py", line 2` stands with the reason.
        let unread = || self.reason.iter().find_map(|said| traces::frame(said.text)?.place);
        if let Some(stated) = nearest.is_none().then(unread).flatten() {
            place = Some(stated);
        } else if let Some(at) = nearest.or(self.frames.len().checked_sub(1)) {
            let frame = self.frames.remove(at);
            place = Some(frame.place);
            self.statement = frame.source;
            *(if outermost.is_some() { &mut excerpt } else { &mut body }) = frame.body;
        }
        let (foreign, own): (Vec<_>, Vec<_>) = self.frames.iter().partition(|frame| frame.place.is_foreign());
        let [own, foreign] = [own, foreign].map(|frames| frames.iter().map(|frame| frame.said).collect());
        dedent(&mut self.statement);
        dedent(&mut self.reason);
        self.chain.append(&mut self.reason);
        let why = parts([
            (PartKind::Body, body),
            (PartKind::Excerpt, excerpt),
            (PartKind::Source, self.statement),
            (PartKind::Reason, self.chain),
            (PartKind::Values, self.values),
            (PartKind::Frames, own),
            (PartKind::Library, foreign),
        ]);
        let why = why.chain(self.captured).collect();
        (place, why)
    }
}

/// `tests/a.py:141: AssertionError`, `tests/a.py:14: in test_x`, `  File "tests/a.py", line 14, in f`,
/// `file tests/a.py, line 3`.
fn frame(said: Said<'_>) -> Option<Frame<'_>> {
    let text = said.text.trim_end();
    let place = if text.trim_start().starts_with("File \"") && indent(text) <= 4 {
        traces::frame(text)?.place?
    } else if let Some(rest) = text.strip_prefix("file ") {
        let (file, rest) = rest.rsplit_once(", line ")?;
        Place { file, line: number(rest)?.0, column: None }
    } else {
        let (place, rest) = Place::parse(text).filter(|_| indent(text) == 0)?;
        let rest = rest.strip_prefix(':')?.trim_start();
        let is_name = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._".contains(&byte));
        if place.column.is_some() || !(is_name || rest.starts_with("in ")) {
            return None;
        }
        place
    };
    Some(Frame { place, said: Said { text, ..said }, source: Vec::new(), body: Vec::new() })
}

/// Whether a line says no more of a value than where it lies: `env = <shop.Env object at 0x7f1c>`.
fn is_object(text: &str) -> bool {
    text.ends_with('>') && text.contains(" = <") && text.contains(" object at 0x")
}

/// Whether a line only points at the one above.
fn is_caret(text: &str) -> bool {
    text.trim().bytes().all(|byte| b"^~ ".contains(&byte))
}

fn is_chain(text: &str) -> bool {
    text.starts_with("The above exception was the direct cause")
        || text.starts_with("During handling of the above")
}

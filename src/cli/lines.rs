//! Ranges of lines, matching lines and pages of a file, without holding the file in memory: what `show`, `read` and
//! `grep` give. An agent is never given more than its host shows of one call, and it is deducted from what was saved,
//! where it is of a saved output.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, Seek as _, SeekFrom, Write};
use std::path::Path;

use regex::bytes::Regex;

use super::out::{Refusal, counted, refuse_unless};
use crate::agents::Agent;
use crate::config;
use crate::consumer::{self, Consumer, Fd, Trace};
use crate::ledger::record::{AGAIN, Record};
use crate::ledger::{calls, spool};
use crate::overflow::{Page, pages};
use crate::store::{self, Facts, Saved, session_of_caller};
use crate::sys::files::at_most;
use crate::tokens;

/// A longer line is read in parts of this many bytes.
const LONGEST_LINE: usize = 1 << 20;

/// Lines from the first to the last, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub first: u64,
    /// The last line; `u64::MAX` is the end.
    pub last: u64,
    /// If not 0, the range is this many lines at the end, whatever `first` says.
    at_end: u64,
}

impl Range {
    pub const ALL: Self = Self::new(1, u64::MAX);

    pub const fn new(first: u64, last: u64) -> Self {
        Self { first, last, at_end: 0 }
    }

    /// The range in a file of `count()` lines. `count` is called only for a range at the end.
    pub fn of<E>(self, count: impl FnOnce() -> Result<u64, E>) -> Result<Self, E> {
        Ok(match self.at_end {
            0 => self,
            at_end => Self::new((count()? + 1).saturating_sub(at_end).max(1), u64::MAX),
        })
    }
}

impl std::str::FromStr for Range {
    type Err = String;

    /// `A:B`, `A:`, `:B` or `A`; `-N:` or `-N` for the last N.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str, default: u64| match part {
            "" => Ok(default),
            part => part.parse().map_err(|_| format!("`{part}` is no line number")),
        };
        if let Some(at_end) = text.strip_prefix('-') {
            let at_end = number(at_end.strip_suffix(':').unwrap_or(at_end), 0)?;
            return match at_end {
                0 => Err("-N: is the last N lines".into()),
                at_end => Ok(Self { at_end, ..Self::ALL }),
            };
        }
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let (first, last) = (number(first, 1)?, number(last, u64::MAX)?);
        match () {
            () if first == 0 => Err("lines are counted from 1".into()),
            () if first > last => Err(format!("line {first} comes after line {last}")),
            () => Ok(Self::new(first, last)),
        }
    }
}

/// How foreign lines are written: for a program as they are, for a reader by one of the ways of [`visible`].
///
/// [`visible`]: crate::pipeline::visible
pub type Style = fn(&[u8]) -> Cow<'_, [u8]>;

/// How lines are written, and the page that they have to fit, if any.
pub type View = (Style, Option<Page>);

/// A number of lines, and the number of the first line that was left out because the page is full.
type Written = io::Result<(u64, Option<u64>)>;

pub fn as_they_are(lines: &[u8]) -> Cow<'_, [u8]> {
    lines.into()
}

/// Calls `each` with every line and its number until `each` returns false; returns the number of the last line for
/// which `each` returned true. Memory is bounded for any input.
pub fn for_each(
    mut input: impl BufRead,
    mut each: impl FnMut(u64, &[u8]) -> io::Result<bool>,
) -> io::Result<u64> {
    let (mut number, mut seen, mut line) = (1, 0, Vec::new());
    loop {
        line.clear();
        let taken = io::Read::take(&mut input, LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        if taken == 0 || !each(number, &line)? {
            return Ok(seen);
        }
        seen = number;
        number += u64::from(line.ends_with(b"\n"));
    }
}

struct Filling<'a, W> {
    out: &'a mut W,
    page: Option<Page>,
    bytes: usize,
    lines: usize,
    /// Number of the first line that was left out because the page is full.
    cut: Option<u64>,
}

impl<W: Write> Filling<'_, W> {
    /// Writes `line`, made from the line `number`, if it fits; of a first line that does not fit, its beginning.
    fn line(&mut self, number: u64, line: &[u8]) -> io::Result<()> {
        if self.cut.is_some() {
            return Ok(());
        }
        let Some(page) = self.page else { return self.out.write_all(line) };
        self.bytes += line.len();
        self.lines += usize::from(line.ends_with(b"\n"));
        if self.bytes <= page.bytes && self.lines <= page.lines {
            return self.out.write_all(line);
        }
        self.cut = Some(number);
        if self.bytes == line.len() {
            let end = (0..=page.bytes).rev().find(|at| (line[*at] as i8) >= -0x40).unwrap_or(0);
            self.out.write_all(&line[..end])?;
            // Of a very long line this is but the first part.
            let more = line.len() - end;
            writeln!(self.out, "… (at least {more} bytes more in line {number}; pages have them: --page N)")?;
            self.cut = Some(number + 1);
        }
        Ok(())
    }
}

/// Writes a range of lines, as far as the lines fit `page`. Returns the number of the last line that was read, up to
/// the end of the range, and that of the first line that was left out because the page is full.
pub fn write_range(input: impl BufRead, range: Range, view: View, out: &mut impl Write) -> Written {
    let (style, page) = view;
    let mut filling = Filling { out, page, bytes: 0, lines: 0, cut: None };
    let seen = for_each(input, |number, line| {
        if number > range.last || filling.cut.is_some() {
            return Ok(false);
        }
        if number >= range.first {
            filling.line(number, &style(line))?;
        }
        Ok(true)
    })?;
    Ok((seen, filling.cut))
}

/// Writes the lines that match, with their numbers and `context` lines around them, as far as they fit `page`. Returns
/// how many match, and the number of the first line that was left out because the page is full.
pub fn write_matches(
    input: impl BufRead,
    pattern: &Regex,
    context: usize,
    (style, page): View,
    out: &mut impl Write,
) -> Written {
    let mut before: VecDeque<(u64, Vec<u8>)> = VecDeque::new();
    let (mut after, mut last_written, mut matching) = (0, 0, 0);
    let mut filling = Filling { out, page, bytes: 0, lines: 0, cut: None };
    for_each(input, |number, line| {
        let is_match = pattern.is_match(line.strip_suffix(b"\n").unwrap_or(line));
        if is_match {
            matching += 1;
            let first = before.front().map_or(number, |(first, _)| *first);
            if last_written > 0 && first > last_written + 1 {
                filling.line(number, b"--\n")?;
            }
            for (number, line) in before.drain(..) {
                filling.line(number, &numbered(number, '-', &style(&line)))?;
            }
        }
        if is_match || after > 0 {
            after = if is_match { context } else { after - 1 };
            filling.line(number, &numbered(number, if is_match { ':' } else { '-' }, &style(line)))?;
            last_written = number;
        } else if context > 0 {
            if before.len() == context {
                before.pop_front();
            }
            before.push_back((number, line.to_vec()));
        }
        Ok(true)
    })?;
    Ok((matching, filling.cut))
}

fn numbered(number: u64, mark: char, line: &[u8]) -> Vec<u8> {
    let end: &[u8] = if line.ends_with(b"\n") { b"" } else { b"\n" };
    [format!("{number}{mark}").as_bytes(), line, end].concat()
}

/// The compiled pattern; the error is one line that says what is wrong with it.
pub fn pattern(text: &str) -> anyhow::Result<Regex> {
    Regex::new(text).map_err(|error| {
        // The parser's message draws the place; its last line says what is wrong.
        let what = error.to_string();
        let what = what.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        Refusal::bad(format!("`{text}` is no regular expression: {what}"))
    })
}

/// An agent that reads our standard output.
pub struct Reader {
    agent: Option<&'static Agent>,
    /// What the agent's host shows of one call, less the line behind a page.
    pub page: Page,
}

/// Whether our answer may be as long as it is: a program of the same command line reads it, or nobody.
pub fn is_unbounded(reader: Option<&Reader>) -> bool {
    reader.is_none() && !consumer::may_be_read_by_an_agent()
}

/// The agent that reads our standard output; `None` if a program or a person does, who get the whole answer.
pub fn reader() -> Option<Reader> {
    let decision = consumer::decide(&mut Trace::off());
    let agent = decision.agent;
    (decision.reader(Fd::Stdout) == Some(Consumer::Agent)).then(|| Reader { agent, page: page_for(agent) })
}

/// The size of a page for an agent, or for a program or a person who asks for one.
pub fn page_for(agent: Option<&Agent>) -> Page {
    let (limit, lines) = agent.map_or((None, None), |agent| (agent.output_limit, agent.output_lines));
    Page::of_host(limit, lines).without(pages::FOOTER, 1)
}

/// Says what stands in front of a page, given the text before the page, and the page.
pub type Carried = fn(&str, &str) -> String;

/// The page `number`, counted from 1, of a file in pages of the size `size`, the first of which ends at the byte
/// `first` if that is given; and the line behind the page. `style` rewrites the page's bytes, `carried` what stands in
/// front of a further one; `name` names the file in an error; `next` is the command that shows another page. Fails when
/// there is no such page, or the file cannot be read.
pub fn page_of(
    file: &File,
    (first, size): (Option<u64>, Page),
    number: u32,
    (style, carried): (Style, Option<Carried>),
    name: &str,
    next: &str,
) -> anyhow::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    let from = first.unwrap_or(0).min(length);
    let rest = pages::divide(length - from, size, size, |at, most| read_at(file, from + at, most))?;
    let first = (from > 0).then_some(0..from);
    let rest = rest.into_iter().map(|page| page.start + from..page.end + from);
    let (all, number) = (first.into_iter().chain(rest).collect::<Vec<_>>(), number as usize);
    let count = all.len().max(1);
    let pages = counted(count as u64, "page");
    refuse_unless!(number <= count, "{name} has {pages}, so there is no page {number}");
    let Some(page) = all.get(number - 1) else { return Ok(Vec::new()) };
    let text = read_at(file, page.start, (page.end - page.start) as usize)?;
    let mut bytes = Vec::new();
    if let Some(carried) = carried.filter(|_| number > 1) {
        let before = read_at(file, 0, page.start as usize)?;
        bytes = carried(&String::from_utf8_lossy(&before), &String::from_utf8_lossy(&text)).into_bytes();
    }
    bytes.extend_from_slice(&style(&text));
    if count > 1 {
        bytes.extend_from_slice(if bytes.ends_with(b"\n") { b"" } else { b"\n" });
        bytes.extend_from_slice(pages::footer(number, &count.to_string(), next).as_bytes());
    }
    Ok(bytes)
}

/// At most `most` bytes of the file, from the offset `at` on.
fn read_at(mut file: &File, at: u64, most: usize) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(at))?;
    at_most(file, most as u64)
}

/// Records that the reader was given `given` of a saved output; `page` is its page number if it is a page. If the
/// record cannot be written, it is lost without a message.
pub fn note(saved: &Saved, reader: &Reader, given: &[u8], page: Option<u32>) {
    if !config::load().unwrap_or_default().ledger.enabled {
        return;
    }
    let facts = Facts::of(&saved.path).unwrap_or_default();
    // Of an output that an older toto saved only the tool is known.
    let call = facts.call.unwrap_or_else(|| calls::plain_name(&saved.tool));
    let tokens = tokens::count(given) as u64;
    // What the first page left to later pages did not count as saved, so a later page costs only its call.
    let is_next = facts.pages.is_some() && page.is_some_and(|page| page > 1);
    let record = Record {
        shape: AGAIN.into(),
        given_bytes: given.len() as u64,
        without: if is_next { tokens } else { 0 },
        given: tokens,
        status: Some(0),
        saved: Some(saved.id.as_str().into()),
        ..Record::new(&saved.tool, call, reader.agent, &session_of_caller())
    };
    let _ = spool::append(record.at, &record.line());
}

/// Like [`note`], for a file; does nothing if the file is not a saved output.
pub fn note_file(path: &Path, reader: Option<&Reader>, given: &[u8]) {
    if let Some((reader, saved)) = reader.and_then(|reader| Some((reader, store::at(path)?))) {
        note(&saved, reader, given, None);
    }
}

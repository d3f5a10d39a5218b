//! Gathers the facts of a text while it arrives, in bounded memory, without holding the text.

use super::finder::{Finder, WINDOW};
use super::passages::{Passage, Passages};
use crate::pipeline::visible;
use crate::tokens::Sampler;

/// Bytes that are kept of the beginning, and of the end.
pub(super) const KEPT: usize = 64 << 10;
/// Most bytes of a line that are looked at.
const LONGEST_LINE: usize = 16 << 10;

/// The facts of the part of a text that has arrived.
#[derive(Default)]
pub struct Summariser {
    /// The facts so far. The last bytes are cut to [`KEPT`] only where there are more than twice that, so that bytes
    /// are moved rarely.
    facts: Summary,
    /// A line whose end has not arrived.
    partial: Vec<u8>,
    finder: Finder,
    passages: Passages,
    tokens: Sampler,
}

/// A text's facts.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Its length in bytes.
    pub bytes: u64,
    /// Its lines, an unended last one included.
    pub lines: u64,
    /// Its characters, counted as the bytes that do not continue a UTF-8 character.
    pub characters: u64,
    /// Its tokens.
    pub tokens: u64,
    /// Whether the count is an estimate.
    pub estimated: bool,
    /// Its first bytes, or all of them if they are few.
    pub head: Vec<u8>,
    /// Its last bytes.
    pub tail: Vec<u8>,
    /// Each keyword, and the number of lines that mention it.
    pub keywords: Vec<(String, u64)>,
    /// The passages that say why something failed.
    pub passages: Vec<Passage>,
    /// Number of different passages that were not kept.
    pub more_passages: u64,
}

impl Summary {
    /// The facts of a text that is complete in memory; lines with one of `keywords` are counted.
    pub fn of(text: &[u8], keywords: &[String]) -> Self {
        let mut summariser = Summariser::new(keywords);
        for part in text.chunks(KEPT) {
            summariser.push(part);
        }
        summariser.finish()
    }

    /// Whether a NUL byte is among the first or last bytes.
    pub fn is_binary(&self) -> bool {
        memchr::memchr(0, &self.head).or_else(|| memchr::memchr(0, &self.tail)).is_some()
    }
}

impl Summariser {
    /// Of a text that has not begun; lines with one of `keywords` are counted.
    pub fn new(keywords: &[String]) -> Self {
        let counts = keywords.iter().map(|keyword| (keyword.to_lowercase(), 0)).collect();
        let facts = Summary { keywords: counts, ..Summary::default() };
        Self { facts, finder: Finder::new(keywords), ..Self::default() }
    }

    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        self.tokens.push(bytes);
        let facts = &mut self.facts;
        facts.bytes += bytes.len() as u64;
        facts.characters += characters(bytes);
        facts.head.extend_from_slice(&bytes[..bytes.len().min(KEPT - facts.head.len())]);
        facts.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(KEPT)..]);
        if facts.tail.len() > 2 * KEPT {
            facts.tail.drain(..facts.tail.len() - KEPT);
        }
        let Some(last) = memchr::memrchr(b'\n', bytes) else { return self.keep_partial(bytes) };
        let (mut lines, rest) = bytes.split_at(last + 1);
        if !self.partial.is_empty() {
            let end = memchr::memchr(b'\n', lines).map_or(lines.len(), |newline| newline + 1);
            let mut line = std::mem::take(&mut self.partial);
            line.extend_from_slice(&lines[..end]);
            self.block(&line);
            lines = &lines[end..];
        }
        self.block(lines);
        self.keep_partial(rest);
    }

    fn keep_partial(&mut self, bytes: &[u8]) {
        let room = LONGEST_LINE.saturating_sub(self.partial.len());
        self.partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// Takes whole lines, as many at a time as stay in a core's cache.
    fn block(&mut self, block: &[u8]) {
        let mut at = 0;
        while at < block.len() {
            let most = block.len().min(at + WINDOW);
            let last = memchr::memrchr(b'\n', &block[at..most]).map(|newline| at + newline + 1);
            let end =
                last.or_else(|| memchr::memchr(b'\n', &block[most..]).map(|newline| most + newline + 1));
            let end = end.unwrap_or(block.len());
            self.window(block, at, end);
            at = end;
        }
    }

    /// Looks at those lines of `block[start..end]` that have one of the words, and at lines that may continue a
    /// passage.
    fn window(&mut self, block: &[u8], start: usize, end: usize) {
        self.finder.look(&block[start..end]);
        let mut at = start;
        while at < end {
            if self.passages.open.is_none() {
                let Some(found) = self.finder.next(at - start) else { break };
                let line = memchr::memrchr(b'\n', &block[at..start + found]).map_or(at, |n| at + n + 1);
                self.facts.lines += count_newlines(&block[at..line]);
                at = line;
            }
            let next = memchr::memchr(b'\n', &block[at..end]).map_or(end, |newline| at + newline + 1);
            self.look_at(&block[at..next], line_before(block, at));
            self.facts.lines += 1;
            at = next;
        }
        self.facts.lines += count_newlines(&block[at..end]);
    }

    fn look_at(&mut self, line: &[u8], before: &[u8]) {
        let line = readable(line);
        let lower = line.to_ascii_lowercase();
        for (keyword, count) in &mut self.facts.keywords {
            *count += u64::from(is_mentioned(&lower, keyword));
        }
        let before = (!before.is_empty()).then(|| readable(before));
        self.passages.line(self.facts.lines + 1, &line, before.as_deref());
    }

    /// The facts of the text, which ends here.
    pub fn finish(mut self) -> Summary {
        let line = std::mem::take(&mut self.partial);
        if !line.is_empty() {
            self.look_at(&line, b"");
            self.facts.lines += 1;
        }
        let (tokens, estimated) = self.tokens.finish();
        let Passages { found: passages, dropped: more_passages, .. } = self.passages;
        let tail = self.facts.tail.split_off(self.facts.tail.len().saturating_sub(KEPT));
        Summary { tokens, estimated, tail, passages, more_passages, ..self.facts }
    }
}

/// Whether a line has the word other than in a count of none: `failed=0`, `errors: 0`, `0 warnings`.
fn is_mentioned(line: &str, keyword: &str) -> bool {
    line.match_indices(keyword).any(|(at, _)| {
        let behind = line[at + keyword.len()..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let after = behind.strip_prefix(['=', ':']).and_then(|count| count.trim_start().strip_prefix('0'));
        // `task 0 failed` names a task, `error: 0x80070005` an error.
        let before = line[..at].strip_suffix("0 ").map(str::trim_end);
        !(after.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '.'))
            || before.is_some_and(|rest| rest.is_empty() || rest.ends_with([',', ';', ':', '(', '[', '|'])))
    })
}

/// Counts the bytes that do not continue a character.
pub fn characters(bytes: &[u8]) -> u64 {
    let begins = |bytes: &[u8]| bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count();
    bytes.chunks(WINDOW).map(|part| if part.is_ascii() { part.len() } else { begins(part) } as u64).sum()
}

fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

fn line_before(block: &[u8], at: usize) -> &[u8] {
    let before = &block[..at.saturating_sub(1)];
    &before[memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1)..]
}

/// A line as a screen would show it.
fn readable(line: &[u8]) -> String {
    visible::readable(&line[..line.len().min(LONGEST_LINE)]).trim_end().to_owned()
}

//! Pages: how much of one call an agent's host shows without cutting, and how a text is divided into such parts.

use std::io;
use std::ops::Range;

use crate::marks::PAGE;

/// Characters of a page where the host's own limit is not known.
pub const UNKNOWN_HOST: usize = 24_000;
/// Smallest page in bytes: no host cuts at less, so a lower limit is nonsense and is not followed.
pub const LEAST: usize = 2_000;
/// Bytes that are left at least of a page that others have filled: a few lines, and how to go on.
const LEAST_LEFT: usize = 400;
/// Smallest page in lines.
const LEAST_LINES: usize = 20;
/// Bytes kept for the line behind a page (`(page 1 of 3; …)`).
pub const FOOTER: usize = 120;
/// Beginnings of lines that start a part of a patch or of a history: a file, a commit, a hunk.
const STARTS: [&[u8]; 4] = [b"diff --git ", b"commit ", b"Index: ", b"@@ "];
/// Number of kinds of boundaries: those of [`STARTS`], a paragraph's, a line's.
const RANKS: usize = 3;

/// How much of a stream its reader's host shows before it cuts by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Bytes. A host's limit in characters is taken as one in bytes, which never allows more.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
}

impl Page {
    /// The page of a host that cuts beyond `bytes` or `lines`, with defaults for a limit that is unknown.
    pub fn of_host(bytes: Option<u32>, lines: Option<u32>) -> Self {
        Self {
            bytes: bytes.map_or(UNKNOWN_HOST, |bytes| (bytes as usize).max(LEAST)),
            lines: lines.map_or(usize::MAX, |lines| (lines as usize).max(LEAST_LINES)),
        }
    }

    /// Whether the host shows all of `text`.
    pub fn holds(&self, text: &[u8]) -> bool {
        // A line is a byte at least.
        text.len() <= self.bytes
            && (text.len() <= self.lines || memchr::memchr_iter(b'\n', text).count() <= self.lines)
    }

    /// One of `parts` equal parts of the page.
    #[must_use]
    pub fn shared(self, parts: usize) -> Self {
        let part = |whole: usize, least: usize| (whole / parts.max(1)).max(least.min(whole));
        Self { bytes: part(self.bytes, LEAST), lines: part(self.lines, LEAST_LINES) }
    }

    /// The page without the bytes and lines that another part of the answer takes.
    #[must_use]
    pub fn without(self, bytes: usize, lines: usize) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(bytes).max(LEAST_LEFT.min(self.bytes)),
            lines: self.lines.saturating_sub(lines).max(LEAST_LINES.min(self.lines)),
        }
    }
}

/// The line behind a page: its number, counted from 1, and the command that shows the next page.
pub fn footer(number: usize, pages: &str, next: &str) -> String {
    let is_last = number.to_string() == pages;
    let next = if is_last { String::new() } else { format!("; next: {next} --page {}", number + 1) };
    format!("{PAGE}{number} of {pages}{next})\n")
}

/// Divides a text of `length` bytes into pages, returned as ranges of bytes: the first no larger than `first`, the
/// others no larger than `page`. `window(at, most)` reads at most `most` bytes from the offset `at` on.
///
/// The pages are as few as can be. Where that leaves a choice, a page ends before a file or a hunk, else before a
/// paragraph, else behind a line. Only a line that is longer than a page is divided.
///
/// # Errors
/// What `window` returns.
pub fn divide(
    length: u64,
    first: Page,
    page: Page,
    mut window: impl FnMut(u64, usize) -> io::Result<Vec<u8>>,
) -> io::Result<Vec<Range<u64>>> {
    let (mut pages, mut at) = (Vec::new(), 0);
    while at < length {
        let room = if pages.is_empty() { first } else { page };
        // The bytes behind the page tell what the next page would begin with.
        let text = window(at, room.bytes + STARTS[0].len())?;
        let end = at + end_of_page(&text, length - at, room, page) as u64;
        pages.push(at..end.max(at + 1).min(length));
        at = end.max(at + 1);
    }
    Ok(pages)
}

/// [`divide`] for a text in memory.
pub fn divide_text(text: &[u8], first: Page, page: Page) -> Vec<Range<u64>> {
    let window = |at: u64, most: usize| {
        let rest = &text[at as usize..];
        Ok(rest[..rest.len().min(most)].to_vec())
    };
    divide(text.len() as u64, first, page, window).unwrap_or_default()
}

/// The end of the first page of a text that begins with `text` and is `length` bytes long.
fn end_of_page(text: &[u8], length: u64, room: Page, page: Page) -> usize {
    let most = text.len().min(room.bytes);
    let lines = memchr::memchr_iter(b'\n', &text[..most]).nth(room.lines.saturating_sub(1)).map(|at| at + 1);
    let most = lines.unwrap_or(most);
    if length <= most as u64 {
        return length as usize;
    }
    // Bytes that may stay empty on this page without costing one more page in the end.
    let others = (length - most as u64).div_ceil(page.bytes as u64) * page.bytes as u64;
    let spare = (others - (length - most as u64)) as usize;
    let boundaries = last_boundaries(text, most);
    let fitting = boundaries.into_iter().flatten().find(|end| most - end <= spare);
    fitting.or(boundaries[RANKS - 1]).unwrap_or_else(|| last_character(text, most))
}

/// For each rank, the last boundary up to `most` of this rank or a better one.
fn last_boundaries(text: &[u8], most: usize) -> [Option<usize>; RANKS] {
    let mut found = [None; RANKS];
    for end in memchr::memrchr_iter(b'\n', &text[..most]).map(|at| at + 1) {
        let next = &text[end..];
        let is_start = STARTS.iter().any(|start| next.starts_with(start));
        let is_paragraph =
            text[..end].ends_with(b"\n\n") && !matches!(next.first(), Some(b' ' | b'\t' | b'\n'));
        let rank = if is_start { 0 } else { RANKS - if is_paragraph { 2 } else { 1 } };
        for place in &mut found[rank..] {
            *place = place.or(Some(end));
        }
        if found[0].is_some() {
            break;
        }
    }
    found
}

/// The last boundary of a character up to `most`.
fn last_character(text: &[u8], most: usize) -> usize {
    let is_start = |at: &usize| text.get(*at).is_none_or(|byte| (*byte as i8) >= -0x40);
    (most.saturating_sub(3)..=most).rev().find(is_start).filter(|at| *at > 0).unwrap_or(most)
}

#[cfg(test)]
#[path = "../../tests/unit/overflow/pages.rs"]
mod tests;

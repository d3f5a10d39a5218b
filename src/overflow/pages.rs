//! How a text is divided into pages, and the line behind each.

use std::io;
use std::ops::Range;

use crate::marks::PAGE;
pub use crate::pipeline::Page;
pub use crate::pipeline::page::LEAST;

/// Bytes kept for the line behind a page (`(page 1 of 3; …)`).
pub const FOOTER: usize = 120;
/// Beginnings of lines that start a part of a patch or of a history: a file, a commit, a hunk.
const STARTS: [&[u8]; 4] = [b"diff --git ", b"commit ", b"Index: ", b"@@ "];
/// Number of kinds of boundaries: those of [`STARTS`], a paragraph's, a line's.
const RANKS: usize = 3;

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
/// paragraph, else behind a line. Only a line that is longer than a page is divided. Fails where `window` does.
pub fn divide(
    length: u64,
    first: Page,
    page: Page,
    mut window: impl FnMut(u64, usize) -> io::Result<Vec<u8>>,
) -> io::Result<Vec<Range<u64>>> {
    let (mut pages, mut at) = (Vec::new(), 0);
    while at < length {
        let this = if pages.is_empty() { first } else { page };
        // The bytes behind the page tell what the next page would begin with.
        let text = window(at, this.bytes + STARTS[0].len())?;
        let end = at + end_of_page(&text, length - at, this, page) as u64;
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
fn end_of_page(text: &[u8], length: u64, this: Page, page: Page) -> usize {
    let most = text.len().min(this.bytes);
    let lines = memchr::memchr_iter(b'\n', &text[..most]).nth(this.lines.saturating_sub(1)).map(|at| at + 1);
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

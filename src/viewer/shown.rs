//! Works out what viewers show of a text.

use crate::consumer::Shows;
use crate::source::behind_lines;

/// The part of `text` that these viewers show, one behind the other; empty if that is unknown.
pub fn through<'t>(text: &'t [u8], viewers: &[Shows]) -> &'t [u8] {
    viewers.iter().fold(text, |text, shows| part(text, *shows))
}

fn part(text: &[u8], shows: Shows) -> &[u8] {
    match shows {
        Shows::All => text,
        Shows::First(lines) => &text[..behind_lines(text, lines)],
        Shows::From(line) => &text[behind_lines(text, line.saturating_sub(1))..],
        Shows::Last(lines) => &text[last(text, lines)..],
        Shows::AllBut(lines) => &text[..last(text, lines)],
        Shows::Some => &[],
    }
}

/// The offset at which the last `lines` lines begin.
fn last(text: &[u8], lines: u64) -> usize {
    let lines = usize::try_from(lines).unwrap_or(usize::MAX);
    if lines == 0 {
        return text.len();
    }
    let ended = text.strip_suffix(b"\n").unwrap_or(text);
    memchr::memrchr_iter(b'\n', ended).nth(lines - 1).map_or(0, |newline| newline + 1)
}

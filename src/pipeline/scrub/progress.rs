//! Progress: texts that a tool wrote over each other on one line, each the same as the one before but for its moving
//! parts.

use crate::failure::says_why;

const UNITS: &[&str] = &[
    "b", "k", "m", "g", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib", "bytes", "it", "obj", "ms", "us",
    "s", "sec", "min", "h", "d",
];
const BAR: &[char] = &['=', '#', '█', '━', '▓', '░', '-', '>', '.', '╸', '╺', '⠿'];
/// Signs that spinners are drawn with, beside Braille patterns.
const SPINNER: &[char] = &['|', '/', '-', '\\', '.', ' ', '◐', '◓', '◑', '◒'];
const SHORTEST_BAR: usize = 3;
/// Longest text that may be progress, in bytes.
const LONGEST: usize = 4096;

/// Whether `after` is `before` with other counts, or the next state of a drawn bar: with `before` only the state of the
/// work at that time is lost.
pub fn is_next_state(before: &[u8], after: &[u8]) -> bool {
    if before.len() > LONGEST || after.len() > LONGEST {
        return false;
    }
    // A failing tool's text is never written over (promise 5).
    if says_why(before) {
        return false;
    }
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let (said, next) = (fixed_words(&before), fixed_words(&after));
    if has_bar(&before) && has_bar(&after) && said.first() == next.first() {
        return true;
    }
    let says_how_far = !said.is_empty() || before.contains('%') || before.chars().all(draws);
    says_how_far && next.starts_with(&said)
}

/// Whether a text consists of counts and drawn signs alone.
pub fn is_moving(text: &[u8]) -> bool {
    text.len() <= LONGEST && fixed_words(&String::from_utf8_lossy(text)).is_empty()
}

/// The words that are no counts. They must be the same in the next state.
fn fixed_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut behind_count = false;
    for word in text.split_whitespace() {
        let is_moving = word.split('/').all(|part| {
            behind_count = is_count(part) || behind_count && is_unit(part);
            behind_count
        });
        if !is_moving {
            words.push(word);
        }
    }
    words
}

/// `10%`, `(12/120),`, `1.2MiB/s`, `0:00:12`, `|███`, but no address `10.0.0.1`, and nothing with letters but a unit.
fn is_count(word: &str) -> bool {
    let dots = word.matches('.').count();
    let rest = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let letters = rest.find(char::is_alphabetic).unwrap_or(rest.len());
    let has_digits = rest[..letters].contains(|c: char| c.is_ascii_digit());
    let is_bare = letters == rest.len();
    dots < 3 && (is_bare || has_digits && is_unit(&rest[letters..])) || is_bare && !has_digits
}

fn is_unit(word: &str) -> bool {
    UNITS.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().as_str())
}

fn draws(c: char) -> bool {
    SPINNER.contains(&c) || BAR.contains(&c) || ('\u{2800}'..='\u{28ff}').contains(&c)
}

fn has_bar(text: &str) -> bool {
    let mut length = 0;
    text.chars().any(|c| {
        length = if BAR.contains(&c) { length + 1 } else { 0 };
        length >= SHORTEST_BAR && (text.contains('[') || !c.is_ascii())
    })
}

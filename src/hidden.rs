//! Characters that a terminal obeys or that nobody sees, and what is written in their place: `<U+202E>`.

use std::borrow::Cow;
use std::iter;

/// Bytes that writing characters out may add to a text, besides the text's own length. Beyond that each run of them
/// becomes U+FFFD, so that no text grows to more than about twice its size.
const FREE: usize = 64 << 10;
/// Bytes that are looked at together.
const PART: usize = 64;

/// Whether a terminal obeys the character, or nobody sees it: control characters (C0, C1, DEL) but for newline and tab,
/// Unicode's `Default_Ignorable_Code_Point`, separators of lines and paragraphs, marks of annotations between lines.
pub fn is_unseen(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}')
        || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}')
        || matches!(c, '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

/// The unseen character at the offset `at`, unless its neighbours need it: the letters of a script that joins them,
/// the parts of an emoji, text from right to left. `\r` before a newline is part of the line break.
pub fn at(bytes: &[u8], at: usize) -> Option<char> {
    let next = bytes.get(at + 1).copied().unwrap_or_default();
    let may_be = match bytes[at] {
        b'\n' | b'\t' => false,
        b'\r' => next != b'\n',
        0..=0x1f | 0x7f => true,
        0xC2 => next < 0xA0 || next == 0xAD,
        0xCD => next == 0x8F,
        0xD8 => next == 0x9C,
        0xE1 => matches!(next, 0x85 | 0x9E | 0xA0),
        0xE2 => matches!(next, 0x80 | 0x81),
        0xE3 => next == 0x85,
        0xEF => matches!(next, 0xB8 | 0xBB | 0xBE | 0xBF),
        0xF0 => matches!(next, 0x9B | 0x9D),
        0xF3 => next == 0xA0,
        _ => false,
    };
    let c = if may_be { first(&bytes[at..])? } else { return None };
    (is_unseen(c) && !is_needed(bytes, at, c)).then_some(c)
}

fn is_needed(bytes: &[u8], at: usize, c: char) -> bool {
    let behind = at + c.len_utf8();
    match c {
        '\u{200b}'..='\u{200d}' | '\u{180b}'..='\u{180f}' => {
            // A selector that is written out is no part of an emoji.
            let before = last(&bytes[..at]).is_some_and(|c| match c {
                '\u{fe0f}' => is_needed(bytes, at - c.len_utf8(), c),
                c => joins(c),
            });
            before && first(&bytes[behind..]).is_some_and(joins)
        }
        '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            // In its line, no further than the next unseen character: what is written out changes nothing for a mark
            // that stays, and no text is read for more marks than the two beside it.
            let is_seen = |c: &char| !is_unseen(*c) && *c != '\n';
            let (mut before, mut after) = (at, behind);
            let back = iter::from_fn(|| last(&bytes[..before]).inspect(|c| before -= c.len_utf8()));
            let ahead = iter::from_fn(|| first(&bytes[after..]).inspect(|c| after += c.len_utf8()));
            back.take_while(is_seen).any(is_right_to_left) || ahead.take_while(is_seen).any(is_right_to_left)
        }
        // One selector of a variant belongs to the character before it.
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => last(&bytes[..at]).is_some_and(|before| {
            matches!(before, '0'..='9' | '#' | '*') || !before.is_ascii() && !is_unseen(before)
        }),
        _ => false,
    }
}

/// Whether invisible characters join, or part, a character like this and the next: scripts from Arabic to Mongolian,
/// emoji.
fn joins(c: char) -> bool {
    let is_letter = matches!(c, '\u{590}'..='\u{1fff}' | '\u{a800}'..='\u{abff}' | '\u{fb1d}'..='\u{fdff}');
    let is_emoji = matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}');
    (is_letter || is_emoji) && !is_unseen(c)
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && c.is_alphabetic()
}

fn first(bytes: &[u8]) -> Option<char> {
    bytes[..bytes.len().min(4)].utf8_chunks().next()?.valid().chars().next()
}

fn last(bytes: &[u8]) -> Option<char> {
    (1..=bytes.len().min(4))
        .find_map(|length| std::str::from_utf8(&bytes[bytes.len() - length..]).ok()?.chars().next())
}

/// The offset of the next such character from `from` on, and the character.
fn find(bytes: &[u8], from: usize) -> Option<(usize, char)> {
    // Most parts of a text have only bytes that begin none.
    let is_plain = |part: &[u8]| {
        part.iter().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
    };
    let parts = (from..bytes.len()).step_by(PART).map(|start| start..bytes.len().min(start + PART));
    let mut places = parts.filter(|part| !is_plain(&bytes[part.clone()])).flatten();
    places.find_map(|place| Some((place, at(bytes, place)?)))
}

/// Whether there is such a character in a word.
pub fn is_in(word: &[u8]) -> bool {
    find(word, 0).is_some()
}

/// The same in a text, which may begin with a byte-order mark.
pub fn is_in_text(text: &[u8]) -> bool {
    find(text, start(text)).is_some()
}

fn start(text: &[u8]) -> usize {
    if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 }
}

/// The text with such characters written out. Invalid UTF-8 stays. `exception` gives the length of what stays as it is
/// at the start of a text that begins with such a character, in bytes.
pub fn written_but(bytes: &[u8], exception: impl Fn(&[u8]) -> Option<usize>) -> Cow<'_, [u8]> {
    let Some(mut found) = find(bytes, start(bytes)) else { return Cow::Borrowed(bytes) };
    let most = 2 * bytes.len() + FREE;
    let (mut out, mut from, mut replaced) = (Vec::with_capacity(bytes.len()), 0, usize::MAX);
    loop {
        let (place, c) = found;
        out.extend_from_slice(&bytes[from..place]);
        from = place + c.len_utf8();
        if let Some(length) = exception(&bytes[place..]) {
            from = place + length;
            out.extend_from_slice(&bytes[place..from]);
        } else if out.len() + bytes.len() - place < most {
            out.extend_from_slice(format!("<U+{:04X}>", u32::from(c)).as_bytes());
        } else if replaced != place {
            out.extend_from_slice("\u{fffd}".as_bytes());
            replaced = from;
        } else {
            replaced = from;
        }
        match find(bytes, from) {
            Some(next) => found = next,
            None => break,
        }
    }
    out.extend_from_slice(&bytes[from..]);
    Cow::Owned(out)
}

/// The text without characters that were written out.
pub fn without_written(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let behind = |part: &str| part.find('>').filter(|end| *end <= 6).map_or(0, |end| end + 1);
    let mut parts = text.split("<U+");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + &part[behind(part)..]).into_bytes()
}

/// The text with such characters written out. Invalid UTF-8 stays.
pub fn written(bytes: &[u8]) -> Cow<'_, [u8]> {
    written_but(bytes, |_| None)
}

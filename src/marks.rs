//! The lines that toto writes between and behind a tool's own: how they begin, and how a tool's line that a reader
//! could take for one of them is told apart.

use std::borrow::Cow;

use crate::hidden;

/// Receipts, and what is told behind a window.
pub const OURS: &str = "[toto] ";
/// A line in place of others: `… 212 passing tests`.
pub const MARK: &str = "… ";
/// The line behind a page.
pub const PAGE: &str = "(page ";
/// The line behind a range of lines.
pub const UP_TO: &str = "(up to line ";
/// The first line in place of a large output.
pub const BUFFERED: &str = "Output buffered to ";
/// The first line, and the one in the middle, of a truncated output.
pub const TRUNCATED: &str = "Output truncated: ";
/// The last line in place of a large output.
pub const MORE: &str = "More: toto show ";
/// The line behind an outline.
pub const FOR_PROGRAMS: &str = "As it came, for programs: ";
/// The heading of what a failing command said.
pub const FAILED: &str = "The command failed; what it said:";
/// The same, if nobody knows whether the command failed.
pub const MAY_TELL: &str = "What may tell of a failure:";
/// How often words occur in a large output.
pub const MENTIONS: &str = "Keyword mentions: ";
/// In the line behind a page of a file, in front of the command for the rest.
pub const GO_ON: &str = "; go on: ";
/// In the line in front of a page of matches, between their number and that of the files.
pub const MATCHES: &str = " matches in ";
/// Definitions in the part of a file that is not shown.
pub const FURTHER: &str = "(further down: ";
/// In a report, in front of the command for the run that told the records below.
pub const BEFORE: &str = "as before: ";
/// A table of the tool's, written in rows: how its head begins.
pub const ROWS: &str = "rows[";

/// Around the name of one of several calls, above what it printed.
pub const HEADING: (&str, &str) = ("==> ", " <==");

/// How a line of toto's begins.
const BEGINNINGS: [&str; 15] = [
    OURS,
    MARK,
    PAGE,
    UP_TO,
    BUFFERED,
    TRUNCATED,
    MORE,
    FOR_PROGRAMS,
    FAILED,
    MAY_TELL,
    MENTIONS,
    FURTHER,
    ROWS,
    "toto show ",
    "as before: toto show ",
];
/// What else a line of toto's in parentheses says.
const SAID: [&str; 6] = [" left out", "as it came, for programs: ", "toto ", TOOLS_OWN, GO_ON, MATCHES];
/// The end of the note on quoted lines.
const TOOLS_OWN: &str = "the tool's own: │)";

/// In front of a tool's line that a reader could take for one of toto's. No line of toto's begins so.
pub const QUOTE: &str = "│ ";

/// Whether a reader could take a line of the tool's for one of toto's; upper and lower case, blanks, and characters
/// that nobody sees make no difference.
pub fn is_ours(line: &[u8]) -> bool {
    // Most lines begin as none of ours does.
    let may_be = |byte: &u8| {
        matches!(byte, 0..=0x1f | 0x7f.. | b'[' | b'(' | b'=') || b"omawktrOMAWKTR".contains(byte)
    };
    if !line.trim_ascii_start().first().is_some_and(may_be) {
        return false;
    }
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let seen = line.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).filter(|c| !hidden::is_unseen(*c));
    let seen = seen.map(|c| if is_blank(c) { ' ' } else { c.to_ascii_lowercase() });
    let mut before = ' ';
    let seen = seen.filter(move |c| std::mem::replace(&mut before, *c) != ' ' || *c != ' ');
    let begins = |with: &str| {
        let mut seen = seen.clone();
        with.trim_end().chars().all(|c| seen.next() == Some(c.to_ascii_lowercase()))
            && (with != MARK || seen.next() == Some(' '))
    };
    let all = || seen.clone().collect::<String>();
    let says = |line: String| SAID.into_iter().any(|said| line.contains(said));
    BEGINNINGS.into_iter().any(begins)
        || begins("(") && says(all())
        || begins(HEADING.0) && all().trim_end().ends_with(HEADING.1)
}

/// Whether a character looks like a blank: Braille without dots is no white space for Unicode.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}'
}

/// Whether a line of toto's begins with the word.
pub fn is_first_word(word: &str) -> bool {
    let first = |ours: &str| ours.split(' ').next().is_some_and(|first| first.eq_ignore_ascii_case(word));
    BEGINNINGS.into_iter().any(first) || word.starts_with(ROWS)
}

/// Whether a line is a note that stands behind an output: what was left out, the way for programs, a receipt.
pub fn is_note(line: &str) -> bool {
    let line = line.trim_end_matches('\n');
    let said = || [SAID[0], SAID[1], TOOLS_OWN].into_iter().any(|said| line.contains(said));
    line.starts_with('(') && line.ends_with(')') && said() || line.starts_with(OURS)
}

/// The text without the notes at its end: what was left out, the way for programs, a receipt. If the last note has no
/// newline at its end, the text before it had none either.
pub fn without_note(mut text: &str) -> &str {
    loop {
        let start = start_of_last_line(text);
        if !is_note(&text[start..]) {
            return text;
        }
        let end = if text.ends_with('\n') { start } else { start.saturating_sub(1) };
        text = &text[..end];
    }
}

/// Whether a text ends as if with a note behind an output: its last line, empty ones aside, looks like one.
pub fn ends_in_note(text: &str) -> bool {
    is_note(&text[start_of_last_line(text)..])
}

/// Where the last line begins that is not empty.
fn start_of_last_line(text: &str) -> usize {
    text.trim_end_matches('\n').rfind('\n').map_or(0, |newline| newline + 1)
}

/// The text with [`QUOTE`] in front of each line that a reader could take for one of toto's.
pub fn quoted(text: &[u8]) -> Cow<'_, [u8]> {
    let (mut out, mut from, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if is_ours(line) {
            out.extend_from_slice(&text[from..at]);
            out.extend_from_slice(QUOTE.as_bytes());
            from = at;
        }
        at += line.len();
    }
    if out.is_empty() { Cow::Borrowed(text) } else { Cow::Owned([&out, &text[from..]].concat()) }
}

/// The [`quoted`] text with hidden characters written out: a text of the tool's as a reader may get it.
pub fn fit(text: &[u8]) -> Cow<'_, [u8]> {
    match quoted(text) {
        Cow::Borrowed(text) => hidden::written(text),
        Cow::Owned(quoted) => Cow::Owned(hidden::written(&quoted).into_owned()),
    }
}

/// The note on the lines of a text that are [`quoted`]; empty if there is none.
pub fn note_on_quoted(text: &[u8]) -> String {
    let is_quoted = |line: &&[u8]| {
        let line = line.trim_ascii_start().strip_prefix(QUOTE.as_bytes());
        line.is_some_and(|line| is_ours(line) || is_ours(&hidden::without_written(line)))
    };
    match text.split(|byte| *byte == b'\n').filter(is_quoted).count() {
        0 => String::new(),
        1 => format!("(1 line that looks like toto's is {TOOLS_OWN}\n"),
        count => format!("({count} lines that look like toto's are {TOOLS_OWN}\n"),
    }
}

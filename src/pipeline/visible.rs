//! Makes foreign text fit for a line or a page of toto's: terminal control goes, a character that a terminal would obey
//! or that nobody would see is written out (`<U+001B>`), a line that a reader could take for one of toto's is quoted.

use std::borrow::Cow;

use super::scrub::{at_level, plain, scrub};
use crate::config::Level;
use crate::hidden::{written, written_but};
use crate::marks::{QUOTE, fit, is_ours};

/// The text in one line, hidden characters written out: a line break becomes a blank.
pub fn line(text: &str) -> String {
    utf8(&written(text.replace('\n', " ").as_bytes()))
}

/// The text in lines of its own, for a person to judge: hidden characters are written out, and each line ends with a
/// newline.
pub fn text(text: &str) -> String {
    text.split_terminator('\n').flat_map(|each| [line(each), "\n".into()]).collect()
}

/// A file's text. Invalid UTF-8 stays.
pub fn file(bytes: &[u8]) -> Cow<'_, [u8]> {
    own(Cow::Borrowed(bytes))
}

/// A tool's lines, each of which stays one. Colours and sounds go; what took the cursor back is written out.
pub fn lines(bytes: &[u8]) -> Cow<'_, [u8]> {
    own(at_level(bytes, Level::Lossless).text)
}

/// A tool's output, from which nothing goes but terminal control: what was written over has a line of its own.
pub fn output(bytes: &[u8]) -> Cow<'_, [u8]> {
    own(plain(bytes))
}

/// The same as a screen would show it at the end.
pub fn readable(bytes: &[u8]) -> String {
    utf8(&own(scrub(bytes)))
}

/// A text of the tool's: hidden characters are written out, lines that a reader could take for toto's are quoted.
pub fn own(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match fit(&text) {
        Cow::Owned(fit) => Cow::Owned(fit),
        Cow::Borrowed(_) => text,
    }
}

/// The text with toto's colours: sequences of SGR (ECMA-48, `ESC [ … m`) stay, other hidden characters are written out.
pub fn coloured(bytes: &[u8]) -> Cow<'_, [u8]> {
    written_but(bytes, colour)
}

/// A tool's output whose colours tell something: they stay, in front of a line that could be toto's, too.
pub fn with_colours(bytes: &[u8]) -> Cow<'_, [u8]> {
    let quote = |line: &[u8]| if is_ours(&scrub(line)) { QUOTE.as_bytes() } else { b"" };
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let quoted: Vec<_> = lines.flat_map(|line| [quote(line), line]).collect();
    match quoted.concat() {
        quoted if quoted.len() > bytes.len() => Cow::Owned(coloured(&quoted).into_owned()),
        _ => coloured(bytes),
    }
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Length of the SGR sequence at the start, in bytes.
fn colour(text: &[u8]) -> Option<usize> {
    let parameters = text.strip_prefix(b"\x1b[")?;
    let end = parameters.iter().position(|byte| !(b'0'..=b';').contains(byte))?;
    (parameters[end] == b'm').then_some(2 + end + 1)
}

//! Makes foreign text fit for a line or a page of toto's: terminal control goes, a character that a terminal would obey
//! or that nobody would see is written out (`<U+001B>`), a line that a reader could take for one of toto's is quoted.

use std::borrow::Cow;

use super::scrub::{as_it_stands, plain, scrub};
use crate::hidden::{written, written_but};
use crate::marks::quoted;

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
    own(as_it_stands(bytes))
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
    let quoted = quoted(&text);
    let written = match written(&quoted) {
        Cow::Owned(written) => Some(written),
        Cow::Borrowed(_) => None,
    };
    let quoted = if let Cow::Owned(quoted) = quoted { Some(quoted) } else { None };
    written.or(quoted).map_or(text, Cow::Owned)
}

/// The text with toto's colours: sequences of SGR (ECMA-48, `ESC [ … m`) stay, other hidden characters are written out.
pub fn coloured(bytes: &[u8]) -> Cow<'_, [u8]> {
    written_but(bytes, colour)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_hidden_is_shown() {
        assert_eq!(text("a\u{1b}[2Kb\u{202e}c\r"), "a<U+001B>[2Kb<U+202E>c<U+000D>\n");
        assert_eq!(text("\tskip = ['é']\n\n"), "\tskip = ['é']\n\n");
        assert_eq!(line("a\nb\u{9b}31m\u{7}"), "a b<U+009B>31m<U+0007>");
    }

    #[test]
    fn nothing_goes_but_control() {
        let text = b"\x1b[1mab\x1b[0m 10%\r 50%\r\x1b[K99%\r\n[toto] x\n";
        let of = |bytes: Cow<'_, [u8]>| String::from_utf8(bytes.into_owned()).unwrap();
        assert_eq!(of(output(text)), "ab 10%\n 50%\n99%\n│ [toto] x\n");
        assert_eq!(readable(b" 10%\r 50%\r\x1b[K99%\n"), "99%\n");
        let one = "<U+001B>[1mab<U+001B>[0m 10%<U+000D> 50%<U+000D><U+001B>[K99%\r\n│ [toto] x\n";
        assert_eq!(of(lines(text)), one);
        assert_eq!(of(lines(b"\x1b[1mab\x1b[0m\r\n")), "ab\n");
        assert!(matches!(output(b"plain \xff\r\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn colours_stay_and_nothing_else_does() {
        let coloured = |text: &str| String::from_utf8(coloured(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(coloured("\u{1b}[1;31mred\u{1b}[0m\n"), "\u{1b}[1;31mred\u{1b}[0m\n");
        assert_eq!(
            coloured("\u{1b}[2Ja\u{1b}]0;t\u{7}\u{1b}[3"),
            "<U+001B>[2Ja<U+001B>]0;t<U+0007><U+001B>[3"
        );
        assert_eq!(coloured("é\u{9b}m\u{1b}"), "é<U+009B>m<U+001B>");
    }
}

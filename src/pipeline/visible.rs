//! Makes foreign text fit for a line or a page of toto's: a character that a terminal would obey, or that nobody would
//! see, is written out (`<U+001B>`). A path, a file's key or a process's name may hold such characters.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::scrub::scrub;

/// Whether a terminal would obey the character, or nobody would see it: control characters (C0, C1, DEL) but for the
/// tab, directional and invisible ones.
fn is_hidden(c: char) -> bool {
    c.is_control() && c != '\t'
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text with hidden characters written out. `exception` gives the length of what it takes from the start of a text
/// that begins with such a character, in bytes, and what stands for it.
fn written_out<'a>(text: &'a str, exception: impl Fn(&'a str) -> Option<(usize, &'a str)>) -> Cow<'a, str> {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_hidden(*c)) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if let Some((length, instead)) = exception(rest) {
            shown.push_str(instead);
            length
        } else {
            shown.push_str(&format!("<U+{:04X}>", u32::from(c)));
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    if rest.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(shown + rest) }
}

/// The text in one line, hidden characters written out: a line break becomes a blank.
pub fn line(text: &str) -> Cow<'_, str> {
    written_out(text, |rest| rest.starts_with('\n').then_some((1, " ")))
}

/// Lines of a file as they are, but for the control characters (C0, C1, DEL) that a terminal would obey: each becomes
/// U+FFFD. Invalid UTF-8 stays.
pub fn inert(bytes: &[u8]) -> Cow<'_, [u8]> {
    static OBEYED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?-u)[\x00-\x08\x0b-\x1f\x7f]|\xC2[\x80-\x9f]").expect("a valid pattern")
    });
    OBEYED.replace_all(bytes, "\u{fffd}".as_bytes())
}

/// The text in lines of its own, for a person to judge: hidden characters are written out, and each line ends with a
/// newline.
pub fn text(text: &str) -> String {
    text.split_terminator('\n').flat_map(|each| [line(each), "\n".into()]).collect()
}

/// The text in lines of its own, with toto's colours: sequences of SGR (ECMA-48, `ESC [ … m`) stay, other hidden
/// characters are written out.
pub fn coloured(text: &str) -> Cow<'_, str> {
    written_out(text, |rest| {
        let length = if rest.starts_with('\n') { 1 } else { colour(rest)? };
        Some((length, &rest[..length]))
    })
}

/// Length of the SGR sequence at the start, in bytes.
fn colour(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'))?;
    parameters[end..].starts_with('m').then_some(2 + end + 1)
}

/// Bytes as a screen would show them, without anything that a terminal would obey.
pub fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&inert(&scrub(bytes))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_hidden_is_shown() {
        assert_eq!(text("a\u{1b}[2Kb\u{202e}c\r"), "a<U+001B>[2Kb<U+202E>c<U+000D>\n");
        assert_eq!(text("\tskip = ['é']\n\n"), "\tskip = ['é']\n\n");
        assert_eq!(line("a\nb\u{9b}31m\u{7}"), "a b<U+009B>31m<U+0007>");
        assert!(matches!(line("plain · text"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_files_bytes_stay_but_for_what_is_obeyed() {
        assert_eq!(inert("a\u{e}\u{9b}m é\tz\n".as_bytes()).as_ref(), "a\u{fffd}\u{fffd}m é\tz\n".as_bytes());
        assert_eq!(inert(b"\xff\x7f\xc2").as_ref(), b"\xff\xef\xbf\xbd\xc2");
        assert!(matches!(inert(b"plain\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn colours_stay_and_nothing_else_does() {
        assert_eq!(coloured("\u{1b}[1;31mred\u{1b}[0m\n"), "\u{1b}[1;31mred\u{1b}[0m\n");
        assert_eq!(
            coloured("\u{1b}[2Ja\u{1b}]0;t\u{7}\u{1b}[3"),
            "<U+001B>[2Ja<U+001B>]0;t<U+0007><U+001B>[3"
        );
        assert_eq!(coloured("é\u{9b}m\u{1b}"), "é<U+009B>m<U+001B>");
    }
}

//! Foreign text on a page of toto's: what would be hidden is shown.

use std::borrow::Cow;

use llm_toto::pipeline::visible::{coloured, line, lines, output, readable, text};

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
    assert_eq!(coloured("\u{1b}[2Ja\u{1b}]0;t\u{7}\u{1b}[3"), "<U+001B>[2Ja<U+001B>]0;t<U+0007><U+001B>[3");
    assert_eq!(coloured("é\u{9b}m\u{1b}"), "é<U+009B>m<U+001B>");
}

use crate::hook::line::*;

#[test]
fn quotes_and_escapes_come_off() {
    for (word, expected) in [
        ("a'b c'\"d\\\"e\"\\ f", Some("ab cd\"e f")),
        ("\"\\x\"", Some("\\x")),
        ("a\\\nb", Some("ab")),
        ("''", Some("")),
        ("$x", None),
        ("\"$x\"", None),
        ("'$x*'", Some("$x*")),
        ("a*", None),
        ("{a,b}", None),
        ("~/bin", None),
    ] {
        assert_eq!(value(word).as_deref(), expected, "{word}");
    }
}

#[test]
fn quoting_is_read_back() {
    for word in ["/usr/bin/toto", "/a b/toto", "it's", "", "$x"] {
        assert_eq!(value(&crate::words::quote(word)).as_deref(), Some(word));
    }
}

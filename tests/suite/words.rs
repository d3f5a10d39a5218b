//! Command lines taken apart by the shell's quoting rules.

use llm_toto::words::{Unusable, split};

fn words(line: &str) -> Vec<String> {
    let words = split(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"));
    words.into_iter().map(|word| String::from_utf8(word).unwrap()).collect()
}

#[test]
fn quotes_are_the_shells() {
    for (line, expected) in [
        ("aws  s3 ls ", &["aws", "s3", "ls"][..]),
        (r#"a 'b c' "d \"e\" \$f \g" h\ i"#, &["a", "b c", r#"d "e" $f \g"#, "h i"]),
        ("a '' \"\" b'c'\"d\"", &["a", "", "", "bcd"]),
        ("a \\\n  b\\\nc\n", &["a", "bc"]),
        ("jq '.a | .b' \"x > y\" '|' \\; \\>", &["jq", ".a | .b", "x > y", "|", ";", ">"]),
        (
            "gh api a?x=1&y=2 --jq .[].a|.b {} $HOME ~ * #x",
            &["gh", "api", "a?x=1&y=2", "--jq", ".[].a|.b", "{}", "$HOME", "~", "*", "#x"],
        ),
        ("a 2 3", &["a", "2", "3"]),
        ("\u{e9} '\u{1f600}'\\", &["\u{e9}", "\u{1f600}\\"]),
    ] {
        assert_eq!(words(line), expected, "{line}");
    }
}

#[test]
fn what_needs_a_shell_is_refused_with_its_place() {
    for (line, at, what) in [
        ("a | b", 3, "|"),
        ("a && b", 3, "&&"),
        ("a ; b", 3, ";"),
        ("a; b", 2, ";"),
        ("a;", 2, ";"),
        ("a >f", 3, ">"),
        ("a 2>/dev/null", 3, ">"),
        ("a 2>&1", 3, ">&"),
        ("a &>f", 3, "&>"),
        ("a <f", 3, "<"),
        ("a &", 3, "&"),
        ("a $(b)", 3, "$("),
        ("a `b`", 3, "`"),
        ("a\nb", 2, "a line break"),
    ] {
        let expected = Unusable::Operator { column: at, operator: what.into() };
        assert_eq!(split(line.as_bytes()), Err(expected), "{line}");
    }
    assert_eq!(split(b"a 'b"), Err(Unusable::Open { column: 3, quote: '\'' }));
    assert_eq!(split(b" \n "), Err(Unusable::Empty));
    assert_eq!(split(b""), Err(Unusable::Empty));
}

use crate::hook::line::pipeline;
use crate::hook::rules::*;
use std::path::Path;

fn problem(text: &str) -> String {
    parse(text, Path::new("r.toml")).unwrap_err().to_string()
}

#[test]
fn a_rule_moves_pieces_of_the_line_as_they_are() {
    let rules = parse(
        "[[rule]]\nmatch = 'just {1}'\nreplace = \"{toto} just --color=never {1} {rest}\"\n[[rule]]\nmatch = 'x*'\n",
        Path::new("r.toml"),
    )
    .unwrap();
    let made = |line: &str| {
        let stages = pipeline(line).unwrap();
        rules.apply(&stages[0], "toto shim --").map(|(_, text)| text)
    };
    assert_eq!(made("just 'a b'  \"$c\"  d").unwrap(), "toto shim -- just --color=never 'a b' \"$c\"  d");
    assert_eq!(made("just"), None);
    assert_eq!(made("xyz  1").unwrap(), "toto shim -- xyz  1");
}

#[test]
fn a_mistake_is_named_with_its_line() {
    assert_eq!(problem("skip = ['a']\nstrip = 1\n").split(": ").next().unwrap(), "r.toml:2:1");
    for (text, expected) in [
        ("skip = ['']", "r.toml:1:10: an empty pattern matches every command"),
        ("skip = ['a {1}']", "r.toml:1:10: {1} cannot stand in a pattern here"),
        ("\n[[rule]]\nmatch = '{1}'", "r.toml:3:10: \"{1}\" must begin with the name of a command"),
        (
            "[[rule]]\nmatch = 'a {1}'\nreplace = \"sh -c '{1}'\"",
            "r.toml:2:10: replace: {1} must stand by itself, without quotes, in \"'{1}'\"",
        ),
        ("[[rule]]\nmatch = 'a'\nreplace = 'b {2}'", "r.toml:2:10: replace: {2} is not in match"),
        (
            "[[rule]]\nmatch = 'a'\nreplace = 'b $(c)'",
            "r.toml:2:10: replace: \"$(c)\" cannot be read for certain; put it into a script",
        ),
    ] {
        assert_eq!(problem(text), expected);
    }
}

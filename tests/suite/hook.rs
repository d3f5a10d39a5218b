//! Rewriting: every command of the list comes out as expected, and means the same.

mod handle;
mod install;
mod meaning;

use std::fs;
use std::path::Path;

use llm_toto::hook::lexer::{Kind, tokens};
use llm_toto::hook::rewrite;
use llm_toto::hook::rules::{self, Rules};
use proptest::prelude::*;
use serde::Deserialize;

use crate::parsers::properties::hold;

/// `tests/fixtures/rewrite.toml`, which says what its keys mean.
#[derive(Deserialize)]
struct Cases {
    rewritten: Vec<String>,
    untouched: Vec<String>,
    stripped: Vec<(String, String)>,
}

const FRONT: &str = "toto shim --";

fn cases() -> Cases {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/rewrite.toml");
    toml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn made_of(line: &str, rules: &Rules) -> Option<String> {
    rewrite(line, rules, FRONT).ok().map(|(line, _)| line)
}

fn with_front(marked: &str) -> String {
    marked.replace('«', &format!("{FRONT} "))
}

#[test]
fn every_command_of_the_list_comes_out_as_expected() {
    let cases = cases();
    assert!(cases.rewritten.len() + cases.untouched.len() >= 300);
    let none = Rules::default();
    let mut wrong = Vec::new();
    for marked in &cases.rewritten {
        let made = made_of(&marked.replace('«', ""), &none);
        if made.as_deref() != Some(&with_front(marked)) {
            wrong.push((marked, made));
        }
    }
    for line in &cases.untouched {
        if let Some(made) = made_of(line, &none) {
            wrong.push((line, Some(made)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn filters_come_off_only_where_that_is_switched_on() {
    let strip = rules::parse("strip_filters = true\nstrip_merge = true\n", Path::new("r.toml")).unwrap();
    for (line, expected) in &cases().stripped {
        let expected = (expected != "-").then(|| with_front(expected));
        assert_eq!(made_of(line, &strip), expected, "{line}");
        assert!(made_of(line, &Rules::default()).is_none() || !line.contains('|'), "{line}");
    }
}

#[test]
fn only_filters_that_show_a_part_come_off() {
    let strip = rules::parse("strip_filters = true", Path::new("r.toml")).unwrap();
    let whole = "head; head -20; head -n 20; head -n20; tail -5; grep -i error; grep -nE 'a|b' -A 3; grep -A3 x; \
                 grep -e x; sort; uniq; cut -d: -f1; cut -d ' ' -f 1,3; awk '{print $1, $3}'; awk -F: '/x/'; \
                 sed -n 1,20p; sed -n '/x/p'";
    let other = "wc -l; wc; grep -c x; grep -q x; grep -o x; grep x file; grep; grep -f list; head file; tail -f; \
                 tail -n +2; sort -u; sort -rn; uniq -c; uniq -d; awk '{s+=$1} END {print s}'; awk 'NR==2'; \
                 sed s/a/b/; sed -i 1d; sed -n; sed 1,20p; jq .; python3 -c x; grep $x; LC_ALL=C grep x; \
                 head 2>&1; cut -f1 file; head -c 10; grep -l x";
    for (stages, comes_off) in [(whole, true), (other, false)] {
        for stage in stages.split("; ") {
            assert_eq!(made_of(&format!("aws x | {stage}"), &strip).is_some(), comes_off, "{stage}");
        }
    }
}

#[test]
fn an_operand_of_grep_is_a_file_where_an_option_gives_the_pattern() {
    let strip = rules::parse("strip_filters = true", Path::new("r.toml")).unwrap();
    assert_eq!(made_of("aws x | grep file -e y", &strip), None);
    assert!(made_of("aws x | grep -i -e y -A3", &strip).is_some());
}

#[test]
fn a_long_option_of_one_letter_was_taken_for_the_letter() {
    let strip = rules::parse("strip_filters = true", Path::new("r.toml")).unwrap();
    // GNU's own answer to the first is its version.
    for filter in ["grep --v x", "grep --e=x", "cut --f=1", "head --n=5"] {
        assert_eq!(made_of(&format!("aws x | {filter}"), &strip), None, "{filter}");
    }
}

/// Pieces out of which odd lines are made.
fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "aws",
        "make",
        "git status",
        " ",
        " ",
        " ",
        "\t",
        "\n",
        "\\\n",
        "'",
        "\"",
        "\\",
        "$",
        "$x",
        "${x}",
        "${",
        "}",
        "$(",
        ")",
        "(",
        "`",
        "|",
        "||",
        "&",
        "&&",
        ";",
        "<",
        ">",
        "2>&1",
        "<<",
        "EOF",
        "#",
        "!",
        "{",
        "a=b",
        "A=1 ",
        "~",
        "*",
        "é",
        "\r",
        "[",
        "]",
        "$'",
        "\u{b}",
        "time ",
        "if ",
        "2",
        ">&1",
        "=",
        "=aws",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn tokens_tile_the_input(text in prop_oneof![line(), any::<String>()]) {
        hold("shell", text.as_bytes());
        prop_assert!(tokens(&text).iter().rev().skip(1).all(|token| token.kind != Kind::Unread));
    }

    #[test]
    fn a_rewritten_line_is_the_line_with_one_insertion(text in line()) {
        if let Some(made) = made_of(&text, &Rules::default()) {
            prop_assert_eq!(made.replacen(&format!("{FRONT} "), "", 1), text);
            prop_assert!(made_of(&made, &Rules::default()).is_none(), "twice");
        }
    }
}

//! The filter engine against any filter and any bytes: it does not lie, does not grow, does not panic.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use llm_toto::custom::schema::{FilterFile, Test, parse};
use llm_toto::custom::{Call, Notices, checks, commands, find, testing};
use llm_toto::failure::{self, says_why};
use llm_toto::pipeline::{Options, compress};
use proptest::prelude::*;

use crate::harness::call_words;

const PATTERNS: &[&str] =
    &["a", "^b", "c$", "^$", "x+", "error", "^(\\w+) (\\w+)", "(\\d+)", "…", "\\xff", ".", "^  "];
const TEMPLATES: &[&str] = &[
    "ok ✓",
    "{output}",
    "{1} of {2}",
    "{got.count} lines\n{got}",
    "{output | lines | keep: \"a\" | join: \"\\n\"}",
    "{got | each: \"{index}. {value | truncate: 3}\" | join: \"\\n\"}",
    "{n} sum, {records | each: \"{f}={n}\"}",
    "{extract} {branch}\n{group_counts}",
    "failed {nothing}",
    "",
];

/// A key of a filter file with its value, at the top level or in its own table.
fn rule() -> impl Strategy<Value = (bool, String)> {
    let pattern = || prop::sample::select(PATTERNS);
    let template =
        || prop::sample::select(TEMPLATES).prop_map(|text| format!("{text:?}").replace("\\u{", "\\U{"));
    let list = |key: &'static str| {
        prop::collection::vec(prop::sample::select(PATTERNS), 1..3)
            .prop_map(move |patterns| (true, format!("{key} = {patterns:?}\n")))
    };
    let flag = prop::sample::select(vec![
        "dedup = true",
        "dedup_window = 3",
        "trim_lines = true",
        "strip_empty_lines = true",
        "collapse_empty_lines = true",
        "truncate_lines_at = 2",
        "head = 2",
        "tail = 1",
        "max_lines = 3",
        "on_empty = \"nothing left\"",
        "fallback.tail = 2",
        "verbatim = true",
        "on_success.head = 1",
        "on_failure.tail = 1",
    ]);
    prop_oneof![
        list("skip"),
        list("keep"),
        flag.prop_map(|flag| (true, format!("{flag}\n"))),
        (pattern(), template(), any::<bool>()).prop_map(|(pattern, output, all)| {
            (false, format!("[[replace]]\npattern = {pattern:?}\noutput = {output}\nreplace_all = {all}\n"))
        }),
        (pattern(), any::<bool>(), any::<bool>()).prop_map(|(pattern, together, trim)| {
            (false, format!("[[fold]]\nmatch = {pattern:?}\nas = \"things{trim}\"\ntogether = {together}\n"))
        }),
        (pattern(), template()).prop_map(|(pattern, output)| {
            (false, format!("[[match_output]]\npattern = {pattern:?}\noutput = {output}\nunless = \"zz\"\n"))
        }),
        (pattern(), pattern(), pattern()).prop_map(|(enter, exit, split)| {
            let keys = format!("enter = {enter:?}\nexit = {exit:?}\nsplit_on = {split:?}");
            (false, format!("[[section]]\n{keys}\ncollect_as = \"got\"\n"))
        }),
        pattern().prop_map(|split| {
            let chunk = format!("split_on = {split:?}\ncollect_as = \"records\"\ngroup_by = \"f\"");
            let parts = "[chunk.extract]\npattern = '(\\w)'\nas = \"f\"\n[[chunk.aggregate]]\npattern = '(\\d+)'\nsum = \"n\"";
            (false, format!("[[chunk]]\n{chunk}\n{parts}\n"))
        }),
        (any::<bool>(), any::<bool>(), 0..2_usize).prop_map(|(collapse, stay, depth)| {
            let keys = format!("pattern = '^(\\s*)(\\S+)$'\nmin_files = 1\nmin_shared_depth = {depth}");
            let more = format!("collapse_single_child = {collapse}\npassthrough_unmatched = {stay}");
            (false, format!("[tree]\n{keys}\n{more}\n"))
        }),
    ]
}

/// A filter that may do anything.
fn filter() -> impl Strategy<Value = String> {
    let branch = prop::option::of(prop::sample::select(TEMPLATES));
    (prop::collection::vec(rule(), 0..6), branch, any::<bool>()).prop_map(|(rules, output, parse)| {
        let mut text = String::from("command = \"tool\"\n");
        let mut keys = HashSet::new();
        for (_, rule) in rules.iter().filter(|(top, _)| *top) {
            if keys.insert(rule.split([' ', '=']).next().unwrap_or_default()) {
                text += rule;
            }
        }
        if let Some(output) = output {
            let output = format!("{output:?}");
            text += &format!("on_success.output = {output}\non_failure.output = {output}\n");
        }
        let trees = rules.iter().filter(|(_, rule)| rule.starts_with("[tree]")).count();
        let once = |rule: &&(bool, String)| !rule.0 && (trees < 2 || !rule.1.starts_with("[tree]"));
        text.extend(rules.iter().filter(once).map(|(_, rule)| rule.as_str()));
        if parse {
            text += "[parse]\ngroup.key = { pattern = '(\\w)', output = \"{1}\" }\n";
        }
        text.replace("\\u{", "\\U{")
    })
}

fn output() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        prop::sample::select(vec![
            "a b",
            "b",
            "c",
            "",
            "  x",
            "xx 12",
            "error: why",
            "a 3 b 4",
            "b b b",
            "… 3 things",
            "test x failed",
            "a long line that is to be cut somewhere in its middle",
            "\u{feff}é",
            "src/a.rs:12 here",
            "src/b/c.rs",
            "  src/b/d.rs",
            "src/e",
        ])
        .prop_map(|line| line.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(line, 0..14).prop_map(|lines| {
        let mut text = lines.join(&b'\n');
        text.push(b'\n');
        llm_toto::pipeline::scrub::scrub(&text).into_owned()
    })
}

fn filtered(file: &FilterFile, source: &str, text: &[u8], exit: i32) -> Vec<u8> {
    let test = Test { exit_code: exit, ..Test::default() };
    testing::run_one(file, source, Path::new(""), &test, text.to_vec()).unwrap().output
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)
}

fn parsed(source: &str) -> FilterFile {
    parse(source).unwrap_or_else(|mistake| panic!("{mistake}\n{source}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn twice_is_once(source in filter(), text in output(), exit in 0..2) {
        let file = parsed(&source);
        let once = filtered(&file, &source, &text, exit);
        let twice = filtered(&file, &source, &once, exit);
        prop_assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once), "{}", source);
    }

    #[test]
    fn what_fails_survives_and_nothing_is_invented(source in filter(), text in output()) {
        let file = parsed(&source);
        let failed = filtered(&file, &source, &text, 1);
        let kept: HashSet<&[u8]> = lines(&failed).collect();
        for line in lines(&text).filter(|line| says_why(line)) {
            let cut = |kept: &&&[u8]| kept.ends_with(b" more chars") && line.starts_with(&kept[..1]);
            prop_assert!(
                kept.contains(line) || kept.iter().any(|kept| cut(&kept)),
                "{} went of\n{}\n{}", String::from_utf8_lossy(line), source, String::from_utf8_lossy(&failed)
            );
        }
        for exit in [0, 1] {
            let output = filtered(&file, &source, &text, exit);
            for found in checks::violations(&text, &output, exit, checks::Author::User) {
                prop_assert!(
                    !found.starts_with("no line") && !found.starts_with("a mark") || found.contains("more chars"),
                    "{}\n{}\n{}", found, source, String::from_utf8_lossy(&output)
                );
            }
        }
    }

    #[test]
    fn never_more_tokens(source in filter(), text in output(), exit in 0..2) {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("tool.toml"), &source).unwrap();
        let (words, directories) = (call_words("tool"), [dir.path().to_path_buf()]);
        let call = Call { words: &words, exit: Some(exit), directories: &directories, ..Call::default() };
        let report = compress(&text, &Options { recall: "toto show k7q2x", call, ..Options::default() });
        // The original without what a reader must not get, and a note on lines that look like toto's.
        let shown = llm_toto::tokens::count(&llm_toto::pipeline::visible::output(&text)) + 20;
        let is_shown = report.output != text && report.filter.is_none();
        let most = if is_shown { shown.max(report.original_tokens) } else { report.original_tokens };
        prop_assert!(report.output_tokens <= most);
    }

    #[test]
    fn any_bytes_are_a_filter_or_a_mistake(source in "[a-z_\\[\\]={}\"'.\n ,0-9#]{0,80}") {
        if let Err(mistake) = parse(&source) {
            prop_assert!(mistake.line >= 1 && mistake.column >= 1);
        }
        drop(testing::check_all(&source, Path::new("")));
    }
}

#[test]
fn words_of_a_failure_are_found_but_not_in_names() {
    for line in ["12:00 ERROR x", "it can't be", "Permission denied", "✗ x", "--- FAIL: TestX/returns_error"]
    {
        assert!(says_why(line.as_bytes()), "{line}");
    }
    for line in ["Downloaded 12 crates in 1.2s", "=== RUN   TestX/returns_error", "> Task :error SKIPPED"] {
        assert!(!says_why(line.as_bytes()), "{line}");
    }
    let short = failure::spellings().into_iter().find(|spelling| spelling.len() < 4);
    assert_eq!(short, None, "the search of large texts takes four bytes");
}

#[test]
fn what_is_invented_or_lost_is_found() {
    let input = b"running\nsrc/a.rs:12 trouble\nerror: why\ndone with exit status 2\n";
    assert_eq!(checks::violations(input, input, 1, checks::Author::Library), Vec::<String>::new());
    assert_eq!(checks::violations(input, b"all is well\n", 0, checks::Author::Library).len(), 1);
    assert_eq!(
        checks::violations(input, "… 3 failures\n".as_bytes(), 0, checks::Author::Library),
        ["a mark that judges: … 3 failures"]
    );
    assert_eq!(
        checks::violations(input, "… 4 lines\n".as_bytes(), 0, checks::Author::Library),
        Vec::<String>::new()
    );
    assert_eq!(checks::violations(input, "… 4 lines\n".as_bytes(), 1, checks::Author::Library).len(), 3);
    let none = "… 12 passed, 0 failed\n".as_bytes();
    assert_eq!(checks::violations(input, none, 0, checks::Author::User), Vec::<String>::new());
    assert_eq!(checks::violations(input, none, 0, checks::Author::Library).len(), 1);
    let judged = "… exit status 0\n… 3 failures\n".as_bytes();
    assert_eq!(checks::violations(input, judged, 0, checks::Author::User), Vec::<String>::new());
    assert_eq!(checks::violations(input, judged, 0, checks::Author::Library).len(), 1);
}

#[test]
fn a_tree_may_be_drawn_by_indentation_alone() {
    let input = b"?? src/new/a.txt\n M src/new/b.txt\n";
    let tree = |row: &str| format!("… 2 paths as a tree\nsrc/\n  new/\n    {row}\n     M b.txt\n");
    let found = |row: &str, author| checks::violations(input, tree(row).as_bytes(), 0, author);
    assert_eq!(found("?? a.txt", checks::Author::User), Vec::<String>::new());
    assert_eq!(found("?? x.txt", checks::Author::User), ["no line of the input: ?? x.txt"]);
    assert!(!found("?? a.txt", checks::Author::Library).is_empty());
}

#[test]
fn a_shortened_line_is_the_tools() {
    let input = format!("key {} end\n", "0123456789abcdef".repeat(20));
    assert!(
        checks::violations(input.as_bytes(), b"key <base64 320 chars> end\n", 1, checks::Author::Library)
            .is_empty()
    );
    assert!(
        !checks::violations(input.as_bytes(), b"kex <base64 320 chars> end\n", 1, checks::Author::Library)
            .is_empty()
    );
}

#[test]
fn each_line_is_said_once_and_what_is_no_news_is_not() {
    let (one, two) = (Notices::default(), Notices::default());
    for _ in 0..2 {
        Notices::add(Some(&one), "a mistake");
        Notices::add_about(Some(&two), "not trusted".into(), Some("x".into()));
    }
    one.merge(&two);
    assert_eq!(one.take_news(|about| about != "x"), ["a mistake"]);
    assert!(one.take().is_empty() && two.take().is_empty());
}

fn instead(filter: &str, line: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("git-status.toml"), filter).unwrap();
    let (words, directories) = (call_words(line), [dir.path().to_path_buf()]);
    let call = Call { words: &words, directories: &directories, ..Call::default() };
    find::in_place(&call).map(|words| commands::told(&words))
}

#[test]
fn a_command_stands_in_for_one_only_where_nothing_of_it_is_lost() {
    let plain = "command = \"git status\"\nrun = \"git status --porcelain -b\"\n";
    let with = "command = \"git status\"\nrun = \"git status -b {args} 'a b'\"\n";
    assert_eq!(instead(plain, "git status").unwrap(), "ran: git status --porcelain -b");
    assert_eq!(instead(with, "/usr/bin/git status -s x").unwrap(), "ran: git status -b -s x a b");
    let any = with.replace("\"git status\"", "\"git status *\"");
    assert_eq!(instead(&any, "git status x -s").unwrap(), "ran: git status -b x -s a b");
    for (filter, line) in [
        (plain, "git status -s"),
        (plain, "git -C /x status"),
        (with, "git -C /x status"),
        (plain, "sudo git status"),
        (plain, "git stash"),
        ("command = \"git status\"\n", "git status"),
    ] {
        assert_eq!(instead(filter, line), None, "{filter} {line}");
    }
}

#[test]
fn what_no_shell_would_run_as_meant_is_a_mistake() {
    for (keys, place) in [
        ("run = \"git status | head\"", (2, 7)),
        ("run = \"git log x{args}\"", (2, 7)),
        ("run = \"\"", (2, 7)),
        ("run = \"./tools/status.sh\"", (2, 7)),
        ("step = [{ run = \"a > b\", as = \"c\" }]", (2, 17)),
        ("[[step]]\nrun = \"a 'b\"\nas = \"c\"", (3, 7)),
    ] {
        let keys = &format!("command = \"x\"\n{keys}");
        let file = parse(keys).unwrap();
        let found = commands::mistakes(&file, keys);
        assert_eq!(found.iter().map(|m| (m.line, m.column)).collect::<Vec<_>>(), [place], "{keys}");
    }
}

//! Properties of the notation of text: every text comes back, and a text that looks like the notation is not taken for
//! it.

use llm_toto::filter::says_why;
use llm_toto::render::expand::expand;
use llm_toto::render::lines::render;
use proptest::prelude::*;

use crate::notation::{cases, read_damaged};
use crate::parsers::properties::text_round_trip::{is_shortened, violation};

/// Parts of lines that mean something in the notation, and some that do not.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "  ",
    "\t",
    "\r",
    "…",
    "… ",
    "… 3 lines",
    "… 3 lines: a {1}",
    "… 2 times 2 lines:",
    "… 4 lines of 2 forms:",
    "… ×3",
    "×3",
    "… lines 1..5 again",
    "… lines 1..5 again, 2 deeper",
    "> ",
    ">",
    "> x",
    "{}",
    "{1}",
    "{2:9}",
    "{3:>4}",
    "{1..9}",
    "{…}",
    "{…3}",
    "{3=x}",
    "{2:9=no}",
    "{1=}",
    "0x7f5dc6f79000",
    "0x7f5dc6f7a000",
    "web.service",
    "app.hooks",
    "━━━━",
    "lines 1..2 again",
    "{",
    "}",
    "{{",
    "\"",
    "\"\"",
    "\"a b\"",
    "\\",
    "\\\"",
    "1..3",
    "1..",
    "..",
    "0",
    "1",
    "2",
    "3",
    "007",
    "18446744073709551616",
    "a",
    "b",
    "c",
    "a/b/c",
    "src/a.rs:1:2:",
    "src/a.rs:2:2:",
    "src/b.rs:1:",
    "10.0.0.1",
    "error: cannot open",
    "é",
    "😀",
    "日本",
    "│ ",
    "├── ",
    "└── ",
    "├─┬ ",
    "─",
    "a: x",
    "key=value",
    "-",
    "--",
    "|",
    "+",
    "2026-11-21T10:03:43.000Z",
    "12:03:01",
    "12:03:02",
    "INFO",
    "WARN",
    "\u{b}",
    "\u{a0}",
    "\u{2028}",
    "\u{1}",
    "---",
    "schema: [a]",
    "{\"a\": 1}",
    "(3 left out)",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(HOSTILE).prop_map(str::to_owned),
        2 => "[a-c]{1,3}",
        2 => (0..40u32).prop_map(|number| number.to_string()),
        1 => "[^\n\0]{0,6}",
    ]
}

/// Lines put together of pieces with one or more blanks between them.
fn line() -> impl Strategy<Value = String> {
    prop::collection::vec((piece(), prop::sample::select(&["", " ", " ", "  ", "     ", "\t"][..])), 0..6)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, gap)| piece + gap).collect())
}

/// Lines made of one another: the same line again, with a number that counts, with one word changed, as a row of a
/// table, deeper, or a block of them again.
fn text() -> impl Strategy<Value = String> {
    let block = (prop::collection::vec(line(), 1..4), 1..9usize, 0..10u8, piece());
    (prop::collection::vec(block, 1..6), any::<bool>()).prop_map(|(blocks, ends)| {
        let mut lines: Vec<String> = Vec::new();
        for (own, times, how, word) in blocks {
            let before = lines.clone();
            for time in 0..times {
                for line in &own {
                    lines.push(match how {
                        0 => line.clone(),
                        1 => format!("{line} {time}"),
                        2 => format!("{word}{time}: {line}"),
                        3 => {
                            format!("{:<12} {:>6}  {line}", format!("{word}{}", "x".repeat(time)), time * 97)
                        }
                        4 => format!("{}{line}", " ".repeat(time)),
                        5 => format!("{}├── {line}", "│   ".repeat(time % 3)),
                        6 => {
                            let (level, kind) =
                                (["INFO", "WARN"][time % 2], if time == 3 { "all" } else { "amd64" });
                            format!("{level} {word} {kind} {}: {line}", time * 7 % 5)
                        }
                        7 => {
                            let end = if time == 2 { ".socket" } else { ".service" };
                            format!(
                                "{word}-{}{end} {line} {}",
                                time * 13 % 7,
                                if time == 4 { "x y" } else { "no" }
                            )
                        }
                        8 => format!(
                            "{}/{word}-{}-{} at 0x7f5dc6f{time:03x}00 {line}",
                            time % 2,
                            time / 4,
                            time * 31
                        ),
                        _ => format!("a/{word}/{}:{time}:{line}", time / 3),
                    });
                }
            }
            if how == 4 {
                lines.extend(before.iter().map(|line| format!("  {line}")));
            }
        }
        let mut text = lines.join("\n");
        if ends {
            text.push('\n');
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(150), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_come_back(text in text()) {
        prop_assert_eq!(violation(&text), None, "{}", text);
    }

    #[test]
    fn the_reader_answers_whatever_it_is_given(
        text in text(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0..6usize, piece()), 1..4),
    ) {
        let rendered = render(&text, true, says_why).unwrap_or(text);
        read_damaged(&rendered, cuts)?;
    }
}

fn rendered(text: &str) -> String {
    assert_eq!(violation(text), None);
    render(text, true, says_why).unwrap_or_else(|| panic!("nothing is saved:\n{text}"))
}

#[test]
fn lines_that_count_are_said_once() {
    let text: String =
        (1..=50).map(|number| format!("test case_{number} of the long suite ... ok\n")).collect();
    assert_eq!(rendered(&text), "… 50 lines: test case_{1..50} of the long suite ... ok\n");
}

#[test]
fn a_table_loses_its_padding_and_what_never_changes() {
    let names = ["auth", "billing-worker", "cart", "catalog-indexer", "frontend", "queue"];
    let row = |at: usize| {
        format!("{:<18} 1/1     Running   {:>5}   node.example.internal\n", names[at % 6], at * at * 9)
    };
    let text: String = (0..12).map(row).collect();
    let out = rendered(&text);
    assert!(
        out.starts_with("… 12 lines: {1:15}    1/1     Running    {2:>4}   node.example.internal\nauth 0\n"),
        "{out}"
    );
    assert!(out.ends_with("\nfrontend 900\nqueue 1089\n"), "{out}");
}

#[test]
fn a_file_stands_once_above_what_is_found_in_it() {
    let hits = |file: &str, word: &str| -> String {
        (0..9).map(|at| format!("{file}:{}: let {word} = {};\n", at * at + 7, at * 31)).collect()
    };
    let text = hits("src/cart/total.rs", "sum") + &hits("src/invoice/lines_of_it.rs", "count");
    let out = rendered(&text);
    assert_eq!(out.matches("total.rs").count(), 1, "{out}");
    assert_eq!(out.matches("lines_of_it.rs").count(), 1, "{out}");
    assert_eq!(out.lines().count(), 1 + 2 + 18, "{out}");
}

/// The example that docs/notation.md shows in one look, and the text that it stands for.
#[test]
fn the_look_of_the_documentation_is_read() {
    let page = include_str!("../../docs/notation.md");
    let (_, section) = page.split_once("## The notation of text").expect("the section");
    let (_, look) = section.split_once("```text\n").expect("the look");
    let (look, _) = look.split_once("```").expect("its end");
    let want = "\
Compiling 2 crates
pod/auth      1/1  Running    12  10.0.0.7
pod/cart      1/1  Running     4  10.0.0.8
pod/queue     1/1  Running   117  10.0.0.9
src/cart/total.rs:12: let sum = 0;
src/cart/total.rs:40: return sum;
src/invoice.rs:7: let sum = 1;
Binary file matches
12:03:01 INFO  request 4711 done
12:03:01 WARN  cache is 91 % full
12:03:02 INFO  request 4712 done
  a line that is indented stands as it is
12:03:02 INFO  request 4713 done
12:03:04 WARN  cache is 92 % full
done
done
";
    let text = expand(look).map(|text| String::from_utf8(text).expect("text stays text"));
    assert_eq!(text.as_deref(), Ok(want));
}

/// Every document of the reading test is the notation of its original, and comes back.
#[test]
fn the_documents_of_the_reading_test_come_back() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/reading");
    let mut documents = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "lines") {
            let text = std::fs::read_to_string(path.with_extension("txt")).unwrap();
            let written = std::fs::read_to_string(&path).unwrap();
            assert_eq!(expand(&written), Ok(text.clone().into_bytes()), "{}", path.display());
            let now = render(&text, true, says_why);
            assert_eq!(now.as_deref(), Some(written.as_str()), "{}: make.py makes it anew", path.display());
            documents += 1;
        }
    }
    assert_eq!(documents, 40);
}

/// Each entry is drawn as if others stood below it: only the pen with the shortest strokes draws that again.
#[test]
fn a_tree_that_saves_little_over_its_own_lines_stays() {
    let text = "\
root
├─┬ file0.rs
├─┬ file1.rs
├─┬ file
│ ├─┬ file0.rs
│ ├─┬ file1.rs
│ └── file2.rs
├─┬ file3.rs
│ ├─┬ b.rs
│ ├─┬ file1.rs
│ ├─┬ file2.rs
│ │ ├─┬ file0.rs
│ │ └── o.rs
│ ├─┬ file3.rs
│ └── file4.rs
│   ├─┬ file0.rs
│   │ ├─┬ file0.rs
│   │ └── file1.rs
│   ├─┬ m.rs
│   │ └── file0.rs
│   ├─┬ n.rs
│   └── file3.rs
└── z.rs
";
    assert_eq!(render(text, true, says_why), None);
}

#[test]
fn a_section_that_cannot_be_read_back_takes_no_other_with_it() {
    let keys: String = (98865..98875).map(|number| format!("key {number}\n")).collect();
    let rows = [
        ("src/lib/x/y.rs", "test::a::b_8"),
        ("07:28:21", "153e4f193"),
        ("07:28:21", "×"),
        ("src/lib/x/y.rs", "20.6"),
    ];
    let row = |(at, name)| format!("{at}=}}=_1}}:(5) {name} - 10:11:10-{{1}}: \n");
    let rows = rows.map(row).concat();
    assert_eq!(
        rendered(&(keys + &rows)),
        format!("… 14 lines follow:\n… 10 lines: key {{98865..98874}}\n{rows}")
    );
}

#[test]
fn equal_lines_are_counted() {
    let text = "start\n".to_owned() + &"waiting for the lock of the package manager\n".repeat(12) + "done\n";
    assert_eq!(
        rendered(&text),
        "… 14 lines follow:\nstart\nwaiting for the lock of the package manager\n… ×12\ndone\n"
    );
}

#[test]
fn a_sentence_that_says_why_is_not_taken_apart() {
    let text: String = ["auth", "cart", "queue", "search"]
        .iter()
        .enumerate()
        .map(|(at, name)| {
            format!("service could not read {name} because of {} refused connections there\n", at * 13)
        })
        .collect();
    let out = render(&text, true, says_why).unwrap_or_else(|| text.clone());
    for line in text.lines() {
        assert!(out.contains(line.trim_start_matches("service ")), "{line}\n{out}");
    }
}

/// Found by a million generated texts.
#[test]
fn a_last_row_that_looks_like_our_note_is_none() {
    let said = ["…", "… 3 lines", "(3 left out)"];
    let text: String = said.iter().map(|end| format!("0/{{1=}}-0-0 at 0x7f5dc6f00000 {end}\n")).collect();
    assert_eq!(violation(&text), None);
    assert_eq!(violation(text.trim_end()), None);
    let numbered: String = (0..6).map(|at| format!("\t{at}: {{1=}}\n")).collect();
    assert_eq!(violation(&format!("{numbered}(3 left out)\n\n")), None);
}

#[test]
fn a_text_whose_base64_is_left_out_comes_back_but_for_it() {
    let row = |row: usize| {
        format!("key {row} of the store: {}{row:02}== (read)  \n", "QUJDZGV0MTIz".repeat(17 + row % 3))
    };
    let text: String = (10..50).map(row).collect();
    assert_eq!(violation(&text), None);
    assert!(is_shortened(b"a <base64 204 chars>\n", format!("a {}\n", "QUJDZGV0MTIz".repeat(17)).as_bytes()));
    assert!(!is_shortened(
        b"a <base64 204 chars>\n",
        format!("a {}b\n", "QUJDZGV0MTIz".repeat(17)).as_bytes()
    ));
    assert!(!is_shortened(b"a <base64 12 chars>\n", b"a QUJDZGV0MTIz\n"), "a short one must stay");
}

#[test]
fn a_text_without_a_newline_at_its_end_has_none_afterwards() {
    let text: String = (0..40).map(|at| format!("row {at} of the table of all rows there are\n")).collect();
    rendered(text.trim_end());
}

#[test]
fn what_the_names_of_a_padded_column_begin_with_stands_once_above_them() {
    let row = |at: usize| {
        let name = format!("{}-{:x}", ["billing-56c947d78f", "cart-7bbfb7d4c6"][at / 9], 7919 * (at + 40));
        format!("{name:<28} {}/1     Running   10.0.{}.{}\n", at % 2, at * 13 % 90, at * 31 % 250)
    };
    let text: String = (0..18).map(row).collect();
    let out = rendered(&text);
    assert!(out.contains("{…1:"), "{out}");
    assert_eq!(out.matches("billing-56c947d78f").count(), 1, "{out}");
}

#[test]
fn records_are_told_by_more_than_their_first_word() {
    let names = ["adduser", "base-files", "coreutils", "dash", "gzip", "hostname", "login", "mawk"];
    let pair = |(at, name): (usize, &&str)| {
        format!("I: Retrieving {name} {}.{at}\nI: Validating {name} {}.{at}\n", at * at + 2, at * at + 2)
    };
    let text: String = names.iter().enumerate().map(pair).collect();
    let out = rendered(&text);
    assert!(out.starts_with("… 8 times 2 lines:\n… I: Retrieving {1} {2}"), "{out}");
}

#[test]
fn a_message_that_is_that_of_the_row_above_is_not_said_again() {
    let message = "0/12 nodes are available: 12 node(s) had taint not-ready, that the pod did not tolerate";
    let row = |at: usize| {
        let pod = format!("catalog-{:x}", 7919 * (at + 40));
        if at.is_multiple_of(3) {
            let node = at * 7 % 10;
            format!(
                "{}s   Normal    Scheduled          pod/{pod}   assigned core/{pod} to node-{node}\n",
                at + 10
            )
        } else {
            format!("{}s   Warning   FailedScheduling   pod/{pod}   {message} {}\n", at + 10, at / 10)
        }
    };
    let text: String = (0..30).map(row).collect();
    let out = rendered(&text);
    assert!(out.contains("assigned core/catalog-{2} to node-{"), "{out}");
    assert!(out.matches(message).count() <= 4, "{out}");
}

#[test]
fn a_value_that_most_rows_share_is_said_by_the_template() {
    let row = |at: usize| {
        let kind = if at == 7 { "all" } else { "amd64" };
        format!("package-{:x}/stable {}.{} {kind} [installed]\n", 7919 * (at + 40), at * 7 % 5, at * at)
    };
    let text: String = (0..16).map(row).collect();
    let out = rendered(&text);
    assert!(out.contains("=amd64} [installed]\n"), "{out}");
    assert_eq!((out.matches("amd64").count(), out.matches(" all\n").count()), (1, 1), "{out}");
}

#[test]
fn forms_share_a_heading() {
    let row = |at: usize| {
        let pod = format!("{}-{:x}", ["billing-56c947d78f", "cart-7bbfb7d4c6"][at / 15], 7919 * (at + 40));
        match at * at * at / 7 % 3 {
            0 => format!("Scheduled  pod/{pod}  assigned core/{pod} to node-{}\n", at * 7 % 10),
            1 => format!("Pulling    pod/{pod}  image from registry {}\n", at * 31),
            _ => format!("Started    pod/{pod}  container in {} ms\n", at * 13),
        }
    };
    let text: String = (0..30).map(row).collect();
    let out = rendered(&text);
    assert!(out.contains("… billing-56c947d78f-\nScheduled "), "{out}");
    assert_eq!(out.matches("billing-").count(), 1, "{out}");
}

#[test]
fn a_section_reaches_across_lines_that_stood_above() {
    let fields: String = (0..8).map(|at| format!("    FIELD_{at}=the value number {}\n", at * 31)).collect();
    let record = |at: usize| {
        format!(
            "Sat 2026-11-21 11:04:{:02} UTC [s=4a675ae8ddfe48189ba470dd40ea4b94;i={}]\n{fields}",
            at * 7,
            at * 971
        )
    };
    let text: String =
        [0, 1, 2, 3, 4, 5].map(|at| record(at) + &format!("    LAST={}\n", "x".repeat(at))).concat();
    let out = rendered(&text);
    assert_eq!(out.matches("4a675ae8").count(), 1, "{out}");
    assert_eq!(out.matches(" again\n").count(), 5, "{out}");
}

//! Known forms of text: what is recognised, what comes back, and that every word is whole.

use llm_toto::pipeline::{Options, Shape, compress};
use llm_toto::render::expand::expand;
use llm_toto::render::forms::{read, render};
use proptest::prelude::*;

use crate::notation::cases;
use crate::parsers::properties::whole_words::violation;

/// Parts of lines that mean something in a form, and some that do not.
const PARTS: &[&str] = &[
    "",
    " ",
    "  ",
    "\t",
    "\r",
    "…",
    " ×3",
    " ×",
    "×3",
    "step 2..4",
    "step 2",
    "step 3",
    "step 4",
    " (4 more lines, as above)",
    "rows[2]{a b}:",
    "rows[1]{a=1 b}, unless a row says otherwise:",
    "rows[",
    " all: a=1",
    " next 2 rows: a=1",
    "{as above}",
    "--",
    "-",
    "src/",
    "src/a.rs",
    "src/a.rs:1:",
    "src/a.rs-2-",
    "src/b.rs:7:9:",
    "12:",
    "12-",
    "./",
    "./src",
    "./src/a",
    "./src/a/b",
    "a/",
    "a/b",
    "a/b c",
    "/",
    "tests/a.py::",
    "tests/a.py::b[c/d e]",
    "4\t",
    "4.0K\t",
    "0123456789abcdef0123456789abcdef  ",
    "\"",
    "\"a b\"",
    "\\",
    "├── ",
    "└─┬ ",
    "│ ",
    "|-- ",
    "`-- ",
    "● ",
    "key:   ",
    "key: ",
    "a",
    "b",
    "word",
    "e: x",
    "2026-11-21T10:03:43.000Z",
    "12:03:01",
    "NAME   AGE",
    "---",
    "{\"a\": 1}",
    "(3 left out)",
    "é",
    "日本",
    "\u{a0}",
    "\u{2028}",
    "\u{1}",
];

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(PARTS).prop_map(str::to_owned),
        2 => "[a-c]{1,3}",
        1 => (0..40u32).prop_map(|number| number.to_string()),
        1 => "[^\n\0]{0,6}",
    ]
}

/// Lines of pieces, some of them several times.
fn text() -> impl Strategy<Value = String> {
    let line = prop::collection::vec(piece(), 0..4).prop_map(|pieces| pieces.concat());
    let lines = prop::collection::vec((line, 1..4usize), 1..14);
    (lines, 1..4usize, any::<bool>()).prop_map(|(lines, times, ends)| {
        let block: String = lines.iter().map(|(line, times)| format!("{line}\n").repeat(*times)).collect();
        let text = block.repeat(times);
        if ends { text } else { text.trim_end_matches('\n').to_owned() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_are_whole_and_bytes_come_back(text in text()) {
        prop_assert_eq!(violation(&text), None);
    }
}

/// The forms of a text, which comes back from them.
fn exact(text: &str) -> String {
    let out = render(text, true).expect("a form");
    assert_eq!(read(&out, usize::MAX).as_deref(), Some(text), "{out}");
    out
}

#[test]
fn words_of_recorded_outputs_are_whole() {
    for directory in ["tests/fixtures/facts", "tests/fixtures/findings", "tests/fixtures/reading"] {
        for entry in fs_err::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs_err::read_to_string(&path) else { continue };
            if path.extension().is_some_and(|end| end == "txt") && text.len() < 20_000 {
                let wrong = violation(&text);
                assert!(wrong.is_none(), "{}: {}", path.display(), wrong.unwrap_or_default());
            }
        }
    }
}

#[test]
fn results_of_a_search_stand_below_their_file() {
    let text = "Makefile:3:all:\nsrc/main.rs:1:use std::io;\nsrc/main.rs:9:    fn a() {}\nsrc/a-1.rs:4:5: unused\n\
                src/a-1.rs:6:1: unused\n";
    assert_eq!(
        exact(text),
        "Makefile:3:all:\nsrc/main.rs\n1:use std::io;\n9:    fn a() {}\n\nsrc/a-1.rs\n4:5: unused\n6:1: unused\n"
    );
    let around = "src/a-1.rs-2-// above\nsrc/a-1.rs:3:fn a() {}\nsrc/a-1.rs-4-\n--\nsrc/a-1.rs:9:fn b() {}\n--\nsrc/b.rs-1-x\n\
                  src/b.rs:2:fn c() {}\n";
    assert_eq!(
        exact(around),
        "src/a-1.rs\n2-// above\n3:fn a() {}\n4-\n--\n9:fn b() {}\n--\nsrc/b.rs\n1-x\n2:fn c() {}\n"
    );
}

#[test]
fn a_file_that_was_just_named_is_no_heading() {
    let text = "src/a.rs\nsrc/a.rs\nsrc/a.rs:1:\nsrc/a.rs:1:";
    assert_eq!(violation(text), None);
    assert!(!exact(text).contains("×3"), "{}", exact(text));
}

#[test]
fn a_time_is_no_place_in_a_file() {
    assert_eq!(
        render("10:03:43 started\n10:03:44 stopped\nhost:80: refused\nhost:80: refused it\n", true),
        None
    );
}

#[test]
fn names_stand_below_their_directory() {
    let found = ".\n./src/render\n./src/render/mod.rs\n./src/render/forms\n./src/render/forms/again.rs\n\
                 ./src/render/forms/a b.rs\n./src/render/forms/cost.rs\n./src/render/forms/paths.rs\n";
    assert_eq!(
        exact(found),
        ".\n./src/render\n mod.rs\n./src/render/forms\n again.rs \"a b.rs\" cost.rs paths.rs\n"
    );
    let listed = "Cargo.toml\nsrc/render/a.rs\nsrc/render/b.rs\nsrc/render/c.rs\n";
    assert_eq!(exact(listed), "Cargo.toml\nsrc/render/\n a.rs b.rs c.rs\n");
    let packed = "package/lib/\npackage/lib/a.js\npackage/lib/b.js\npackage/lib/c.js\n";
    assert_eq!(exact(packed), "package/lib/\n ./ a.js b.js c.js\n");
    let sized = "4.0K\tripgrep/src/a.rs\n16K\tripgrep/src/b.rs\n8.0K\tripgrep/src/c.rs\n";
    assert_eq!(exact(sized), "ripgrep/src/\n\t4.0K a.rs\n\t16K b.rs\n\t8.0K c.rs\n");
}

#[test]
fn tests_stand_below_their_file() {
    let text = "tests/test_app.py::test_a\ntests/test_app.py::test_b[x/y]\ntests/test_app.py::test_c\n";
    assert_eq!(exact(text), "tests/test_app.py::\n test_a test_b[x/y] test_c\n");
}

#[test]
fn equal_lines_are_counted() {
    let text = "start\n".to_owned() + &"waiting for the lock of the package manager\n".repeat(12) + "done\n";
    assert_eq!(exact(&text), "start\nwaiting for the lock of the package manager ×12\ndone\n");
    // Its names stand below a directory, which is no longer whole with a count behind it.
    let listed = "./src/a\n".repeat(3) + "./src/a/b\n";
    assert!(render(&listed, true).is_none_or(|out| !out.contains('×')));
}

#[test]
fn lines_that_count_up_say_from_where_to_where() {
    let counted = |from: u64, to: u64, behind: &str| -> String {
        (from..=to).map(|at| format!("connecting to the database (attempt {at}{behind})\n")).collect()
    };
    let text = counted(8, 120, "") + "ERROR: giving up\n";
    assert_eq!(exact(&text), "connecting to the database (attempt 8..120) ×113\nERROR: giving up\n");
    // A word, another form of the number, a line that stands out, what begins a line.
    let others = [counted(1, 9, "th"), counted(1, 9, "").replace("t ", "t 0")];
    let gap = counted(1, 2, "") + &counted(4, 5, "") + &counted(7, 8, "");
    let places: String = (1..9).map(|at| format!("{at}:1: an import that is not used\n")).collect();
    for text in others.into_iter().chain([gap, places]) {
        let whole = render(&text, true).unwrap_or_else(|| text.clone());
        assert!(!whole.contains("1..") && read(&whole, usize::MAX).unwrap() == text, "{whole}");
    }
    assert_eq!(read("row 1..99999999999 ×99999999999", 1 << 20), None);
}

#[test]
fn a_log_with_stack_traces_is_a_log() {
    let frame = |at: usize| format!("\tat com.acme.orders.Handler{at}.call(Handler{at}.java:{at}1)\n");
    let frames = |from: usize| (from..from + 5).map(frame).collect::<String>();
    let entry = |at: usize| format!("2026-11-20 03:{at:02}:59.848 ERROR request {at} failed\n");
    let line = |at: usize, second: usize| {
        format!("2026-11-20 03:{at:02}:{second:02}.848 ERROR request {second} is here\n")
    };
    let lines = |at: usize| (10..18).map(|second| line(at, second)).collect::<String>();
    let text: String = (10..18).map(|at| lines(at) + &entry(at) + &frames(at * 10)).collect();
    let out = render(&text, false).unwrap();
    assert!(out.starts_with("rows[9]{date=2026-11-20 time level=ERROR message…}:\n"), "{out}");
    assert_eq!(out.matches("rows[9]{as above}:\n").count(), 7, "{out}");
    assert_eq!(out.matches("\tat com.acme").count(), 40, "{out}");
    // The same trace again and again: lines that come again save more.
    let text: String = (10..40).map(|at| entry(at) + &frames(0) + &frames(5)).collect();
    let out = render(&text, false).unwrap();
    assert_eq!(out.matches("(9 more lines, as above)").count(), 29, "{out}");
}

/// Five lines of another container, of another day, once left a log of forty as it came.
#[test]
fn a_log_of_two_days_says_each_once() {
    let line = |day: usize, second: usize| {
        format!("2026-11-{day}T09:{second:02}:04Z INFO request path=/v1/orders status=200 took={second}ms\n")
    };
    let text: String =
        (0..9).map(|second| line(23, second)).chain((9..45).map(|second| line(22, second))).collect();
    let out = render(&text, false).unwrap();
    assert!(out.contains("\n next 9 rows: date=2026-11-23T\n 09:00:04Z request path"), "{out}");
    assert!(out.contains("\n next 36 rows: date=2026-11-22T\n 09:09:04Z request path"), "{out}");
}

/// Three of six agents took what a row says in front, its day and level, for a thing to be worked out.
#[test]
fn a_line_of_a_log_says_its_level_where_some_say_another() {
    let line = |at: usize, level: &str| format!("2026-11-22T09:{at:02}:04Z {level} request took={at}ms\n");
    let mut lines: Vec<_> = (10..55).map(|at| line(at, "INFO")).collect();
    assert!(render(&lines.concat(), false).unwrap().contains(" level=INFO message…}:\n"));
    (lines[3], lines[20]) = (line(13, "WARN"), line(30, "FATAL"));
    let out = render(&lines.concat(), false).unwrap();
    assert!(
        out.starts_with("rows[45]{date=2026-11-22T time level message…}:\n 09:10:04Z INFO request"),
        "{out}"
    );
    assert!(out.contains("\n 09:30:04Z FATAL request took=30ms\n"), "{out}");
}

#[test]
fn lines_that_stood_above_are_named_by_the_first_of_them() {
    let below: String = (0..6).map(|at| format!("  dependency-{at}@{at}.1.0 from the registry\n")).collect();
    let deeper = below.replace("  dep", "     dep");
    let text = format!("express@4.17.1\n{below}other@1.0.0\n   express@4.17.1\n{deeper}end\n");
    assert_eq!(
        exact(&text),
        format!("express@4.17.1\n{below}other@1.0.0\n   express@4.17.1 (6 more lines, as above)\nend\n")
    );
}

/// Five agents called such headings a nuisance: `next 2 rows: NAMESPACE=pay READY=1/1`.
#[test]
fn a_heading_of_several_columns_stands_for_six_rows_and_more() {
    let row = |space: u32, at: u32| {
        let (name, ready, age) = (format!("pod-{space}-{at}-xkcd7"), at / 2 % 2 + 1, format!("{at}d"));
        format!("space-{space}     {name:<19}{ready}/2     Running   0          {age}\n")
    };
    let rows: String = (0..4).flat_map(|space| (10..26).map(move |at| row(space, at))).collect();
    let out =
        render(&format!("NAMESPACE   NAME               READY   STATUS    RESTARTS   AGE\n{rows}"), false)
            .unwrap();
    assert!(out.contains("next 16 rows: NAMESPACE=space-1\n"), "{out}");
}

/// `git bisect run` prints a test's failure again and again: a step seemed to have no verdict.
#[test]
fn a_line_that_states_a_failure_stands_where_it_came_again() {
    let trace: String = (0..8).map(|at| format!("    {at} steps of the test at hand\n")).collect();
    let step = |at: u32| {
        format!("[{at}] Tidy up\nrunning 'pytest' '-q'\n{trace}1 failed, 131 deselected in 0.12s\n")
    };
    let text = format!("{}{}{}", step(1), "[2] Bisecting\n1 passed\n", step(3));
    let out = exact(&text);
    let again = "running 'pytest' '-q' (8 more lines, as above)\n1 failed, 131 deselected in 0.12s\n";
    assert!(out.ends_with(&format!("[3] Tidy up\n{again}")), "{out}");
}

/// Of two config maps the second was told as `(5 more lines, as above)` within its data, and asked for again: of settings only
/// what stands below a heading is named by it, as a whole.
#[test]
fn settings_come_again_below_their_heading_and_as_a_whole() {
    let probe = "  proxy:\n    Image: ghcr.io/corp/proxy:1.29.0\n    Port: 15001/TCP\n    Readiness: http-get http://:15001/ready\n    \
                 Mounts:\n      /etc/proxy from settings (ro)\n";
    let set = |name: &str, url: &str| {
        format!(
            "Name: {name}\nData:\n  http.port: 8080\n  http.timeout.seconds: 20\n  fx.currencies: EUR,USD,GBP,CHF,PLN\n  {url}: https://rates.int\n  \
             retry.budget: 3\n  retry.backoff.millis: 250\n  batch.size: 500\n  batch.window.minutes: 15\n  ledger: https://ledger.int:8443\n{probe}"
        )
    };
    let out = exact(&format!("{}{}", set("forty", "fx.rates.uri"), set("fortyone", "fx.rates.url")));
    assert_eq!(out.matches("batch.size: 500").count(), 2, "{out}");
    assert!(out.ends_with("  ledger: https://ledger.int:8443\n  proxy: (5 more lines, as above)\n"), "{out}");
}

#[test]
fn what_only_fills_up_goes_but_for_lossless() {
    let tree = "app@1.0.0 /srv/app\n├─┬ a@1\n│ ├── b@2\n│ └─┬ c@3\n│   └── d@4\n└── e@5\n";
    assert_eq!(render(tree, false).unwrap(), "app@1.0.0 /srv/app\n a@1\n  b@2\n  c@3\n   d@4\n e@5\n");
    assert_eq!(render(tree, true), None);
    let values = "Name:         web\nNamespace:    shop  \n\nnote:   as it came\n";
    assert_eq!(render(values, false).unwrap(), "Name: web\nNamespace: shop\n\nnote:   as it came\n");
}

/// An agent took the build dependencies of others for those of the root: behind a heading a tree began anew.
#[test]
fn a_heading_within_a_tree_keeps_the_depth_of_its_entries() {
    let tree = "app v1.0.0\n├── fs v3.3.2\n│   [build-dependencies]\n│   └── cfg v1.5.1\n│\n│   └── z v1\n└── sys v0.1.0\n    \
                └── libc v0.2.1\n        [build-dependencies]\n        └── cc v1.1.0\n[dev-dependencies]\n└── fs v3.3.2 (*)\n";
    let told = "app v1.0.0\n fs v3.3.2\n  [build-dependencies]\n  cfg v1.5.1\n\n  z v1\n sys v0.1.0\n  libc v0.2.1\n   \
                [build-dependencies]\n   cc v1.1.0\n[dev-dependencies]\n fs v3.3.2 (*)\n";
    assert_eq!(render(tree, false).unwrap(), told);
    let behind = "\n    four blanks\n        eight\n";
    let told = told.to_owned() + behind;
    assert_eq!(render(&(tree.to_owned() + behind), false).unwrap(), told);
}

proptest! {
    /// A tree is its entries and their depths, whatever stands between the entries.
    #[test]
    fn every_entry_of_a_drawn_tree_keeps_its_depth(is_ascii: bool, entries in prop::collection::vec((0_usize..5, 0_u8..6), 2..40)) {
        let (mut drawn, mut told, mut depth) = ("root\n".to_owned(), "root\n".to_owned(), 0);
        for (at, (wanted, extra)) in entries.into_iter().enumerate() {
            depth = wanted.min(depth + usize::from(at > 0));
            let (bar, tee) = if is_ascii { ("|", "|-- ") } else { ("│", "├── ") };
            let bars = format!("{bar}   ").repeat(depth);
            drawn += &format!("{bars}{tee}entry{at} v1\n");
            told += &format!("{:1$}entry{at} v1\n", "", depth + 1);
            if extra == 0 {
                drawn += &format!("{bars}{bar}   [heading{at}]\n");
                told += &format!("{:1$}[heading{at}]\n", "", depth + 2);
            } else if extra == 1 {
                drawn += &format!("{bars}{bar}\n");
                told += "\n";
            }
        }
        if let Some(out) = render(&drawn, false) {
            prop_assert_eq!(out, told);
        }
    }
}

#[test]
fn a_line_that_reads_like_a_form_stays_plain() {
    let plain = "he said ×3\n".to_owned() + &"waiting for the lock of the package manager\n".repeat(12);
    assert_eq!(render(&plain, true), None);
    let head = "rows[2]{a b}:\n".to_owned() + "NAME     AGE\nweb-1    4d\nweb-2    12d\nshop-9   1d\n";
    let out = render(&head, true);
    assert_eq!(out.as_deref().map(|out| read(out, usize::MAX)), out.as_ref().map(|_| Some(head.clone())));
}

#[test]
fn forms_are_expanded_and_stand_for_no_more_than_they_may() {
    let text: String = (0..40).map(|at| format!("src/pipeline/router.rs:{at}:let a = {at};\n")).collect();
    let report = compress(text.as_bytes(), &Options::default());
    assert_eq!(report.shape, Shape::Forms);
    assert_eq!(expand(&String::from_utf8(report.output).unwrap()).unwrap(), text.as_bytes());
    assert_eq!(read("a line ×99999999999", 1 << 20), None);
}

#[test]
fn tables_of_one_output_look_alike() {
    let table = |rows: usize| {
        let rows = (0..rows).map(|n| format!("default     name-{n:<6}  Running   {n:<9}  10.0.0.{n}\n"));
        format!("NAMESPACE   NAME         STATUS    RESTARTS   IP\n{}\n", rows.collect::<String>())
    };
    let heads = |text: &str| render(text, false).unwrap_or_default().matches("rows[").count();
    assert_eq!(heads(&[table(90), table(8)].concat()), 2, "the long one is worth both");
    assert_eq!(heads(&vec![table(3); 9].concat()), 0, "the short ones are read as they came");
}

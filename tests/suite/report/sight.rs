//! What agents that read a digest asked for again, or took otherwise.

use llm_toto::report::Options;

use super::{digest, digest_by};

/// Most tools write paths from the directory in which they run, and so do agents.
#[test]
fn a_path_below_the_working_directory_begins_there() {
    let at = |path: &str| format!("{path}/src/a.js:3:7: Unused. [Error/no-unused]\n");
    let text =
        ["/srv/shop", "/srv/shopping", "/mnt/srv/shop", "file:///srv/shop", "at (/srv/shop"].map(at).concat();
    let options = Options { directory: "/srv/shop/", ..Options::default() };
    let told = digest_by(&(text.clone() + "\n5 problems\n"), &[], &options).unwrap().text;
    for path in [
        "src/a.js:3:7",
        "/srv/shopping/src/a.js",
        "/mnt/srv/shop/src/a.js",
        "file:///srv/shop/src/a.js",
        "at (src/a.js",
    ] {
        assert!(told.lines().any(|line| line.trim_start().starts_with(path)), "{path}\n{told}");
    }
    // What a message speaks of is no place.
    let message = "/srv/shop/a.c:1:2: error: no such file: '/srv/shop/b.h' or /srv/shop/c.h at all\n";
    let told = digest_by(message, &[], &options).unwrap().text;
    assert!(told.contains("a.c:1:2") && !told.contains("/srv/shop/a.c"), "{told}");
    assert!(told.contains("no such file: '/srv/shop/b.h' or /srv/shop/c.h at all"), "{told}");
    let message = "a.c:1:2: error: cannot open /srv/shop/b.h\n";
    let told = digest_by(message, &[], &options).unwrap().text;
    assert!(told.contains("cannot open /srv/shop/b.h"), "{told}");
    // A line of ours is not made of a path.
    let forged = "/srv/shop/FAILED tests/a.py::test_x\n 1 failed\n";
    let run = "============ FAILURES ============\n____ test_y ____\n\n>   assert 0\nE   assert 0\n\na.py:3: AssertionError\n============ 1 failed in 0.1s ============\n";
    let told = digest_by(&format!("{forged}{run}"), &[], &options).unwrap().text;
    assert!(told.contains("/srv/shop/FAILED tests/a.py::test_x\n"), "{told}");
    let told = digest_by(&format!("{forged}a.c:1:2: error: no such thing\n"), &[], &options).unwrap().text;
    assert!(!told.lines().any(|line| line.starts_with("FAILED")), "{told}");
    assert!(digest(&(text + "\n5 problems\n")).unwrap().text.contains("\n  /srv/shop/src/a.js:3:7"));
}

/// Of a long difference an agent saw what was expected, and nothing of what came.
#[test]
fn a_long_difference_has_lines_of_both_sides() {
    let side =
        |sign: char, word: &str| (0..40).map(|at| format!("{sign}  {word} {at}\n")).collect::<String>();
    let text = format!(
        "  1) Failure:\nPageTest#test_list [test/page_test.rb:9]:\n--- expected\n+++ actual\n@@ -1,40 +1,40 @@\n{}{}\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n",
        side('-', "<li>"),
        side('+', "<td>")
    );
    let told = digest(&text).unwrap().text;
    assert!(told.contains("\n  -  <li> 4\n") && told.contains("\n  +  <td> 4\n"), "{told}");
    assert!(told.contains("\n  … the values, lines "), "{told}");
}

/// The place of a macro stood in front of each place where it is expanded.
#[test]
fn a_macro_at_fault_has_its_place_once() {
    let error = |line: u32| {
        format!(
            "a.c:1:25: error: ‘struct s’ has no member named ‘levl’\n    1 | #define LEVEL(x) ((x)->levl)\n      |                         ^~~~\n\
             a.c:{line}:10: note: in expansion of macro ‘LEVEL’\n    {line} |   return LEVEL(one);\n      |          ^~~~~\n"
        )
    };
    let told = digest(&[4, 9, 14, 19].map(error).concat()).unwrap().text;
    let expanded = [4, 9, 14, 19]
        .map(|line| format!("    a.c:{line}:10: note: in expansion of macro ‘LEVEL’\n"))
        .concat();
    let first = "  a.c:1:25\n    #define LEVEL(x) ((x)->levl)\n";
    assert_eq!(told, format!("4× error: ‘struct s’ has no member named ‘levl’\n{first}{expanded}"));
}

/// All passed where a fault was still there, and an agent asked for the whole to see which tests had run.
#[test]
fn a_few_tests_that_passed_are_named_where_none_failed() {
    let run = |count: u32| {
        let tests: String = (1..=count).map(|at| format!("tests/a.py::test_{at} PASSED\n")).collect();
        let session = "============ test session starts ============\ncollected 9 items\n\n";
        digest(&format!("{session}{tests}\n============ {count} passed in 0.12s ============\n"))
            .unwrap()
            .text
    };
    assert!(run(6).contains("\ntests/a.py::test_3 PASSED\n"), "{}", run(6));
    assert_eq!(run(60), "60 passed in 0.12s\n");
}

/// A run of jest was no report where one test failed in src/ and another in its own file: two files, and jest counts one.
#[test]
fn files_are_counted_as_the_runner_does() {
    let test = |name: &str, at: &str| {
        format!("  ● Cart › {name}\n\n    Error: {name} is wrong\n\n      at Object.x ({at}:9:3)\n\n")
    };
    let text = format!(
        "FAIL test/cart.test.js\n{}{}Test Suites: 1 failed, 1 total\nTests:       2 failed, 2 total\nSnapshots:   0 total\nTime:        0.4 s\n",
        test("adds", "test/cart.test.js"),
        test("formats", "src/cart.js")
    );
    let told = digest(&text).unwrap().text;
    assert!(told.contains("FAILED src/cart.js:9:3 Cart › formats\n  Error: formats is wrong\n"), "{told}");
}

/// Each of five agents called the news of a later npm noise.
#[test]
fn news_of_a_later_npm_are_no_part_of_what_a_tool_found() {
    let errors: String =
        (1..=3).map(|at| format!("src/a.ts({at},5): error TS230{at}: Cannot find name 'x{at}'.\n")).collect();
    let news = "npm notice\nnpm notice New minor version of npm available! 10.8.2 -> 10.9.0\nnpm notice\n";
    assert_eq!(digest(&(errors.clone() + news)).unwrap().text, digest(&errors).unwrap().text);
}

/// Values of several words were torn: `"partial … &Map{Vfoo:"baz", …`.
#[test]
fn a_value_of_several_words_is_not_torn() {
    let rows = ["all nil", "partial nil", "partial decode", "unused", "all", "some", "none"];
    let test = |name: &str| {
        format!(
            "    --- FAIL: TestNil/{} (0.00s)\n        nil_test.go:13: \"{name}\": TestNil() expected: &Map{{A: 1, B: 2}}, got: &Map{{A: {}, B: 3}}\n",
            name.replace(' ', "_"),
            name.len(),
        )
    };
    let text =
        format!("--- FAIL: TestNil (0.00s)\n{}FAIL\nFAIL\tshop\t0.03s\nFAIL\n", rows.map(test).concat());
    let told = digest(&text).unwrap().text;
    for name in &rows[1..] {
        let whole = format!(
            "\"{name}\": TestNil() expected: &Map{{A: 1, B: 2}}, got: &Map{{A: {}, B: 3}}",
            name.len()
        );
        assert!(told.contains(&whole), "{name}\n{told}");
    }
}

/// "22 findings" beside 23 warnings puzzled: these were what `ShellCheck` calls info.
#[test]
fn what_is_no_warning_is_counted_by_its_tool_s_word() {
    let finding = |at: u32, word: &str| {
        format!("In a.sh line {at}:\necho $x{at}\n     ^-- SC2086 ({word}): Double quote x{at}.\n\n")
    };
    let text: String = (1..=12).map(|at| finding(at, if at % 2 == 0 { "info" } else { "warning" })).collect();
    let told = digest(&text).unwrap().text;
    assert!(told.starts_with("6 warnings, 6 info findings in 1 file\n"), "{told}");
}

/// What borrows first, or what moved, stands on another line than the error: without it the error says little.
#[test]
fn the_other_lines_of_a_compiler_s_error_are_told() {
    let error = "error[E0382]: borrow of moved value: `v`
 --> src/main.rs:8:22
  |
3 |     let mut v = vec![1];
  |         ----- move occurs because `v` has type `Vec<i32>`, which does not implement the `Copy` trait
...
7 |     let w = v;
  |             - value moved here
8 |     println!(\"{:?}\", v);
  |                      ^ value borrowed here after move
9 |     w
  |words without a mark
  |
help: consider cloning the value if the performance cost is acceptable
  |
7 |     let w = v.clone();
  |              ++++++++

error[E0308]: mismatched types
  --> src/main.rs:20:18
   |
20 |     let a: i32 = \"s\";
   |            ---   ^^^ expected `i32`, found `&str`
   |            |
   |            expected due to this

error[unsupported-operator]: Unsupported `+` operation
 --> pkg/b.py:6:12
  |
6 |     return len(y) + \"a\"
  |            ------^^^---
  |            |        |
  |            |        Has type `str`
  |            Has type `int`
info: Function defined here
 --> pkg/b.py:2:5

error: could not compile `shop` (bin \"shop\") due to 3 previous errors
";
    let told = digest(error).unwrap().text;
    for lines in [
        "    3 |     let mut v = vec![1];\n    - move occurs because `v` has type",
        "    7 |     let w = v;\n    - value moved here\n    9 |     w\n    words without a mark\n    help: consider cloning",
        "    let a: i32 = \"s\";\npkg/b.py",
        "  Has type `str`\n  Has type `int`\n  info: Function defined here\n  pkg/b.py:2:5\n",
    ] {
        assert!(told.contains(lines), "{lines}\n{told}");
    }
}

/// flake8 tells of a whole file at line 0.
#[test]
fn a_finding_without_a_line_has_no_number() {
    let finding = |at: &str, name: &str| format!("{at}: WPS111 Found too short name: {name} < 2\n");
    let text: String =
        (0..9).map(|line| finding(&format!("pkg/a.py:{line}:{}", line + 1), &format!("n{line}"))).collect();
    let told = digest(&text).unwrap().text;
    assert!(told.contains("pkg/a.py n0; 1:2 n1; 2:3 n2"), "{told}");
}

/// pytest 9 tells subtests by words of their own, of which each was told twice.
#[test]
fn a_subtest_that_failed_is_told_once() {
    let block = |name: &str, line: u32| {
        format!(
            "______ {name} ______\n\n>   assert i == 1\nE   assert {line} == 1\n\ntests/a.py:{line}: AssertionError\n"
        )
    };
    let text = format!(
        "tests/a.py::T::test_sub SUBFAILED(i=0)   [ 33%]\ntests/a.py::T::test_sub SUBPASSED(i=1)   [ 66%]\n====== FAILURES ======\n{}{}====== short test summary info ======\nSUBFAILED(i=0) tests/a.py::T::test_sub - assert 4 == 1\nSUBFAILED[a - b] (i=2) tests/a.py::T::test_sub - assert 7 == 1\n====== 2 failed, 1 subtests passed in 0.59s ======\n",
        block("T.test_sub (i=0)", 4),
        block("T.test_sub [a - b] (i=2)", 7)
    );
    let told = digest(&text).unwrap().text;
    let expected = "2 failed, 1 subtests passed in 0.59s
FAILED tests/a.py::T::test_sub (i=0) line 4
  assert i == 1
  assert 4 == 1
FAILED tests/a.py::T::test_sub [a - b] (i=2) line 7
  assert i == 1
  assert 7 == 1
";
    assert_eq!(told, expected);
}

/// Ruby shows the code between the error and its frames: the mark below it stood as the reason, at the frame behind.
#[test]
fn an_error_of_ruby_s_keeps_its_place() {
    let text = "a.rb:2:in `f': undefined method `nope' for 1:Integer (NoMethodError)\n\n  x.nope\n   ^^^^^\n\tfrom a.rb:4:in `g'\n\tfrom a.rb:5:in `<main>'\n";
    let told = digest(text).unwrap().text;
    assert!(told.starts_with("ERROR a.rb:2"), "{told}");
    for line in ["undefined method `nope' for 1:Integer (NoMethodError)", "x.nope", "a.rb:4:in `g'"] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

/// What node tells of an error that nobody caught: where its own sources threw it says nothing.
#[test]
fn an_error_of_node_s_own_is_told_without_its_statement() {
    let text = "node:internal/modules/esm/resolve:283\n    throw new ERR_MODULE_NOT_FOUND(\n          ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find module '/srv/shop/missing.js' imported from /srv/shop/a.js\n    at finalizeResolution (node:internal/modules/esm/resolve:283:11)\n    at moduleResolve (node:internal/modules/esm/resolve:952:10)\n\nNode.js v20.20.2\n";
    let told = digest(text).unwrap().text;
    assert!(told.starts_with("ERROR Error [ERR_MODULE_NOT_FOUND]: Cannot find module"), "{told}");
    // Without its message a stack is no report.
    assert_eq!(
        digest(
            " FAIL  math  \"throws\"\n    no\n\n    at Object.handler (src/t.mjs:3:11)\n    at run (src/u.mjs:7:16)\n"
        ),
        None
    );
}

/// The page's end tore a failure in two, and the mark below named the one behind it as the next.
#[test]
fn a_failure_that_a_page_tears_is_told_by_the_next() {
    let block = |at: usize| {
        format!(
            "____ test_{at} ____\n\n>   assert f({at}) == \"{}\"\nE   assert {} == {at}\n\ntests/a.py:{at}: AssertionError\n",
            "x".repeat(at % 7 * 30),
            at + 1
        )
    };
    let text = format!(
        "==== FAILURES ====\n{}==== 90 failed in 0.1s ====\n",
        (1..=90).map(block).collect::<String>()
    );
    let mut pages = 0;
    for most in (600..4000).step_by(37) {
        for is_full in [true, false] {
            let told = digest_by(&text, &[], &Options { most, is_full, ..Options::default() }).unwrap().text;
            let Some(mark) = told.lines().last().and_then(|line| line.strip_prefix("… failures ")) else {
                continue;
            };
            pages += 1;
            let next: usize = mark.split('-').next().unwrap().parse().unwrap();
            for at in 1..90 {
                let is_told = told.contains(&format!("assert {} == {at}", at + 1));
                assert_eq!(is_told, at < next, "{most} {is_full}: {at} of\n{told}");
            }
        }
    }
    assert!(pages > 50, "{pages}");
}

/// `go test -cover` was asked what is covered, and told how many packages passed.
#[test]
fn what_go_covers_is_told() {
    let ok = |at: usize, rest: &str| format!("ok  \tshop/p{at}\t0.0{at}s{rest}\n");
    let covered: String = (1..9).map(|at| ok(at, &format!("\tcoverage: {at}0.0% of statements"))).collect();
    assert_eq!(digest(&covered), None);
    let failed = "--- FAIL: TestTotal (0.00s)\n    cart_test.go:4: Total() = 2, want 6\nFAIL\ncoverage: 12.5% of statements\nFAIL\tshop\t0.01s\n";
    let told = digest(&(covered + &ok(9, "") + failed)).unwrap().text;
    assert!(told.contains("shop/p3\t0.03s\tcoverage: 30.0% of statements\n"), "{told}");
    assert!(told.contains("coverage: 12.5%") && told.contains("FAILED cart_test.go:4 TestTotal"), "{told}");
    assert!(!told.contains("shop/p9"), "{told}");
}

/// Two of two took what a test file died of for a detail of the failure above, of another file, and asked for the whole.
#[test]
fn what_prove_says_of_a_file_stands_in_front_of_its_line() {
    let text = "\n    #   Failed test 'ten percent'\n    #   at t/cart.t line 14.\n    #          got: '65'\n    #     expected: '67.5'\n    # Looks like you failed 1 test of 3.\n\n#   Failed test 'discount'\n#   at t/cart.t line 17.\n# Looks like you failed 1 test of 9.\nt/cart.t ... \nDubious, test returned 1 (wstat 256, 0x100)\nFailed 1/9 subtests \nline: tea = 4.5 x 2\n# Looks like your test exited with 255 before it could output anything.\nt/parse.t .. \nDubious, test returned 255 (wstat 65280, 0xff00)\nFailed 7/7 subtests \n\nTest Summary Report\n-------------------\nt/cart.t (Wstat: 256 (exited 1) Tests: 9 Failed: 1)\n  Failed test:  7\n  Non-zero exit status: 1\nt/parse.t (Wstat: 65280 (exited 255) Tests: 0 Failed: 0)\n  Non-zero exit status: 255\nFiles=2, Tests=9,  0 wallclock secs\nResult: FAIL\n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("FAILED t/cart.t:14 discount > ten percent\n"), "{told}");
    let file = "FAILED t/cart.t:17 discount\nt/cart.t ...\nline: tea = 4.5 x 2\n";
    assert!(told.contains(file) && told.contains("anything.\nt/parse.t ..\n"), "{told}");
}

/// Of a build that denies warnings each first finding of a lint had two notes of nothing but the lint's level.
#[test]
fn where_a_lint_was_denied_is_not_told() {
    let text = "error: unused variable: `a`\n  --> src/a.rs:19:9\n   |\n19 |     let a = 1;\n   |         ^ help: if this is intentional, prefix it with an underscore: `_a`\n   |\nnote: the lint level is defined here\n  --> src/a.rs:1:9\n   |\n 1 | #![deny(unused)]\n   |         ^^^^^^\n   = note: `#[deny(unused_variables)]` implied by `#[deny(unused)]`\n\nerror: unnecessary parentheses around type\n --> src/b.rs:7:5\n  |\n7 | f((x));\n  |   ^ ^\n  |\n  = note: `-D unused-parens` implied by `-D warnings`\n  = help: to override `-D warnings` add `#[allow(unused_parens)]`\n\nerror: could not compile `shop` (lib) due to 2 previous errors\n";
    let expected = "src/a.rs:19:9 error unused_variables: unused variable: `a`: help: if this is intentional, prefix it with an underscore: `_a`\n  let a = 1;\nsrc/b.rs:7:5 error unused_parens: unnecessary parentheses around type\n  f((x));\nerror: could not compile `shop` (lib) due to 2 previous errors\n";
    assert_eq!(digest(text).unwrap().text, expected);
}

/// robocop shows the lines in front of the one at fault, too: the first of these was told as the line at fault.
#[test]
fn of_lines_around_it_the_line_at_fault_is_told() {
    let finding = "a.robot:17:14 DEPR06 Create Dictionary used instead of VAR\n    |\n 15 |\n 16 | Fails Dict\n\
        \x20 17 |     ${d}=    Create Dictionary    a=1\n    |              ^^^^^^^^^^^^^^^^^ DEPR06\n 18 |     Log    ${d}\n    |\n\n\
        a.robot:3:1 SPC03 Invalid number of empty lines between sections (1/2)\n   |\n 1 | *** Settings ***\n 3 |\n   | ^ SPC03\n\
        \x20 4 | *** Test Cases ***\n   |\n\nFound 2 issues.\n";
    let another = |line: u32| {
        format!(
            "a.robot:{line}:1 DOC02 Missing documentation in 'Passes {line}' test case\n   |\n {line} | Passes {line}\n   | ^^^^^ DOC02\n   |\n\n"
        )
    };
    let text = [20, 23, 26].map(another).concat() + finding;
    let told = digest(&text).unwrap().text;
    assert!(told.contains("    ${d}=    Create Dictionary    a=1\n"), "{told}");
    assert!(!told.contains("Settings") && !told.contains("Fails Dict") && !told.contains(" \n"), "{told}");
}

/// A place in front of the test's own file took a second look.
#[test]
fn a_failure_in_another_file_begins_with_the_test() {
    let scenario = "Feature: shop # features/shop.feature:1\n\n  Scenario: pays # features/shop.feature:6\n    When I pay 1 # features/steps/s.py:4\n\
        \x20     Traceback (most recent call last):\n        File \"features/steps/s.py\", line 7, in pay\n          raise ValueError(\"too little\")\n\
        \x20     ValueError: too little\n\n\nErrored scenarios:\n  features/shop.feature:6  pays\n\n\
        0 features passed, 0 failed, 1 error, 0 skipped\n0 scenarios passed, 0 failed, 1 error, 0 skipped\n0 steps passed, 0 failed, 1 error, 0 skipped\n\
        Took 0min 0.002s\n";
    let told = digest(scenario).unwrap().text;
    assert!(told.contains("ERROR features/shop.feature:6 pays at features/steps/s.py:7\n"), "{told}");
}

/// `./: a.yaml:1:15 b.yaml:1:15` names a directory that the tool did not speak of.
#[test]
fn files_of_the_working_directory_stand_without_a_heading() {
    let row = |file: &str| format!("./{file}.yaml:1:15: [error] trailing spaces (trailing-spaces)\n");
    let text = ["a", "b", "c", "d", "FAILED tests/t"].map(row).concat();
    let told = digest(&text).unwrap().text;
    assert!(!told.contains("\nFAILED") && told.contains("./FAILED tests/t.yaml:1:15"), "{told}");
    assert!(told.contains("\n  a.yaml:1:15 b.yaml:1:15 c.yaml:1:15 d.yaml:1:15\n"), "{told}");
}

/// `at f (*)` with `a.c:58 a.c:58` below had to be worked out: the word that differs was the place.
#[test]
fn a_place_is_not_told_as_a_word_that_differs() {
    let error = |line: u32| {
        format!(
            "==7== Conditional jump or move depends on uninitialised value(s)\n==7==    at 0x48D7: print (print.c:{line})\n\
             ==7==    by 0x10918C: main (leak.c:4)\n==7== \n"
        )
    };
    let text = [58, 174, 190].map(error).concat()
        + "==7== ERROR SUMMARY: 3 errors from 3 contexts (suppressed: 0 from 0)\n";
    let told = digest(&text).unwrap().text;
    assert!(!told.contains('*'), "{told}");
    assert!(told.contains("print (print.c:174), by main (leak.c:4)"), "{told}");
}

/// With `-vv`, and in CI, the summary has whole messages: each difference was told twice, and many of them cost the digest the
/// values of the failures themselves.
#[test]
fn a_summary_with_whole_messages_is_not_told_again() {
    let values = "line one\n- line 2\n+ line two\n";
    let reason = format!("assert 'line one...' == 'line one...'\n  \n{}", values.replace("line", "  line"));
    let below = reason.lines().map(|line| format!("E       {line}\n")).collect::<String>();
    let session = "=========== test session starts ===========\ncollected 2 items\n\ntest_a.py::test_text FAILED [ 50%]\n\n";
    let block = format!(
        "____________ test_text ____________\n\n    def test_text():\n>       assert one == two\n{below}\ntest_a.py:4: AssertionError\n"
    );
    let warnings = "============ warnings summary ============\ntest_a.py::test_warns\n  /srv/test_a.py:9: UserWarning: x\n    warnings.warn(\"x\")\n\n\
        -- Docs: https://docs.pytest.org/en/stable/how-to/capture-warnings.html\n--------- snapshot report summary ---------\n1 snapshot failed.\n";
    let summary =
        format!("========= short test summary info =========\nFAILED test_a.py::test_text - {reason}");
    let total = "======= 1 failed, 1 passed, 1 warning in 0.05s =======\n";
    let told =
        digest(&format!("{session}============ FAILURES ============\n{block}{warnings}{summary}{total}"))
            .unwrap()
            .text;
    assert!(told.contains("FAILED test_a.py::test_text line 4\n"), "{told}");
    assert_eq!(told.matches("line two").count(), 1, "{told}");
    assert!(told.contains("UserWarning: x") && !told.contains("short test summary"), "{told}");
    // Where nothing else tells a message, the summary does.
    let alone = digest(&format!("{session}{summary}{total}")).unwrap().text;
    assert!(alone.contains("FAILED test_a.py::test_text") && alone.contains("+   line two"), "{alone}");
}

/// vitest lists each failure with its whole message before it tells them: what stands below an arrow was told twice, and in front
/// of all failures. A file's name stood twice in each head.
#[test]
fn what_vitest_lists_is_not_told_again() {
    let message = "Unable to find an element: Item 9\n\n<body>\n  <p>\n    Item 1\n  </p>\n</body>";
    let text = format!(
        " RUN  v2.1.9 /srv/shop\n\n ❯ v/dom.test.js (2 tests | 1 failed) 281ms\n   × shop > shows 5ms\n     → {message}\n\n\
         ⎯⎯⎯⎯⎯⎯⎯ Failed Suites 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  v/bad.test.js [ v/bad.test.js ]\nError: Failed to load url ./nope\n\n\
         ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  v/dom.test.js > shop > shows\nTestingLibraryElementError: {message}\n \
         ❯ v/dom.test.js:19:194\n     18|  a()\n     19|  screen.getByText('Item 9')\n       |         ^\n\n⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n\n\
         \x20Test Files  2 failed (2)\n      Tests  1 failed | 1 passed (2)\n   Start at  10:00:00\n   Duration  1.00s\n"
    );
    let told = digest(&text).unwrap().text;
    assert_eq!(told.matches("<body>").count(), 1, "{told}");
    assert!(told.contains("\nFAILED v/dom.test.js:19:194 shop > shows\n"), "{told}");
    assert!(told.contains("\nERROR v/bad.test.js [ v/bad.test.js ]\n"), "{told}");
}

/// Of a snapshot's failure the digest told a line number, and the first five lines of what was printed: headings and rules.
#[test]
fn how_a_snapshot_of_insta_differs_is_told() {
    let rule = "─".repeat(40);
    let text = format!(
        "running 1 test\ntest snap ... FAILED\n\nfailures:\n\n---- snap stdout ----\n━━━━━━━━ Snapshot Summary ━━━━━━━━\nSnapshot: snap\n\
         Source: tests/forms.rs:9\n{rule}\nExpression: text\n{rule}\n-old snapshot\n+new results\n──────┬──────\n    1     1 │ a\n    2       │-b\n\
         \x20         2 │+c\n──────┴──────\nStopped on the first failure. Run `cargo insta test` to run all snapshots.\n\n\
         thread 'snap' (1195) panicked at /root/.cargo/registry/src/index-1/insta-1.49.0/src/runtime.rs:734:13:\n\
         snapshot assertion for 'snap' failed in line 9\n\n\nfailures:\n    snap\n\n\
         test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.04s\n"
    );
    // nextest indents what a test printed.
    let printed = text[text.find("━━━").unwrap()..text.find("\n\nfailures:\n    snap").unwrap()]
        .replace('\n', "\n    ");
    let nextest = format!(
        "────────\n Nextest run ID 1 with nextest profile: default\n    Starting 1 test across 1 binary\n        FAIL [   0.004s] (1/1) shop::forms snap\n\
         \x20 stdout ───\n\n    running 1 test\n    {printed}\n\n  Cancelling due to test failure\n────────────\n     \
         Summary [   0.004s] 1 test run: 0 passed, 1 failed, 0 skipped\n        FAIL [   0.004s] (1/1) shop::forms snap\nerror: test run failed\n"
    );
    let told = digest(&nextest).unwrap().text;
    assert!(told.contains("FAILED tests/forms.rs:9 shop::forms snap\n") && told.contains("│-b\n"), "{told}");
    let told = digest(&text).unwrap().text;
    assert!(
        told.contains("FAILED tests/forms.rs:9 snap\n") && told.contains("│-b\n") && told.contains("│+c\n"),
        "{told}"
    );
    assert!(!told.contains('─') && !told.contains('━') && told.contains("Run `cargo insta test`"), "{told}");
}

/// An example that is not to compile made a run unreadable; of one that does not compile the line at fault was left out.
#[test]
fn examples_in_documentation_that_fail_are_told() {
    let text = "running 2 tests\ntest src/lib.rs - add (line 11) - compile fail ... FAILED\ntest src/lib.rs - add (line 19) ... FAILED\n\n\
        failures:\n\n---- src/lib.rs - add (line 11) stdout ----\nTest compiled successfully, but it's marked `compile_fail`.\n\
        ---- src/lib.rs - add (line 19) stdout ----\nerror[E0308]: mismatched types\n  --> src/lib.rs:20:14\n   |\n20 | let x: u32 = \"a\";\n\
        \x20  |        ---   ^^^ expected `u32`, found `&str`\n   |        |\n   |        expected due to this\n\n\
        error: aborting due to 1 previous error\n\nCouldn't compile the test.\n\nfailures:\n    src/lib.rs - add (line 11)\n    src/lib.rs - add (line 19)\n\n\
        test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s\n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("\nFAILED src/lib.rs - add (line 11)\n  Test compiled successfully"), "{told}");
    assert!(told.contains("\nFAILED src/lib.rs - add (line 19)\n  let x: u32 = \"a\";\n"), "{told}");
}

/// Of tests on one line `…` stood for `assert 1 == 2` of the first, below `assert 1 == 0` of another.
#[test]
fn a_reason_tells_its_first_line_again() {
    let failure = |name: &str, left: u32, right: u32, text: &str| {
        let long = text.repeat(20);
        format!(
            "____ test_words[{name}] ____\n\n    def test_words(text, n):\n>       assert len(text.split(\"x\")) == n\nE       assert {left} == {right}\n\
             E        +  where {left} = len(['{long}'])\nE        +    where ['{long}'] = split('x')\n\ntest_a.py:111: AssertionError\n"
        )
    };
    let blocks = failure("a", 1, 2, "a b ")
        + &failure("b", 1, 0, "c d ")
        + &failure("c", 1, 2, "e f ")
        + &failure("d", 2, 1, "g h ");
    let text = format!(
        "=========== test session starts ===========\ncollected 4 items\n\n============ FAILURES ============\n{blocks}\
         ========= short test summary info =========\nFAILED test_a.py::test_words[a] - assert 1 == 2\nFAILED test_a.py::test_words[b] - assert 1 == 0\n\
         FAILED test_a.py::test_words[c] - assert 1 == 2\nFAILED test_a.py::test_words[d] - assert 2 == 1\n======= 4 failed in 0.05s =======\n"
    );
    let told = digest(&text).unwrap().text;
    let third =
        told.lines().find(|line| line.trim_start().starts_with("[c]")).unwrap_or_else(|| panic!("{told}"));
    assert!(third.contains("[c]: assert 1 == 2"), "{told}");
}

/// Lines that differ in blanks alone were left out, and with them all that the difference was.
#[test]
fn a_difference_in_blanks_is_told() {
    let text = "Run options: --seed 1\n\n# Running:\n\nF\n\nFinished in 0.08s\n\n  1) Failure:\nParserTest#test_unclosed [test/parser_test.rb:143]:\n\
        --- expected\n+++ actual\n@@ -1,5 +1,5 @@\n \"Unclosed tag\n   Line 1\n     {{list\n-         ^\n+          ^\n \"\n\n\n\
        1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("\n  -         ^\n  +          ^\n"), "{told}");
}

/// What a program printed may be long: of 700 lines the first forty were told, in which nothing had failed.
#[test]
fn the_failing_lines_of_a_long_reason_are_told() {
    let cases: String = (0..300)
        .map(|case| match case {
            170 => "Testing \"removes an element\"\nFAILED\n/srv/shop/patch_test.c:92:removes:FAIL: Was /2\n"
                .to_owned(),
            _ => format!("Testing \"case {case}\"\nOK\n"),
        })
        .collect();
    let text = format!(
        "Test project /srv/shop/build\n    Start 1: patch_test\n1/1 Test #1: patch_test .......***Failed    0.00 sec\n{cases}3 Tests 1 Failures 0 Ignored\nFAIL\n\n\n\
         0% tests passed, 1 tests failed out of 1\n\nTotal Test time (real) =   0.04 sec\n\nThe following tests FAILED:\n\t  1 - patch_test (Failed)\nErrors while running CTest\n"
    );
    let told = digest(&text).unwrap().text;
    for line in
        ["Testing \"removes an element\"\n", ":92:removes:FAIL: Was /2\n", "3 Tests 1 Failures 0 Ignored\n"]
    {
        assert!(told.contains(line), "{told}");
    }
    assert!(told.lines().count() < 60, "{told}");
}

/// Of ten failures on the number has one blank in front, of a hundred none: no run of so many was read.
#[test]
fn exunit_tells_more_than_nine_failures() {
    let failure = |nth: usize| {
        format!(
            "{nth:>3}) test t{nth} (ShopTest)\n     test/shop_test.exs:{nth}\n     Assertion with == failed\n     code:  assert 1 == {nth}\n     left:  1\n     right: {nth}\n     stacktrace:\n       test/shop_test.exs:{nth}: (test)\n\n"
        )
    };
    let text: String = (1..=101).map(failure).collect::<String>()
        + "\nFinished in 0.08 seconds (0.00s async, 0.08s sync)\n101 tests, 101 failures\n\nRandomized with seed 0\n";
    assert_eq!(digest(&text).unwrap().failures, 101);
}

/// The titles of suites whose tests all passed stood above the failures, ninety lines of them.
#[test]
fn titles_of_suites_that_passed_are_not_told() {
    let text = "\n\n  cart\n    ✔ sums\n    dates\n      leap years\n        ✔ has a day more\n        1) has none\n\n  printed by a test\n    deeper\n\n\n  \
        2 passing (4ms)\n  1 failing\n\n  1) cart\n       dates\n         leap years\n           has none:\n     AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\
        + actual - expected\n\n+ 'a'\n- 'b'\n\n      + expected - actual\n\n      -a\n      +b\n      \n      at Context.<anonymous> (test/a.js:3:5)\n\n";
    let told = digest(text).unwrap().text;
    assert_eq!(
        told,
        "2 passing (4ms)\n1 failing\n  printed by a test\n    deeper\nFAILED test/a.js:3:5 cart › dates › leap years › has none\n  \
         AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n  + actual - expected\n  + 'a'\n  - 'b'\n"
    );
}

/// Catch2 has the names and the place in front of what failed; of what only warned nothing else names the test.
#[test]
fn titles_of_catch2_go_only_where_a_failure_has_them() {
    let rule = |mark: &str| mark.repeat(79);
    let case = |name: &str, line: u32, said: &str| {
        format!("{}\n{name}\n{}\na.cpp:{line}\n{}\n\n{said}\n\n", rule("-"), rule("-"), rule("."))
    };
    let failed = case("sums", 6, "a.cpp:7: FAILED:\n  CHECK( total() == 7 )\nwith expansion:\n  6 == 7");
    let text = case("careful", 3, "a.cpp:4: warning:\n  old price")
        + &failed
        + &rule("=")
        + "\ntest cases: 2 | 1 passed | 1 failed\nassertions: 1 | 1 failed\n";
    let told = digest(&text).unwrap().text;
    assert!(told.contains("careful\n") && told.contains("old price"), "{told}");
    assert!(
        told.contains("FAILED a.cpp:7 sums\n") && !told.contains("\nsums\n") && !told.contains("a.cpp:6"),
        "{told}"
    );
}

/// doctest (C++) has a place, a suite and a test case in front of failures; a time in front of a test's own words is none.
#[test]
fn what_a_test_prints_with_its_time_is_no_failure_of_doctest() {
    let rule = "=".repeat(79);
    let text = format!(
        "09:12:30: ERROR: connection lost, once more\n{rule}\na.cpp:6:\nTEST SUITE: cart\nTEST CASE:  sums\n\n\
         a.cpp:7: ERROR: CHECK( total() == 7 ) is NOT correct!\n  values: CHECK( 6 == 7 )\n\n{rule}\n\
         [doctest] test cases: 2 | 1 passed | 1 failed | 0 skipped\n[doctest] assertions: 2 | 1 passed | 1 failed |\n\
         [doctest] Status: FAILURE!\n"
    );
    let told = digest(&text).unwrap().text;
    assert!(told.contains("\n09:12:30: ERROR: connection lost, once more\n"), "{told}");
    assert!(told.contains("FAILED a.cpp:7 cart > sums") && told.matches("FAILED").count() == 1, "{told}");
}

/// What looks like a title may be what a test printed.
#[test]
fn a_printed_failure_above_a_test_is_no_title() {
    let text = "\n  cart\n  Error: lost the connection\n    ✔ sums\n    1) breaks\n\n\n  1 passing (4ms)\n  1 failing\n\n  1) cart\n       breaks:\n     Error: z\n      at Context.<anonymous> (test/a.js:3:5)\n\n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("\n  cart\n  Error: lost the connection\nFAILED "), "{told}");
}

/// `phpunit --testdox` draws bars; `ExUnit` tells below the stack what was logged.
#[test]
fn bars_and_logs_below_a_failure_are_told_as_what_they_are() {
    let php = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\nCart\n ✔ Empty\n ✘ Raise\n   │\n   │ InvalidArgumentException: price -1\n   │\n   │ /srv/shop/CartTest.php:3\n   │ /srv/shop/Cart.php:7\n   │\n\nTime: 00:00.034, Memory: 8.00 MB\n\nERRORS!\nTests: 2, Assertions: 1, Errors: 1.\n";
    let told = digest(php).unwrap().text;
    assert!(told.contains("FAILED /srv/shop/CartTest.php:3 Raise\n  InvalidArgumentException: price -1\n  at /srv/shop/Cart.php:7\n"), "{told}");
    let elixir = "\n  1) test pay (ShopTest)\n     test/shop_test.exs:5\n     ** (RuntimeError) no\n     stacktrace:\n       (shop 0.1.0) lib/shop.ex:3: Shop.pay/1\n       test/shop_test.exs:6: (test)\n\n     The following output was logged:\n     12:00:00.000 [error] gateway down\n\n\nFinished in 0.08 seconds (0.00s async, 0.08s sync)\n1 test, 1 failure\n";
    let told = digest(elixir).unwrap().text;
    assert!(
        told.contains("FAILED lib/shop.ex:3 test pay (ShopTest)\n")
            && told.contains("\n  at test/shop_test.exs:6: (test)\n"),
        "{told}"
    );
    assert!(told.contains("\n  logged:\n") && told.contains("[error] gateway down\n"), "{told}");
}

/// Crystal writes as rspec does, with stacks of its own.
#[test]
fn crystals_specs_are_told_with_their_places() {
    let text = "F\n\nFailures:\n\n  1) Cart raises\n     Failure/Error: expect_raises(KeyError) { pay }\n\n       Expected KeyError, got #<ArgumentError: no> with backtrace:\n         # src/cart.cr:6:51 in '->'\n         # /usr/lib/crystal/lib/spec/example.cr:45:13 in 'run'\n         # /lib/x86_64-linux-gnu/libc.so.6 in '??'\n         # ???\n     # spec/a_spec.cr:6\n\nFinished in 300 microseconds\n1 examples, 1 failures, 0 errors, 0 pending\n\nFailed examples:\n\ncrystal spec spec/a_spec.cr:6 # Cart raises\n";
    let told = digest(text).unwrap().text;
    assert!(
        told.contains("FAILED src/cart.cr:6:51 Cart raises\n") && told.contains("at spec/a_spec.cr:6\n"),
        "{told}"
    );
    assert!(!told.contains("libc") && !told.contains("???"), "{told}");
}

/// A second failure on the line of another lost 65 characters of its reason.
#[test]
fn a_second_failure_on_a_line_with_a_long_reason_is_told_in_full() {
    let failure = |nth: u32, name: &str, why: &str| {
        format!(
            "  {nth}) Cart {name}\n     Failure/Error: add(price: -1)\n\n{why}\n     # ./lib/cart.rb:5:in `add'\n     # ./spec/cart_spec.rb:1{nth}:in `block (2 levels)'\n     # ./spec/cart_spec.rb:1{nth}:in `block in pay'\n\n"
        )
    };
    let long = format!(
        "       expected TypeError with message matching /{}/, got #<ArgumentError: price -1>",
        "negative ".repeat(16)
    );
    let text = format!(
        "FF\n\nFailures:\n\n{}{}Finished in 0.1 seconds\n2 examples, 2 failures\n",
        failure(1, "raises", "       ArgumentError:\n         price -1"),
        failure(2, "raises another", &long)
    );
    let told = digest(&text).unwrap().text;
    assert!(told.contains(long.trim()) && !told.contains("characters …"), "{told}");
    assert_eq!(told.matches("cart_spec.rb:12").count(), 1, "{told}");
    assert!(!told.contains("what is said twice"), "{told}");
}

/// phpunit ends its totals by a full stop: where failures or errors came last, no run of its was read.
#[test]
fn a_count_at_the_end_of_a_sentence_counts() {
    let text = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n.F   2 / 2 (100%)\n\nTime: 00:00.034, Memory: 8.00 MB\n\nThere was 1 failure:\n\n1) CartTest::testSum\nFailed asserting that 6 is identical to 7.\n\n/srv/shop/CartTest.php:6\n\nFAILURES!\nTests: 2, Assertions: 2, Failures: 1.\n";
    let told = digest(text).unwrap();
    assert_eq!(told.failures, 1);
    assert!(told.text.contains("FAILED /srv/shop/CartTest.php:6 CartTest::testSum\n"), "{}", told.text);
}

/// vitest counts a file once for each project, and writes a reason that several tests have below the last of their
/// headings.
#[test]
fn each_project_of_vitest_counts_its_files_and_each_test_has_its_reason() {
    let project = |name: &str, nth: u32| {
        let rule = "⎯".repeat(30);
        format!(
            " FAIL  |{name}| test/a.ts > trims\n FAIL  |{name}| test/a.ts > joins\nValidationError: must be trimmed {nth}\n ❯ createError src/create.ts:{nth}:21\n\n{rule}[1/4]⎯\n\n"
        )
    };
    let text = format!(
        "\n RUN  v3.2.7 /srv/shop\n\n ❯ |async| test/a.ts (9 tests | 2 failed) 5ms\n ❯ |sync| test/a.ts (9 tests | 2 failed) 5ms\n ✓ |sync| test/b.ts (3 tests) 1ms\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 4 ⎯⎯⎯⎯⎯⎯⎯\n\n{}{}\n Test Files  2 failed | 1 passed (3)\n      Tests  4 failed | 17 passed (21)\n   Start at  01:02:03\n   Duration  1.50s\n\n",
        project("async", 104),
        project("sync", 105)
    );
    let told = digest(&text).unwrap().text;
    for lines in [
        "FAILED 2 at src/create.ts:104:21, same message: |async| test/a.ts > trims, |async| test/a.ts > joins\n  ValidationError: must be trimmed 104\n",
        "FAILED 2 at src/create.ts:105:21, same message: |sync| test/a.ts > trims, |sync| test/a.ts > joins\n  ValidationError: must be trimmed 105\n",
    ] {
        assert!(told.contains(lines), "{told}");
    }
}

/// Surefire 2.22 names the class above its failures, and both in the list at the end: two classes with one test name are
/// two failures.
#[test]
fn a_failure_below_its_class_is_told_once() {
    let class = |name: &str, line: u32| {
        format!(
            "[INFO] Running com.example.{name}\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in com.example.{name}\n[ERROR] testEnd  Time elapsed: 0 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <{line}> but was: <1>\n\tat com.example.{name}.check({name}.java:{line})\n\tat com.example.{name}.testEnd({name}.java:3)\n\n"
        )
    };
    let text = format!(
        "[INFO] -------------------------------------------------------\n[INFO]  T E S T S\n[INFO] -------------------------------------------------------\n{}{}[INFO] \n[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   ATest.testEnd:3->check:56 expected: <56> but was: <1>\n[ERROR]   BTest.testEnd:3->check:57 expected: <57> but was: <1>\n[INFO] \n[ERROR] Tests run: 4, Failures: 2, Errors: 0, Skipped: 0\n[INFO] \n",
        class("ATest", 56),
        class("BTest", 57)
    );
    let expected = "[ERROR] Tests run: 4, Failures: 2, Errors: 0, Skipped: 0
FAILED ATest.java:56 com.example.ATest.testEnd
  org.opentest4j.AssertionFailedError: expected: <56> but was: <1>
  at com.example.ATest.testEnd(ATest.java:3)
FAILED BTest.java:57 com.example.BTest.testEnd
  org.opentest4j.AssertionFailedError: expected: <57> but was: <1>
  at com.example.BTest.testEnd(BTest.java:3)
";
    let told = digest(&text).unwrap().text;
    assert!(told.starts_with(expected), "{told}");
}

/// Nor does a class stand in front of a name that has one: of a test that the class inherited, of the class itself.
#[test]
fn a_class_stands_in_front_of_bare_names_alone() {
    let text = "[INFO]  T E S T S\n[INFO] Running AppTest\n[ERROR] Tests run: 3, Failures: 2, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in AppTest\n[ERROR] AppTest  Time elapsed: 0 s  <<< ERROR!\njava.lang.IllegalStateException: no port\n\tat AppTest.open(AppTest.java:3)\n\n[ERROR] ends(com.example.Base)  Time elapsed: 0 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <2> but was: <1>\n\tat com.example.Base.ends(Base.java:7)\n\n[ERROR] App  Time elapsed: 0 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <3> but was: <1>\n\tat AppTest.App(AppTest.java:9)\n\n[INFO] \n[ERROR] Tests run: 3, Failures: 2, Errors: 1, Skipped: 0\n[INFO] \n";
    let told = digest(text).unwrap().text;
    for line in [
        "ERROR AppTest.java:3 AppTest",
        "FAILED Base.java:7 com.example.Base.ends",
        "FAILED AppTest.java:9 AppTest.App",
    ] {
        assert!(told.lines().any(|told| told == line), "{line}\n{told}");
    }
}

/// Display names of a Java test are no classes.
#[test]
fn a_display_name_of_surefire_s_stands_in_front_of_no_test() {
    let text = "[INFO] -------------------------------------------------------\n[INFO]  T E S T S\n[INFO] -------------------------------------------------------\n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in An empty cart\n[ERROR] An empty cart.has no sum -- Time elapsed: 0 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <2> but was: <1>\n\tat com.example.CartTest.sum(CartTest.java:7)\n\n[INFO] \n[INFO] Results:\n[INFO] \n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0\n[INFO] \n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("FAILED CartTest.java:7 An empty cart.has no sum\n"), "{told}");
}

/// Files that could not be run for one reason have it below the last of their headings, too.
#[test]
fn files_of_vitest_that_fail_alike_each_have_their_reason() {
    let text = "\n RUN  v3.2.7 /srv/shop\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Suites 2 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  |async| test/a.ts [ test/a.ts ]\n FAIL  |sync| test/a.ts [ test/a.ts ]\nError: Cannot find package 'chai'\n ❯ test/a.ts:1:1\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯\n\n\n Test Files  2 failed (2)\n      Tests  no tests\n   Start at  01:02:03\n   Duration  1.50s\n\n";
    let told = digest(text).unwrap().text;
    for name in ["|async| test/a.ts", "|sync| test/a.ts"] {
        assert!(told.contains(name), "{told}");
    }
    assert!(told.contains("ERROR 2 at test/a.ts:1:1, same message: "), "{told}");
    assert!(told.contains("Cannot find package 'chai'"), "{told}");
}

/// Dart's tests run side by side: in front of a failure may stand what another test printed.
#[test]
fn what_another_test_printed_is_not_said_to_be_this_one_s() {
    let text = |named: &str| {
        format!(
            "00:00 +0: {named}\nfrom x\n00:00 +0 -1: b_test.dart: y [E]\n  oh no\n  b_test.dart 6:33  main.<fn>\n\n00:00 +1 -1: Some tests failed.\n"
        )
    };
    let [own, others] = ["b_test.dart: y", "a_test.dart: x"].map(|named| digest(&text(named)).unwrap().text);
    assert!(own.contains("  printed:\n    from x\n"), "{own}");
    assert!(others.contains("  printed, perhaps by another test:\n    from x\n"), "{others}");
}

/// Steps of any program that are numbered as zig numbers its tests.
#[test]
fn where_all_tests_passed_none_is_told_to_have_failed() {
    assert!(digest("1/3 compile...done\n2/3 link...done\nAll 3 tests passed.\n").is_none());
}

/// An error of bun's whose second rule is missing ends where the next line is a sign.
#[test]
fn a_rule_that_is_missing_hides_no_failure() {
    let text = "bun test v1.4.5\n\na.test.ts:\n\n# Unhandled error between tests\n-------------------------------\nerror: lost\n(fail) a [0.1ms]\n\n 0 pass\n 2 fail\n 1 error\nRan 2 tests across 1 file. [1.00ms]\n";
    let told = digest(text).unwrap().text;
    assert!(told.contains("Unhandled error between tests") && told.contains("FAILED a.test.ts a"), "{told}");
}

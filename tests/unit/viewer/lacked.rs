use std::ffi::OsString;

use super::super::lacked::{BESIDE_TOTALS, Lack, what_the_window_lacked};
use crate::report::{
    self,
    record::{Record, What},
};
use crate::tokens;

fn lack(text: &str, window: &str, is_said: bool) -> Lack {
    what_the_window_lacked(text.as_bytes(), window.as_bytes(), &[], 900, is_said)
}

fn lacked(text: &str, window: &str) -> String {
    match lack(text, window, false) {
        Lack::Lines { told, .. } => told,
        lack => panic!("{lack:?}"),
    }
}

#[test]
fn what_states_the_failure_is_told_and_nothing_else() {
    let text = "one\nerror: no such thing\n\nthree\nfour\n";
    assert_eq!(lacked(text, "three\nfour\n"), "  error: no such thing\n");
    assert_eq!(lack(text, text, false), Lack::Nothing, "the window says why");
    let infos: String = (0..40).map(|n| format!("12:00:{n} INFO worker {n} is up\n")).collect();
    assert_eq!(lack(&infos, "12:00:39 INFO worker 39 is up\n", false), Lack::Unknown);
    assert_eq!(lack(&infos, "12:00:39 INFO worker 39 is up\n", true), Lack::Nothing);
    let paths: String = (0..90).map(|n| format!("/etc/{n}/error.conf\n/etc/failed\n")).collect();
    assert_eq!(lack(&paths, "/etc/0/error.conf\n", false), Lack::Unknown, "a path is no reason");
}

#[test]
fn of_many_lines_those_that_say_why() {
    let mut text: String =
        (0..5_000).map(|n| format!("compiled unit {n} of the program, all well\n")).collect();
    text.insert_str(text.len() / 2, "\nfatal: no such thing\n\n");
    assert_eq!(lacked(&text, "").trim(), "fatal: no such thing");
    let many: String = (0..400).map(|n| format!("error: no {} thing\n\n", "very ".repeat(n))).collect();
    assert!(tokens::count(lacked(&many, "").as_bytes()) <= 900);
}

#[test]
fn failures_that_the_window_shows_are_not_told_again() {
    let failure = |name: &str, value: u32| {
        format!(
            "{:_^60}\n\n    def {name}():\n>       assert {value} == 0\nE       assert {value} == 0\n\ntests/test_a.py:{value}: AssertionError\n",
            format!(" {name} ")
        )
    };
    let summary = "=========================== short test summary info ============================\nFAILED tests/test_a.py::test_one - assert 11 == 0\nFAILED tests/test_a.py::test_two - assert 22 == 0\n2 failed in 0.02s\n";
    let hidden = format!("{:=^70}\n{}", " FAILURES ", failure("test_one", 11));
    let window = format!("{}{summary}", failure("test_two", 22));
    let lacked = lacked(&format!("{hidden}{window}"), &window);
    assert!(
        lacked.contains("tests/test_a.py::test_one line 11") && lacked.contains("assert 11 == 0"),
        "{lacked}"
    );
    assert!(!lacked.contains("22"), "{lacked}");
}

/// Where a window begins within a failure, the failure is told as it is, or not at all: not by what stands in front of the
/// window.
#[test]
fn what_is_told_of_a_failure_is_never_a_part_of_one() {
    let cargo = ["cargo", "test"].map(OsString::from);
    let frames = include_str!("../../fixtures/report/pytest/pytest-q-frames.txt");
    let auto = include_str!("../../fixtures/report/pytest/pytest-tb-auto.txt");
    let locals = include_str!("../../fixtures/report/pytest/pytest-x-l.txt");
    let globset = include_str!("../../fixtures/reading/cargo-test-globset.txt");
    for (text, words) in [(frames, &[][..]), (auto, &[][..]), (locals, &[][..]), (globset, &cargo)] {
        let whole = report::read(text, words).unwrap();
        let places: Vec<_> = whole.records().filter_map(place).collect();
        let begins = text.match_indices('\n').map(|(at, _)| at + 1);
        for window in begins.map(|at| &text[at..]) {
            let Lack::Lines { told, .. } =
                what_the_window_lacked(text.as_bytes(), window.as_bytes(), words, 900, false)
            else {
                continue;
            };
            for line in told.lines().filter(|line| line.starts_with("  FAILED ")) {
                let [_, second] = line.split_whitespace().take(2).collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                let is_place = second.rsplit_once(':').is_some_and(|(_, end)| end.parse::<u32>().is_ok());
                assert!(!is_place || places.iter().any(|place| place == second), "{line} behind\n{window}");
            }
        }
    }
}

fn place(record: &Record<'_>) -> Option<String> {
    match &record.what {
        What::Test(test) => test.place.map(|place| format!("{}:{}", place.file, place.line)),
        _ => None,
    }
}

#[test]
fn of_a_report_what_its_digest_tells() {
    let passed: String = (0..40).map(|n| format!("test shapes::case_{n} ... ok\n")).collect();
    let said = "thread 'shapes::empty' panicked at src/shapes.rs:7:9:\nassertion `left == right` failed\n  left: 3\n right: 4\n";
    let summary = "\nfailures:\n    shapes::empty\n\ntest result: FAILED. 40 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let text = format!(
        "running 41 tests\n{passed}test shapes::empty ... FAILED\n\nfailures:\n\n---- shapes::empty stdout ----\n{said}\n{summary}"
    );
    let words = ["cargo", "test"].map(OsString::from);
    let lack = what_the_window_lacked(text.as_bytes(), summary.as_bytes(), &words, 900, false);
    let Lack::Lines { told: lacked, .. } = lack else { panic!("{lack:?}") };
    assert!(tokens::count(lacked.as_bytes()) <= BESIDE_TOTALS);
    for fact in ["src/shapes.rs:7", "left: 3", "right: 4"] {
        assert!(lacked.contains(fact), "{fact}: {lacked}");
    }
    assert!(!lacked.contains("case_7") && !lacked.contains("test result:"), "{lacked}");
}

/// A window that shows the totals shows mostly the names of what failed, too: a part of a long list again says nothing new.
#[test]
fn of_many_failures_the_first_are_told_in_full() {
    let block = |at: usize| {
        format!(
            "____ test_{at} ____\n\n    def test_{at}():\n>       assert f({at}) == {at}\nE       assert {} == {at}\n\ntests/a.py:{at}: AssertionError\n",
            at + 1
        )
    };
    let text = |most: usize| {
        let blocks: String = (1..=most).map(block).collect();
        let names: String = (1..=most)
            .map(|at| format!("FAILED tests/a.py::test_{at} - assert {} == {at}\n", at + 1))
            .collect();
        let totals = format!("==== short test summary info ====\n{names}==== {most} failed in 0.1s ====\n");
        (format!("==== FAILURES ====\n{blocks}{totals}"), totals)
    };
    let (many, totals) = text(90);
    let told = lacked(&many, &totals);
    assert!(
        told.starts_with("  FAILED tests/a.py::test_1 line 1\n    assert f(1) == 1\n    assert 2 == 1\n"),
        "{told}"
    );
    assert!(tokens::count(told.as_bytes()) <= BESIDE_TOTALS);
    let (few, totals) = text(9);
    let told = lacked(&few, &totals);
    assert!((1..=9).all(|at| told.contains(&format!("test_{at} line {at}"))), "{told}");
}

/// A reason without room is not one that was seen.
#[test]
fn with_no_room_a_failure_is_not_nothing() {
    let block = "____ test_a ____\n\n>   assert f() == 1\nE   assert 2 == 1\n\ntests/a_long_directory/of_some_more/test_a.py:3: AssertionError\n";
    let totals = "==== 1 failed in 0.1s ====\n";
    let text = format!("==== FAILURES ====\n{block}{totals}");
    for room in 0..60 {
        let lack = what_the_window_lacked(text.as_bytes(), totals.as_bytes(), &[], room, false);
        assert_ne!(lack, Lack::Nothing, "{room}");
    }
}

/// Two tests fail by the same words: those of the second, which the window shows, are told of the first as well.
#[test]
fn what_is_told_of_a_failure_has_no_holes() {
    let failure = |name: &str, line: u32| {
        format!(
            "---- {name} stdout ----\n\nthread '{name}' panicked at src/a.rs:{line}:5:\nassertion `left == right` failed\n  left: {line}\n right: 4\n\n"
        )
    };
    let window = format!(
        "{}\nfailures:\n    one\n    two\n\ntest result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        failure("two", 9)
    );
    let text = format!(
        "running 2 tests\ntest one ... FAILED\ntest two ... FAILED\n\nfailures:\n\n{}{window}",
        failure("one", 3)
    );
    let words = ["cargo", "test"].map(OsString::from);
    let Lack::Lines { told, .. } =
        what_the_window_lacked(text.as_bytes(), window.as_bytes(), &words, 900, false)
    else {
        panic!("nothing is told");
    };
    let expected =
        "  FAILED src/a.rs:3:5 one\n    assertion `left == right` failed\n      left: 3\n     right: 4\n";
    assert_eq!(told, expected);
}

/// With little room the reasons come first, the totals last; what is cut off is marked.
#[test]
fn with_little_room_reasons_are_told_and_not_names() {
    let reasons = "---- tests::boom stdout ----\n\nthread 'tests::boom' panicked at src/lib.rs:5:25:\nboom\nline2\n\n\
                   ---- tests::ink stdout ----\n\nthread 'tests::ink' panicked at src/lib.rs:3:51:\nassertion `left == right` failed: ink\n  left: 9\n right: 10\n\n";
    let totals =
        "test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
    let text = format!(
        "     Running unittests src/lib.rs (target/debug/deps/ink-dfacb9b121a1a6b4)\n\nrunning 2 tests\ntest tests::boom ... FAILED\n\
         test tests::ink ... FAILED\n\nfailures:\n\n{reasons}\nfailures:\n    tests::boom\n    tests::ink\n\n{totals}\nerror: test failed, to rerun pass `--lib`\n"
    );
    let words = ["cargo", "test"].map(OsString::from);
    let [first, second] = [
        "  FAILED src/lib.rs:5:25 tests::boom\n    boom\n    line2\n",
        "  FAILED src/lib.rs:3:51 tests::ink\n    assertion `left == right` failed: ink\n      left: 9\n     right: 10\n",
    ];
    for window in ["error: test failed, to rerun pass `--lib`\n", &text[text.find("test result").unwrap()..]]
    {
        for (room, expected, all) in
            [(70, first.to_owned() + second, true), (26, format!("{first}  …\n"), false)]
        {
            let lack = what_the_window_lacked(text.as_bytes(), window.as_bytes(), &words, room, false);
            let Lack::Lines { told, is_whole } = lack else { panic!("{lack:?}") };
            assert_eq!((told, is_whole), (expected, all), "{room} tokens behind\n{window}");
        }
    }
}

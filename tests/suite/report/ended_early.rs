//! Runs that were stopped, that died, or whose runner was told not to sum up: what had failed, and what had begun, is told.

use llm_toto::report::Options;

use super::{digest, digest_by};

fn passed(line: impl Fn(usize) -> String) -> String {
    (0..20).map(|at| line(at) + "\n").collect()
}

fn of(words: &[&str], text: &str) -> Option<String> {
    let words: Vec<_> = words.iter().map(Into::into).collect();
    digest_by(text, &words, &Options::default()).map(|digest| digest.text)
}

fn has(told: &str, facts: &[&str]) {
    for fact in facts {
        assert!(told.contains(fact), "{fact}:\n{told}");
    }
}

/// pytest prints neither blocks nor a summary when it dies, or with `--tb=no -rN`.
#[test]
fn pytest_tells_tests_by_their_verbose_lines_where_nothing_else_does() {
    let ok = passed(|at| format!("test_h.py::test_ok[{at}] PASSED                  [  {at}%]"));
    let head = "============================= test session starts ==============================\ncollected 22 items\n\n";
    let failed =
        "test_h.py::test_bad FAILED                         [ 95%]\ntest_h.py::test_db ERROR   [ 97%]\n";
    let open = "test_h.py::test_waits_for_the_server ";
    let died = of(&["pytest", "-v"], &format!("{head}{ok}{failed}{open}\n")).unwrap();
    has(&died, &["FAILED test_h.py::test_bad\n", "ERROR test_h.py::test_db\n", open.trim()]);
    let total = "=================== 1 failed, 20 passed, 1 error in 0.33s ====================\n";
    let told = of(&["pytest", "-v"], &format!("{head}{ok}{failed}\n{total}")).unwrap();
    has(&told, &["FAILED test_h.py::test_bad\n", "ERROR test_h.py::test_db\n"]);
    // xdist names each test when it begins and when it has ended.
    let pair = passed(|at| {
        format!("test_h.py::test_ok[{at}] \n[gw{}] [ 4%] PASSED test_h.py::test_ok[{at}] ", at % 2)
    });
    let told = of(&["pytest", "-v", "-n2"], &format!("{head}{pair}{open}\n")).unwrap();
    assert!(told.contains(open.trim()) && !told.contains("test_ok"), "{told}");
}

#[test]
fn a_test_of_go_that_has_begun_and_not_ended_is_told() {
    let ok = passed(|at| format!("=== RUN   TestA{at}\n--- PASS: TestA{at} (0.00s)"));
    let failed = "=== RUN   TestB\n    g_test.go:23: no\n--- FAIL: TestB (0.00s)\n";
    let told = of(&["go", "test", "-v"], &format!("{ok}{failed}=== RUN   TestConnects\n")).unwrap();
    has(&told, &["g_test.go:23 TestB", "=== RUN   TestConnects\n"]);
    assert!(!told.contains("TestA") && !told.contains("=== RUN   TestB"), "{told}");
}

#[test]
fn a_class_of_surefire_that_has_begun_and_not_ended_is_told() {
    let ok = passed(|at| {
        let class = format!("com.example.A{at}Test");
        format!(
            "[INFO] Running {class}\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in {class}"
        )
    });
    let failed = "[INFO] Running com.example.BadTest\n[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.example.BadTest\n[ERROR] com.example.BadTest.adds -- Time elapsed: 0.01 s <<< FAILURE!\njava.lang.AssertionError: no\n\tat com.example.BadTest.adds(BadTest.java:11)\n\n";
    let told = of(&["mvn", "test"], &format!("{ok}{failed}[INFO] Running com.example.HangTest\n")).unwrap();
    has(&told, &["BadTest.java:11", "Running com.example.HangTest"]);
    assert!(!told.contains("A7Test") && !told.contains("Running com.example.BadTest"), "{told}");
}

/// TAP's plan says how many results were to come.
#[test]
fn a_plan_whose_results_did_not_all_come_is_told() {
    let ok = passed(|at| format!("ok {} loads module {at}", at + 1));
    let text =
        format!("1..30\n{ok}not ok 21 bad\n# (in test file a.bats, line 21)\n#   `[ 1 -eq 2 ]' failed\n");
    has(&of(&["bats", "a.bats"], &text).unwrap(), &["1..30", "FAILED bad"]);
    let whole = text.replace("1..30", "1..21");
    assert!(!of(&["bats", "a.bats"], &whole).unwrap().contains("1..21"));
}

/// Two runs of mocha in one text: the totals of the second are not those of all.
#[test]
fn two_runs_of_mocha_are_not_told_as_one() {
    let ok = passed(|at| format!("      ✔ works {at}"));
    let first = format!(
        "> api@1.0.0 test\n\n  Array\n{ok}      1) should fail\n\n\n  20 passing (12ms)\n  1 failing\n\n  1) Array\n       should fail:\n     AssertionError: no\n      at Context.<anonymous> (test/a.js:9:14)\n\n"
    );
    let text = format!("{first}> web@1.0.0 test\n\n  Web\n{ok}\n\n  20 passing (8ms)\n\n");
    if let Some(told) = digest(&text) {
        let [failing, second] = ["1 failing", "20 passing (8ms)"].map(|line| told.text.find(line).unwrap());
        assert!(failing < second, "{}", told.text);
    }
}

/// What a difference shows may look like lines of progress.
#[test]
fn ticks_within_a_difference_are_part_of_it() {
    let block = |name: &str, line: usize, said: &str| {
        format!(
            "  ● {name}\n\n    expect(received).toBe(expected) // Object.is equality\n\n{said}\n    > {line} | test('{name}',()=>{{}});\n         |                ^\n\n      at Object.toBe (t/c.test.js:{line}:39)\n\n"
        )
    };
    let list = "    - Expected  - 1\n    + Received  + 1\n\n      a\n       ✓ b\n    - ✓ c\n    + ✕ c\n";
    let exits = "  ●  process.exit called with \"3\"\n\n    > 29 | test('exits',()=>{process.exit(3)});\n         |                           ^\n\n      at Object.exit (t/c.test.js:29:27)\n";
    let text = format!(
        "FAIL t/c.test.js\n{}{}{exits}",
        block("log", 21, list),
        block("bad", 25, "    Expected: 2\n    Received: 1\n")
    );
    let told = of(&["jest"], &text).unwrap();
    has(&told, &["✓ b", "+ ✕ c", "t/c.test.js:21:39 log", "t/c.test.js:25:39 bad", "process.exit called"]);
    assert!(!told.contains("passing"), "{told}");
    let bad = &told[told.find("bad").unwrap()..told.find("process.exit").unwrap()];
    assert!(bad.contains("test('bad'") && !bad.contains("test('exits'"), "{told}");
}

/// A time limit, or a panic of another goroutine, follows the last failure without a blank line.
#[test]
fn a_panic_that_no_test_recovered_is_not_that_of_the_failure_above() {
    let stack = "goroutine 5 [running]:\ntesting.(*M).startAlarm.func1()\n\t/usr/lib/go-1.19/src/testing/testing.go:2036 +0x8e\n\ngoroutine 19 [sleep]:\nexample.com/g/b.TestHang(0x0?)\n\t/srv/g/b/b_test.go:4 +0x25\nFAIL\texample.com/g/b\t2.006s\nFAIL\n";
    let failed = "--- FAIL: TestA (0.00s)\n    b_test.go:3: a is wrong\n";
    for panic in ["panic: test timed out after 2s", "fatal error: all goroutines are asleep - deadlock!"] {
        let told = of(&["go", "test"], &format!("{failed}{panic}\n\n{stack}")).unwrap();
        has(
            &told,
            &["FAILED b_test.go:3 TestA", &format!("ERROR /srv/g/b/b_test.go:4 {panic} in TestHang\n")],
        );
    }
    let printed = format!("=== RUN   TestB\npanic: said a test\n--- PASS: TestB (0.00s)\n{failed}FAIL\n");
    assert!(!of(&["go", "test", "-v"], &printed).unwrap_or_default().contains("ERROR"), "{printed}");
    let recovered = "--- FAIL: TestA (0.00s)\npanic: boom [recovered]\n\tpanic: boom\n\n";
    let told = of(&["go", "test"], &format!("{recovered}{stack}")).unwrap();
    assert!(told.contains("TestA") && !told.contains("ERROR"), "{told}");
}

/// Tests that are still to do, and tests that passed and should not have, are what their runner says.
#[test]
fn tests_that_should_not_pass_yet_are_no_failures() {
    let block = |at: usize| {
        format!(
            "  ---\n  location: '/srv/a.test.mjs:{at}:3'\n  error: 'no {at}'\n  code: 'ERR_ASSERTION'\n  ...\n"
        )
    };
    let text = format!(
        "TAP version 13\n# Subtest: bad\nnot ok 1 - bad\n{}# Subtest: todo\nnot ok 2 - todo # TODO later\n{}1..2\n# tests 2\n# fail 1\n# todo 1\n",
        block(5),
        block(6)
    );
    let told = of(&["node", "--test"], &text).unwrap();
    has(
        &told,
        &["FAILED /srv/a.test.mjs:5:3 bad\n", "failed as expected:\n  /srv/a.test.mjs:6:3 todo: TODO later"],
    );
    let bad = &told[told.find("FAILED").unwrap()..told.find("failed as expected").unwrap()];
    assert!(!bad.contains("no 6"), "{told}");
    let text = "============================= test session starts ==============================\ncollected 3 items\n\ntests/t.py xXX [100%]\n\n\
        =========================== short test summary info ============================\nXFAIL tests/t.py::test_a - bug 1\nXPASS tests/t.py::test_b - bug 2\nXPASS tests/t.py::test_c - bug 3\n\
        ======================== 1 xfailed, 2 xpassed in 0.02s =========================\n";
    let told = of(&["pytest", "-rA"], text).unwrap_or_else(|| text.to_owned());
    has(&told, &["\nXPASS tests/t.py::test_b - bug 2\n", "\nXPASS tests/t.py::test_c - bug 3\n"]);
    assert!(!told.contains("test_a: XPASS"), "{told}");
}

/// A test whose teardown failed may have passed.
#[test]
fn an_error_in_a_teardown_says_so() {
    let text = "==================================== ERRORS ====================================\n\
        _____________________ ERROR at teardown of test_tear _____________________\n\n    @pytest.fixture\n    def db():\n        yield\n>       raise ValueError(\"broke\")\nE       ValueError: broke\n\ntests/t.py:49: ValueError\n\
        =========================== short test summary info ============================\nERROR tests/t.py::test_tear - ValueError: broke\n\
        ========================= 1 passed, 1 error in 0.02s ==========================\n";
    has(&of(&["pytest"], text).unwrap(), &["ERROR tests/t.py::test_tear (teardown) line 49"]);
}

/// Of surefire: `Run 1: …` belongs to a flaky test, `mvn <args> -rf :core` is Maven's.
#[test]
fn lines_of_surefire_that_name_no_test_are_no_failures() {
    let text = "[INFO] Running com.x.ATest\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.x.ATest\n\
        [ERROR] com.x.ATest.bad -- Time elapsed: 0.005 s <<< FAILURE!\norg.opentest4j.AssertionFailedError: sum ==> expected: <4> but was: <3>\n\tat com.x.ATest.bad(ATest.java:9)\n\n\
        [INFO] Results:\n[INFO] \n[WARNING] Flakes: \n[WARNING] com.x.FlakyTest.sometimes\n[ERROR]   Run 1: FlakyTest.sometimes:20 expected: <1> but was: <0>\n[INFO]   Run 2: PASS\n\
        [ERROR] Failures: \n[ERROR]   ATest.bad:9 sum ==> expected: <4> but was: <3>\n[INFO] \n[ERROR] Tests run: 10, Failures: 1, Errors: 0, Skipped: 0, Flakes: 1\n[INFO] \n\
        [ERROR] After correcting the problems, you can resume the build with the command\n[ERROR]   mvn <args> -rf :core\n";
    let told = of(&["mvn", "test"], text).unwrap();
    assert!(told.starts_with("[ERROR] Tests run: 10, Failures: 1"), "{told}");
    has(
        &told,
        &[
            "FAILED ATest.java:9 com.x.ATest.bad",
            "[ERROR]   Run 1: FlakyTest",
            "[ERROR]   mvn <args> -rf :core",
        ],
    );
    assert!(!told.contains("FAILED Run") && !told.contains("FAILED mvn"), "{told}");
}

/// What another program says in front of a session has no id of pytest's.
#[test]
fn a_line_in_front_of_a_session_is_no_test_of_it() {
    let ok = passed(|at| format!("test_h.py::test_ok[{at}] PASSED                  [  {at}%]"));
    let session = format!(
        "============================= test session starts ==============================\ncollected 20 items\n\n{ok}\n\
         ============================== 20 passed in 0.03s ==============================\n"
    );
    for line in ["lint: check FAILED\n", "step::check FAILED\n"] {
        let text = format!("{line}{session}");
        let told = of(&["make"], &text).unwrap_or(text);
        assert!(
            told.contains(line) && !told.contains("FAILED lint") && !told.contains("FAILED step"),
            "{told}"
        );
    }
}

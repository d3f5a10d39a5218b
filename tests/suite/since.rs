//! The same command again in one session: its report says what changed, and tells only what is new.

use std::fs;

use crate::harness::{Sandbox, run};

/// A tool by the name of `pytest` that prints the file `now`, and fails with its first line's status.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool("pytest", "read -r status < now; /usr/bin/tail -n +2 now; exit $status");
    sandbox.link("pytest");
    sandbox
}

/// A run of 40 tests of which those fail that are named with the value that each asserts.
fn printed(failed: &[(&str, u32)]) -> String {
    let mut text = format!(
        "{}\n============================= test session starts ==============================\n\
         platform linux -- Python 3.12.3, pytest-8.3.4, pluggy-1.5.0\nrootdir: /srv/shop\ncollected 40 items\n\n\
         tests/test_cart.py {}{}\n\n",
        i32::from(!failed.is_empty()),
        "F".repeat(failed.len()),
        ".".repeat(40 - failed.len()),
    );
    if !failed.is_empty() {
        text += "=================================== FAILURES ===================================\n";
    }
    for (name, value) in failed {
        text += &format!(
            "____________________________ {name} ____________________________\n\n    def {name}():\n        \
             basket = Basket(\"EUR\")\n        basket.add(\"pen\", {value})\n>       assert basket.total() == {value}\n\
             E       assert 0 == {value}\nE        +  where 0 = total()\n\ntests/test_cart.py:{value}: AssertionError\n"
        );
    }
    if !failed.is_empty() {
        text += "=========================== short test summary info ============================\n";
    }
    for (name, value) in failed {
        text += &format!("FAILED tests/test_cart.py::{name} - assert 0 == {value}\n");
    }
    let counts = if failed.is_empty() { String::new() } else { format!("{} failed, ", failed.len()) };
    let line = format!("{counts}{} passed in 0.12s", 40 - failed.len());
    text + &format!("======================== {line} =========================\n")
}

/// What the agent reads of one run in this session.
fn told(sandbox: &Sandbox, session: &str, arguments: &[&str], failed: &[(&str, u32)]) -> String {
    fs::write(sandbox.work().join("now"), printed(failed)).unwrap();
    let mut command = sandbox.command("pytest");
    command.args(arguments).env("TOTO", "on").env("TOTO_SESSION", session);
    run(&mut command).exits(i32::from(!failed.is_empty())).out()
}

const THREE: [(&str, u32); 3] = [("test_sum", 12), ("test_tax", 30), ("test_label", 48)];

#[test]
fn what_was_told_keeps_its_line_and_what_is_new_comes_first() {
    let sandbox = sandbox();
    let first = told(&sandbox, "a", &[], &THREE);
    assert!(first.starts_with("3 failed, 37 passed"), "{first}");
    let id = first.rsplit("toto show ").next().unwrap().trim_end_matches([')', '\n']).to_owned();
    let second = told(&sandbox, "a", &[], &[("test_new", 7), ("test_tax", 30), ("test_label", 49)]);
    assert!(second.starts_with("3 failed → 3 failed: 1 mended, 1 new\n3 failed, 37 passed"), "{second}");
    let (new, before) = second.split_once(&format!("\nas before: toto show {id}\n")).expect(&second);
    // The reason of test_label is another one, so that it is told again.
    for told in
        ["tests/test_cart.py::test_new", "assert 0 == 7", "tests/test_cart.py::test_label", "assert 0 == 49"]
    {
        assert!(new.contains(told), "{told}\n{second}");
    }
    assert!(before.contains("tests/test_cart.py::test_tax line 30"), "{second}");
    assert!(!second.contains("0 == 30"), "{second}");
    // The run before, whole.
    let shown = run(sandbox.toto(["show", &id]).env("TOTO_SESSION", "a").env("TOTO", "off")).ok().out();
    assert!(shown.contains("assert 0 == 30") && shown.contains("test_sum"), "{shown}");
    let third = told(&sandbox, "a", &[], &[]);
    assert!(third.starts_with("3 failed → all passed\n40 passed"), "{third}");
    // Nothing to tell of two runs that passed.
    assert!(!told(&sandbox, "a", &[], &[]).contains('→'));
}

#[test]
fn another_session_directory_or_command_is_compared_with_nothing() {
    let sandbox = sandbox();
    told(&sandbox, "a", &[], &THREE);
    for (session, arguments) in [("b", &[][..]), ("a", &["-q"]), ("a", &["tests"])] {
        let other = told(&sandbox, session, arguments, &THREE);
        assert!(!other.contains('→') && other.contains("assert 0 == 30"), "{session} {arguments:?}\n{other}");
    }
    let elsewhere = sandbox.work().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("now"), printed(&THREE)).unwrap();
    let mut command = sandbox.command("pytest");
    command.current_dir(&elsewhere).env("TOTO", "on").env("TOTO_SESSION", "a");
    let other = run(&mut command).exits(1).out();
    assert!(!other.contains('→') && other.contains("assert 0 == 30"), "{other}");
}

#[test]
fn a_run_that_was_cut_off_is_compared_with_nothing() {
    let sandbox = sandbox();
    told(&sandbox, "a", &[], &THREE);
    // The totals are missing.
    let text = printed(&THREE);
    let cut = text.rsplit_once("=======================").unwrap().0.trim_end_matches('=').to_owned();
    fs::write(sandbox.work().join("now"), cut).unwrap();
    let mut command = sandbox.command("pytest");
    command.env("TOTO", "on").env("TOTO_SESSION", "a");
    let out = run(&mut command).exits(1).out();
    assert!(!out.contains('→') && out.contains("assert 0 == 30"), "{out}");
}

#[test]
fn the_run_before_one_that_is_too_large_to_read_is_compared_with_nothing() {
    let sandbox = sandbox();
    told(&sandbox, "a", &[], &THREE);
    fs::write(sandbox.work().join("now"), "1\n").unwrap();
    sandbox.tool(
        "pytest",
        "read -r status < now; [ -s more ] && yes 'a line' | head -c 70000000; /usr/bin/tail -n +2 now; exit $status",
    );
    fs::write(sandbox.work().join("more"), "x").unwrap();
    run(sandbox.command("pytest").env("TOTO", "on").env("TOTO_SESSION", "a")).exits(1);
    fs::remove_file(sandbox.work().join("more")).unwrap();
    let later = told(&sandbox, "a", &[], &THREE[..1]);
    assert!(!later.contains('→') && later.contains("assert 0 == 12"), "{later}");
}

#[test]
fn a_report_is_compared_with_a_saved_run_by_its_id() {
    let sandbox = sandbox();
    let first = told(&sandbox, "default", &[], &THREE);
    let id = first.rsplit("toto show ").next().unwrap().trim_end_matches([')', '\n']).to_owned();
    let now = sandbox.home_file("now.txt", printed(&THREE[1..]).split_once('\n').unwrap().1);
    let file = now.to_str().unwrap();
    let out = run(&mut sandbox.toto(["report", "--since", &id, file])).ok().out();
    assert!(out.starts_with("3 failed → 2 failed: 1 mended, none new\n"), "{out}");
    let bad = run(&mut sandbox.toto(["report", "--since", "zzzzz", file])).exits(2);
    assert!(bad.err().contains("no saved output zzzzz"), "{}", bad.err());
}

/// A run that stopped in its collection ran no test: none is mended by it, and none is new behind it.
#[test]
fn a_run_in_which_no_test_ran_is_compared_with_nothing() {
    let sandbox = sandbox();
    let stopped = "2\n============================= test session starts ==============================\ncollected 0 items / 1 error\n\n\
        ==================================== ERRORS ====================================\n\
        ____________________ ERROR collecting tests/test_cart.py ____________________\n\
        tests/test_cart.py:3: in <module>\n    import shop\nE   ModuleNotFoundError: No module named 'shop'\n\
        =========================== short test summary info ============================\nERROR tests/test_cart.py\n\
        !!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!\n\
        =============================== 1 error in 0.10s ===============================\n";
    told(&sandbox, "a", &[], &THREE);
    fs::write(sandbox.work().join("now"), stopped).unwrap();
    let second = run(sandbox.command("pytest").env("TOTO", "on").env("TOTO_SESSION", "a")).exits(2).out();
    let third = told(&sandbox, "a", &[], &THREE);
    for text in [&second, &third] {
        assert!(!text.contains('→') && !text.contains("as before"), "{text}");
    }
}

/// A test that is expected to fail has run.
#[test]
fn a_test_that_is_now_expected_to_fail_ran() {
    let sandbox = sandbox();
    told(&sandbox, "a", &[], &THREE);
    let text = printed(&THREE[..2]).replace("38 passed", "37 passed, 1 xfailed");
    fs::write(sandbox.work().join("now"), text).unwrap();
    let second = run(sandbox.command("pytest").env("TOTO", "on").env("TOTO_SESSION", "a")).exits(1).out();
    assert!(second.starts_with("3 failed → 2 failed: 1 mended, none new\n"), "{second}");
}

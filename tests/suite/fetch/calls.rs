//! From command lines to processes: words, places, and how many run at a time.

use std::time::{Duration, Instant};

use super::{each, fetch, read, regions, seen};
use crate::harness::{Sandbox, run, run_with};

#[test]
fn what_needs_a_shell_is_refused_before_anything_runs() {
    let sandbox = Sandbox::new();
    let ran = sandbox.home().join("ran");
    sandbox.tool("touch-it", "touch \"$HOME/ran\"");
    for (args, message) in [
        (
            &["touch-it", "a | b"][..],
            "call 2 (`a | b`), column 3: no shell runs this, so `|` does nothing; quote it to pass it on as it is",
        ),
        (
            &["touch-it", "a 2>/dev/null"],
            "call 2 (`a 2>/dev/null`), column 3: no shell runs this, so `>` does",
        ),
        (&["touch-it", "a 'b"], "call 2 (`a 'b`), column 3: the quote ' is not closed"),
        (&["touch-it", " "], "call 2 (` `), no command in it"),
        (&["touch-it", "A=1"], "no command in `A=1`"),
        (&[], "nothing to fetch: "),
        (&["--", "touch-it"], "`--` goes with --each"),
        (&["--each", "a"], "--each needs a command"),
        (&["--each", "a,b", "--", "touch-it"], "the command has no {} for"),
        (&["--each", "a,,b", "--", "touch-it", "{}"], "--each has an empty value"),
        (&["--each", "a", "touch-it {}", "touch-it {}"], "--each takes one command"),
        (&["--jobs", "0", "touch-it"], "invalid value '0' for '--jobs <N>'"),
    ] {
        let outcome = seen(&sandbox, args).exits(2);
        assert!(outcome.err().starts_with(&format!("toto: {message}")), "{}", outcome.err());
        assert_eq!((outcome.err().lines().count(), outcome.out().as_str()), (1, ""));
        assert!(!ran.exists(), "{args:?}");
    }
}

#[test]
fn words_variables_and_places_arrive_as_they_were_written() {
    let sandbox = Sandbox::new();
    sandbox.tool("show", "for word; do echo \"<$word>\"; done; echo \"$PROFILE/${TOTO-unset}\"; cat");
    let line = "PROFILE='a b' show 'x | y' \"\\$HOME\" * a\\ b";
    let mut command = fetch(&sandbox, &[line]);
    let out = run_with(&mut command, b"standard input is not the tools'").ok().out();
    assert_eq!(
        out,
        format!(
            "==> {} <==\n<x | y>\n<$HOME>\n<*>\n<a b>\na b/unset\n",
            "PROFILE=a b show x | y $HOME * a b"
        )
    );
    let out = seen(&sandbox, &["--each", "1,2", "PROFILE=p{} show {}-{}"]).ok().out();
    assert_eq!(out, "==> 1 <==\n<1-1>\np1/unset\n==> 2 <==\n<2-2>\np2/unset\n");
}

#[test]
fn a_shim_is_passed_by() {
    let sandbox = regions();
    sandbox.link("aws");
    let (with, without) =
        (seen(&sandbox, &each("us-east-1,bad", &[])), seen(&regions(), &each("us-east-1,bad", &[])));
    assert_eq!((with.out(), with.code()), (without.out(), 254));
    let only_shim = Sandbox::new();
    only_shim.link("aws");
    assert!(seen(&only_shim, &["aws x"]).exits(127).err().contains("not found on PATH behind its shim"));
}

#[test]
fn a_hundred_calls_run_eight_at_a_time_and_come_in_order() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "one",
        "echo + >> \"$HOME/log\"; sleep 0.0$(($1 % 7)); echo - >> \"$HOME/log\"; echo \"{\\\"n\\\":$1}\"",
    );
    sandbox.home_file("log", "");
    let numbers: Vec<String> = (0..100).map(|n| n.to_string()).collect();
    let outcome = read(&sandbox, &["--each", &numbers.join(","), "--", "one", "{}"]).ok();
    let expected: Vec<String> = (0..100).map(|n| format!("\"{n}\":{{\"n\":{n}}}")).collect();
    assert_eq!(outcome.out(), format!("{{{}}}\n", expected.join(",")));
    let log = std::fs::read_to_string(sandbox.home().join("log")).unwrap();
    let (mut running, mut most) = (0, 0);
    for line in log.lines() {
        running += if line == "+" { 1 } else { -1 };
        most = most.max(running);
    }
    assert!(running == 0 && (2..=8).contains(&most), "{most} at a time");
}

#[test]
fn one_job_is_one_after_another() {
    let sandbox = Sandbox::new();
    sandbox
        .tool("one", "test ! -e \"$HOME/busy\" || exit 9; : > \"$HOME/busy\"; sleep 0.02; rm \"$HOME/busy\"");
    read(&sandbox, &["-j", "1", "--each", "1,2,3,4,5", "--", "one", "{}"]).ok();
}

#[test]
fn without_descriptors_to_be_had_it_says_so_and_ends() {
    let sandbox = Sandbox::new();
    let script = format!("ulimit -n 8; exec '{}' fetch --each 1,2 -- echo {{}}", env!("CARGO_BIN_EXE_toto"));
    let start = Instant::now();
    let outcome = run(sandbox.shell("sh", &script).env("TOTO", "on")).exits(126);
    assert!(outcome.err().starts_with("==> 1, 2: cannot be started: "), "{}", outcome.err());
    assert!(start.elapsed() < Duration::from_secs(10));
    let script = format!(
        "ulimit -n 24; exec '{}' fetch --jobs 40 --each {} -- echo {{}}",
        env!("CARGO_BIN_EXE_toto"),
        "1,".repeat(39) + "2"
    );
    assert!(run(sandbox.shell("sh", &script).env("TOTO", "on")).ok().out().contains("==> 2 <==\n2\n"));
}

/// Each saved output was held open until the end, so that with many of them the files of filters could not be opened.
#[test]
fn many_large_outputs_need_few_descriptors() {
    let sandbox = Sandbox::new();
    let row = "row $1 $i $((i * 7919 % 1000)) $((i * $1 % 977)) a$((i * i % 4999)) and words";
    sandbox.tool("rows", &format!("i=0; while [ $i -lt 900 ]; do echo \"{row}\"; i=$((i + 1)); done"));
    let script = format!(
        "ulimit -n 32; exec '{}' fetch --jobs 2 --each {} -- rows {{}}",
        env!("CARGO_BIN_EXE_toto"),
        (1..=40).map(|call| call.to_string()).collect::<Vec<_>>().join(",")
    );
    let outcome = run(sandbox.shell("sh", &script).env("TOTO", "on")).ok();
    assert_eq!(outcome.out().matches("toto show").count(), 40, "every output is saved: {}", outcome.out());
    assert!(!outcome.err().contains("Too many open files"), "{}", outcome.err());
}

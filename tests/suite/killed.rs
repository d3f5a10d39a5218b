//! Somebody is killed, or told to end: what was read is not lost.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{run, spawn, until};
use crate::large::{LINES, captured, kept, sandbox, saved, send};

#[test]
fn what_was_read_is_in_the_file_when_the_shim_is_killed() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 5000000; echo >ready; sleep 60");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    until(|| (saved(&sandbox).len() == 5_000_000).then_some(()));
    send("-KILL", &shim);
    shim.wait().unwrap();
    assert_eq!(saved(&sandbox).len(), 5_000_000);
    assert_eq!(kept(&sandbox).len(), 1, "no temporary file is left");
    // Found, and not pruned, although its end was never written down.
    assert_eq!(run(&mut sandbox.toto(["show", "last"])).ok().out.len(), 5_000_000);
}

#[test]
fn what_a_killed_tool_said_is_told() {
    let sandbox = sandbox(&format!("{LINES}; echo 'fatal: out of memory'; {LINES}; kill -9 $$"));
    let outcome = run(&mut captured(&sandbox));
    assert!(outcome.out().contains("\nfatal: out of memory\n"), "{}", outcome.out());
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&outcome.status), Some(9));
}

#[test]
fn told_to_end_what_there_is_goes_out_at_once() {
    // The tool takes its time, which is as long as nothing was read; the agent does not.
    let body = format!(
        "trap 'until [ -e read ]; do sleep 0.02; done; echo cleaned up; exit 9' TERM; {LINES}; echo >ready; sleep 30 & wait"
    );
    let sandbox = sandbox(&body);
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    sleep(Duration::from_millis(150));
    send("-TERM", &shim);
    let mut stdout = shim.stdout.take().unwrap();
    let mut first = [0; 18];
    stdout.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"Output buffered to");
    fs::write(sandbox.work().join("read"), "").unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("cleaned up\n"), "{rest}");
    assert_eq!(shim.wait().unwrap().code(), Some(9));
}

#[test]
fn tool_and_shim_killed_together() {
    let sandbox = sandbox("echo $$ >pid; yes 0123456789abcdef | head -c 3000000; echo >ready; sleep 60");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    until(|| (saved(&sandbox).len() == 3_000_000).then_some(()));
    let tool = fs::read_to_string(sandbox.work().join("pid")).unwrap();
    let both = [tool.trim(), &shim.id().to_string()].map(str::to_owned);
    assert!(Command::new("kill").arg("-KILL").args(&both).status().unwrap().success());
    shim.wait().unwrap();
    assert_eq!((saved(&sandbox).len(), kept(&sandbox).len()), (3_000_000, 1));
}

#[test]
fn a_few_lines_of_a_tool_that_was_killed_early_are_found() {
    let sandbox = sandbox("echo first; echo second; sleep 60");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    // Long before two seconds: `timeout -s KILL 1 make`.
    let start = Instant::now();
    until(|| (kept(&sandbox).len() == 1 && saved(&sandbox) == b"first\nsecond\n").then_some(()));
    let took = start.elapsed();
    shim.kill().unwrap();
    shim.wait().unwrap();
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(run(&mut sandbox.toto(["show", "last"])).ok().out(), "first\nsecond\n");
    let history = run(&mut sandbox.toto(["history"])).ok().out();
    assert!(history.contains("make") && history.contains("running or killed"), "{history}");
}

#[test]
fn a_live_copy_is_shown_while_its_tool_runs() {
    let sandbox = sandbox("echo first; until [ -e go ]; do sleep 0.05; done; echo second");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    until(|| (kept(&sandbox).len() == 1 && saved(&sandbox) == b"first\n").then_some(()));
    assert_eq!(run(&mut sandbox.toto(["show", "last"])).ok().out(), "first\n");
    // Cleaning up leaves it alone.
    run(&mut sandbox.toto(["clean", "--all"])).ok();
    assert_eq!(kept(&sandbox).len(), 1);
    fs::write(sandbox.work().join("go"), "").unwrap();
    let mut out = String::new();
    shim.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!((out.as_str(), shim.wait().unwrap().code()), ("first\nsecond\n", Some(0)));
    assert!(kept(&sandbox).is_empty());
}

/// Said at any other time, the line stands above a finished output for ever, and is no longer true.
#[test]
fn that_a_tool_still_runs_is_said_once_and_only_before_its_host_gives_up() {
    let sandbox = sandbox("echo first; sleep 1.6; echo second; sleep 1.2; echo third");
    let told = |limits: &[(&str, &str)]| {
        let outcome = run(captured(&sandbox).envs(limits.iter().copied())).ok();
        assert_eq!(outcome.out(), "first\nsecond\nthird\n");
        outcome.err()
    };
    let line = told(&[("TOTO_TIME_LIMIT", "3")]);
    let path =
        line.strip_prefix("[toto] still running; its output so far: ").unwrap_or_else(|| panic!("{line}"));
    assert!(
        path.contains("/outputs/default/") && path.contains("-make-") && path.ends_with(".out\n"),
        "{line}"
    );
    assert_eq!(told(&[]) + &told(&[("TOTO_TIME_LIMIT", "9")]) + &told(&[("TOTO_TIME_LIMIT", "1")]), "");
}

/// `timeout 60 make`, whose host waits no longer, while the tool takes its time to clean up.
#[test]
fn that_a_tool_goes_on_is_said_where_its_end_was_asked_for() {
    let sandbox =
        sandbox("trap 'sleep .5; echo cleaned up; exit 9' TERM; echo first; echo >ready; sleep 30 & wait");
    let shim = spawn(captured(&sandbox).stdout(Stdio::piped()).stderr(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    send("-TERM", &shim);
    let outcome = shim.wait_with_output().unwrap();
    assert_eq!(outcome.stdout, b"first\ncleaned up\n");
    assert_eq!(
        String::from_utf8_lossy(&outcome.stderr),
        "[toto] still running; its output so far is above\n"
    );
}

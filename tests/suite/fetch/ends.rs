//! Signals, readers that leave, descendants that stay.

use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{fetch, read, seen};
use crate::harness::{Sandbox, run, spawn, state, until};

/// Starts `toto fetch` in its own process group and waits until its calls have written their names to $HOME/started.
fn started(sandbox: &Sandbox, args: &[&str], calls: usize) -> Child {
    let mut command = fetch(sandbox, args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = spawn(&mut command);
    let started = sandbox.home().join("started");
    until(|| fs::read_to_string(&started).is_ok_and(|text| text.lines().count() == calls).then_some(()));
    child
}

fn signal(name: &str, target: &str) {
    assert!(Command::new("kill").args([name, "--", target]).status().unwrap().success());
}

fn ended(mut child: Child) -> (Option<i32>, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().signal(), out, err)
}

/// `done` ends at once; `long` is a sleep; `stubborn` counts its signals and goes on.
fn workers() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "work",
        "trap 'n=$((n+1)); echo got $n' TERM\n\
         [ $1 = done ] && echo '{\"v\":1}'\n\
         [ $1 = done ] || echo part of $1\n\
         echo $$ $1 >> \"$HOME/started\"\n\
         [ $1 = done ] && exit 0\n\
         [ $1 = long ] && exec sleep 60\n\
         while :; do sleep 0.01; done",
    );
    sandbox
}

#[test]
fn a_signal_ends_the_calls_and_what_there_is_goes_out() {
    let args = ["--jobs", "2", "--each", "done,long,stubborn,later", "--", "work", "{}"];
    for (name, number, group) in [("-TERM", 15, ""), ("-TERM", 15, "-"), ("-INT", 2, "")] {
        let sandbox = workers();
        let child = started(&sandbox, &args, 3);
        signal(name, &format!("{group}{}", child.id()));
        let (signal, out, err) = ended(child);
        assert_eq!(signal, Some(number), "{out}{err}");
        assert!(out.contains("done.v=1") || out.contains("{\"v\":1}"), "{out}");
        assert!(out.contains("==> long <==\npart of long\n"), "{out}");
        let got = if name == "-TERM" { "got 1\n" } else { "" };
        assert!(
            out.contains(&format!("==> stubborn <==\npart of stubborn\n{got}")) && !out.contains("got 2"),
            "{out}"
        );
        assert!(err.contains("==> later: interrupted, not started <=="), "{err}");
        let end = if name == "-TERM" {
            "==> long: killed by signal 15 <==\n==> stubborn: interrupted, not finished <==\n"
        } else {
            "==> long, stubborn: killed by signal 2 <==\n"
        };
        assert!(err.starts_with(end), "{err}");
        let pids = fs::read_to_string(sandbox.home().join("started")).unwrap();
        for line in pids.lines() {
            let pid = line.split(' ').next().unwrap().parse().unwrap();
            until(|| state(pid).is_none().then_some(()));
        }
    }
}

#[test]
fn who_reads_no_more_ends_the_calls() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "work",
        "echo $$ >> \"$HOME/started\"; trap '' TERM; while :; do echo more || exit; sleep 0.01; done",
    );
    let mut child = started(&sandbox, &["--jobs", "2", "--each", "a,b,c", "--", "work", "{}"], 2);
    drop(child.stdout.take());
    until(|| child.try_wait().unwrap());
    assert_eq!(fs::read_to_string(sandbox.home().join("started")).unwrap().lines().count(), 2);
}

#[test]
fn a_calls_death_by_signal_is_told() {
    let sandbox = Sandbox::new();
    sandbox.tool("work", "echo '{\"v\":1}'; kill -9 $$");
    let outcome = seen(&sandbox, &["work"]).exits(137);
    assert_eq!(outcome.err(), "==> work: killed by signal 9 <==\n");
}

#[test]
fn a_descendant_that_stays_is_not_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.tool("work", "echo '{\"v\":1}'; sleep 20 & exit 0");
    let start = Instant::now();
    read(&sandbox, &["--each", "a,b", "--", "work", "{}"]).ok();
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn a_stop_that_was_sent_to_us_stops_every_call_and_goes_on_with_us() {
    let sandbox = Sandbox::new();
    sandbox.tool("work", "echo $$ > \"$HOME/$1\"; exec sleep 60");
    let mut command = fetch(&sandbox, &["--jobs", "2", "--each", "one,two", "--", "work", "{}"]);
    let mut child = spawn(command.process_group(0));
    let pid = |name: &str| -> i32 {
        until(|| fs::read_to_string(sandbox.home().join(name)).ok()?.trim().parse().ok())
    };
    let all = [child.id() as i32, pid("one"), pid("two")];
    let are = |wanted: char| all.iter().all(|pid| state(*pid) == Some(wanted));
    let signal = |name: &str| run(sandbox.command("kill").args([name, &all[0].to_string()])).ok();
    signal("-TSTP");
    until(|| are('T').then_some(()));
    signal("-CONT");
    until(|| are('S').then_some(()));
    signal("-TERM");
    assert!(!child.wait().unwrap().success());
}

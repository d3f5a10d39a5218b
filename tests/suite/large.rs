//! Large and slow output: nothing is lost, nothing blocks, and what answers is there.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{Outcome, Sandbox, run, spawn, until};

fn sandbox(body: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool("make", body);
    sandbox.link("make");
    sandbox
}

/// `make`, whose output an agent reads.
fn captured(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.command("make");
    command.env("TOTO", "on");
    command
}

fn session(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/state/toto/outputs/default")
}

/// Names in the session's directory.
fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(session(sandbox)).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The only saved output.
#[track_caller]
fn saved(sandbox: &Sandbox) -> Vec<u8> {
    let paths = kept(sandbox);
    let outputs: Vec<_> = paths.iter().filter(|path| path.extension().unwrap() != "json").collect();
    assert_eq!(outputs.len(), 1, "{paths:?}");
    fs::read(outputs[0]).unwrap()
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Lines of a program: near-equal, and yet never folded.
const LINES: &str =
    "i=0; while [ $i -lt 2000 ]; do echo \"compiling unit $i of the program;\"; i=$((i+1)); done";

#[test]
fn large_text_is_buffered_whole_with_its_first_and_last_lines() {
    let sandbox = sandbox(&format!("{LINES}; echo 'warning: careful'; echo done; exit 3"));
    let outcome = run(&mut captured(&sandbox)).exits(3);
    let out = outcome.out();
    let path = kept(&sandbox).into_iter().find(|path| path.extension().unwrap() == "out").unwrap();
    assert!(out.starts_with(&format!("Output buffered to {} (2002 lines)\n", path.display())), "{out}");
    assert_eq!(out.lines().nth(1), Some("Keyword mentions: warning 1"));
    for line in
        ["compiling unit 0 of the program;", "compiling unit 4 of the program;", "warning: careful", "done"]
    {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
    assert!(!out.contains("unit 500 "), "{out}");
    assert_eq!(String::from_utf8_lossy(&saved(&sandbox)).lines().count(), 2002);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert!(kept(&sandbox).iter().all(|path| mode(path) == 0o600));
}

#[test]
fn a_failure_in_the_middle_is_told_whatever_the_way() {
    let body = format!(
        "{LINES}; echo 'src/a.c:7:3: error: no such thing'; echo '    7 | thing();'; {LINES}; exit 2"
    );
    let sandbox = sandbox(&body);
    for mode in ["buffer", "truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let out = run(&mut captured(&sandbox)).exits(2).out();
        assert!(out.contains("src/a.c:7:3: error: no such thing\n    7 | thing();\n"), "{mode}: {out}");
    }
}

#[test]
fn truncated_output_says_so_before_and_between() {
    let sandbox = sandbox(LINES);
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nmode = \"truncate\"\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    let whole = String::from_utf8(saved(&sandbox)).unwrap();
    let note = out.lines().next().unwrap();
    assert!(note.starts_with("Output truncated: ") && note.contains(&whole.len().to_string()), "{note}");
    assert_eq!(out.matches(note).count(), 2);
    assert!(out.contains(&format!("{}\n… {} characters hidden …\n", &whole[..10_000], whole.len() - 20_000)));
    assert!(out.ends_with(&whole[whole.len() - 10_000..]));
}

#[test]
fn rejected_output_names_its_tokens_and_a_way() {
    let sandbox = sandbox(&format!("{LINES}; {LINES}; {LINES}"));
    sandbox.home_file(".config/toto/config.toml", "[overflow]\nmode = \"reject\"\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("Error: Command output (~"), "{out}");
    assert!(out.contains(" tokens) exceeds maximum allowed tokens (25000). "), "{out}");
    assert!(out.contains("toto show "), "{out}");
}

#[test]
fn large_data_shows_what_it_is_made_of() {
    let sandbox = sandbox("cat \"$HOME/data\"");
    let rows: Vec<_> =
        (0..9000).map(|n| format!("{{\"id\": {n}, \"word\": \"w{}\"}}", n * 7919 % 4001)).collect();
    sandbox.home_file("data", format!("{{\"items\": [\n{}\n]}}\n", rows.join(",\n")));
    let out = run(&mut captured(&sandbox)).ok().out();
    for line in ["  items: list of 9000", "  items[].word: string", "{\"id\":0,\"word\":\"w0\"}"] {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
}

#[test]
fn what_is_small_leaves_no_file() {
    let sandbox = sandbox("echo one; echo two");
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), "one\ntwo\n");
    assert!(!session(&sandbox).exists());
    // Slow enough for a live copy, which nobody needs in the end.
    sandbox.tool("make", "echo one; sleep 2.3; echo two");
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), "one\ntwo\n");
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
}

#[test]
fn without_a_store_the_output_is_given_and_a_very_large_one_truncated() {
    let sandbox = sandbox(LINES);
    // A file where the directory should be: also root cannot write there.
    sandbox.home_file(".local/state", "");
    let small = run(captured(&sandbox).env("TOTO_THRESHOLD", "3000")).ok();
    assert!(small.out().starts_with("Output truncated: "), "{}", small.out());
    assert!(small.out().contains("could not be saved"), "{}", small.out());
    sandbox.tool("make", "i=0; while [ $i -lt 300 ]; do echo \"line $i of the program\"; i=$((i+1)); done");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert_eq!(out.lines().count(), 300, "{out}");
}

#[test]
fn a_hundred_megabytes_are_in_the_file_byte_for_byte() {
    let sandbox = sandbox("yes 0123456789abcdef0123456789abcdef | head -c 104857600");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert!(out.starts_with("Output buffered to "), "{out}");
    let bytes = saved(&sandbox);
    assert_eq!(bytes.len(), 104_857_600);
    assert!(bytes.chunks(33).all(|line| b"0123456789abcdef0123456789abcdef\n".starts_with(line)));
    assert!(out.contains("(3177504 lines)"), "{out}");
}

#[test]
fn a_full_disk_in_mid_copy_costs_only_the_savings() {
    // A limit on file sizes stands in for a full disk: also without root.
    let sandbox = sandbox("seq 1000000 | head -c 6000000");
    let script = "ulimit -f 4096; make";
    let outcome = run(sandbox.shell("sh", script).env("TOTO", "on")).ok();
    assert!(outcome.out().starts_with("Output truncated: 6000000 characters"), "{}", outcome.out());
    assert!(outcome.out().contains("could not be saved (File too large"), "{}", outcome.out());
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new(), "the half of it is of no use");
}

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
    // The tool takes its time; the agent does not.
    let body =
        format!("trap 'sleep 0.5; echo cleaned up; exit 9' TERM; {LINES}; echo >ready; sleep 30 & wait");
    let sandbox = sandbox(&body);
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    sleep(Duration::from_millis(150));
    let start = Instant::now();
    send("-TERM", &shim);
    let mut stdout = shim.stdout.take().unwrap();
    let mut first = [0; 18];
    stdout.read_exact(&mut first).unwrap();
    let took = start.elapsed();
    assert_eq!(&first, b"Output buffered to");
    assert!(
        took < Duration::from_millis(400),
        "{took:?} in a debug build on a busy machine; release: below 100"
    );
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("cleaned up\n"), "{rest}");
    assert_eq!(shim.wait().unwrap().code(), Some(9));
}

#[test]
fn a_server_is_not_waited_for() {
    let sandbox = sandbox("echo 'Listening on http://localhost:8000'; sleep 3; echo GET /; sleep 60");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    let mut stdout = shim.stdout.take().unwrap();
    let start = Instant::now();
    let expected = b"Listening on http://localhost:8000\nGET /\n";
    let mut text = vec![0; expected.len()];
    stdout.read_exact(&mut text).unwrap();
    assert_eq!(text, expected);
    assert!(start.elapsed() < Duration::from_secs(20));
    send("-TERM", &shim);
    shim.wait().unwrap();
}

#[test]
fn the_bytes_go_out_as_they_are_where_a_reader_leaves_early() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 3000000");
    let outcome: Outcome =
        run(sandbox.shell("bash", "make | head -c 5; echo \" ${PIPESTATUS[1]}\"").env("TOTO", "on"));
    assert!(outcome.out().ends_with(" 0\n"), "{}", outcome.out());
}

/// A directory of 4 MiB, gone at the end. None where mounting is not allowed, which CI has to allow.
fn tiny_disk(sandbox: &Sandbox, script: &str) -> Option<Command> {
    let mount = "mount -t tmpfs -o size=4m,mode=700 tmpfs \"$HOME/.local\"";
    fs::create_dir_all(sandbox.home().join(".local")).unwrap();
    let works = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("CI").is_none(), "a small tmpfs cannot be mounted");
        return None;
    }
    let mut command = sandbox.command("unshare");
    command.args(["-rm", "sh", "-c", &format!("{mount}; {script}")]).env("TOTO", "on");
    Some(command)
}

#[test]
fn a_disk_that_fills_up_in_mid_copy() {
    let sandbox = sandbox("seq 10000000 | head -c 9000000; exit 4");
    let Some(mut command) =
        tiny_disk(&sandbox, "make; echo \"status $?\"; find \"$HOME/.local\" -type f | wc -l")
    else {
        return;
    };
    let out = run(&mut command).ok().out();
    assert!(out.starts_with("Output truncated: 9000000 characters in 1263888 lines"), "{out}");
    assert!(out.contains("could not be saved (No space left on device"), "{out}");
    assert!(out.ends_with("status 4\n0\n"), "no half of a file is left: {out}");
}

#[test]
fn a_disk_that_fills_up_under_more_than_memory_holds() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 90000000");
    let Some(mut command) =
        tiny_disk(&sandbox, "make | cksum; yes 0123456789abcdef | head -c 90000000 | cksum")
    else {
        return;
    };
    let out = run(&mut command).ok().out();
    let sums: Vec<_> = out.lines().collect();
    assert_eq!(sums[0], sums[1], "it passes through, every byte");
}

#[test]
fn a_read_only_home() {
    let sandbox = sandbox(LINES);
    let script = "mount -o remount,ro \"$HOME/.local\"; make -v";
    let Some(mut command) = tiny_disk(&sandbox, script) else { return };
    let out = run(&mut command).ok().out();
    assert!(out.starts_with("Output truncated: ") && out.contains("(Read-only file system"), "{out}");
}

#[test]
fn something_else_where_the_store_should_be() {
    let sandbox = sandbox("i=0; while [ $i -lt 300 ]; do echo \"line $i of the program\"; i=$((i+1)); done");
    fs::create_dir_all(sandbox.home().join(".local/state/toto")).unwrap();
    let outputs = sandbox.home().join(".local/state/toto/outputs");
    assert!(Command::new("mkfifo").arg(&outputs).status().unwrap().success());
    let out = run(&mut captured(&sandbox)).ok().out();
    assert_eq!(out.lines().count(), 300, "{out}");
    assert!(run(&mut sandbox.toto(["history"])).ok().out().starts_with("nothing is saved"));
}

#[test]
fn many_at_once_do_not_meet() {
    let sandbox =
        sandbox("i=0; while [ $i -lt 300 ]; do echo \"run $1 line $i of the program\"; i=$((i+1)); done");
    let runs = if cfg!(debug_assertions) { 256 } else { 1_000 };
    let script = format!("seq 1 {runs} | xargs -P 64 -n 1 make | cat >/dev/null");
    run(sandbox.shell("sh", &script).env("TOTO", "on")).ok();
    let mut ids = std::collections::BTreeSet::new();
    let paths = kept(&sandbox);
    for path in paths.iter().filter(|path| path.extension().unwrap() == "out") {
        let text = fs::read_to_string(path).unwrap();
        let run = text.split(' ').nth(1).unwrap().to_owned();
        assert_eq!(text.lines().count(), 300);
        assert!(text.lines().all(|line| line.starts_with(&format!("run {run} line "))));
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(ids.insert(stem.rsplit('-').next().unwrap().to_owned()), "an id twice");
    }
    assert_eq!(ids.len(), runs);
    assert_eq!(paths.len(), 2 * runs, "nothing but outputs and their facts");
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

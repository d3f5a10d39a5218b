//! The tool is run as it was asked: bytes, status, signals, order, environment. Each case raw (a program
//! reads) and captured (`TOTO=on`).

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::harness::{Outcome, Sandbox, run, run_with, spawn, state, until};

const BOTH: [&str; 2] = ["raw", "on"];

fn sandbox(body: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool("tool", body);
    sandbox.link("tool");
    sandbox
}

fn call(sandbox: &Sandbox, how: &str, args: &[&str]) -> Outcome {
    run(sandbox.command("tool").env("TOTO", how).args(args))
}

/// `tool`, printing these bytes.
fn printing(bytes: &[u8]) -> Sandbox {
    let sandbox = sandbox("cat \"$HOME/bytes\"");
    sandbox.home_file("bytes", bytes);
    sandbox
}

#[test]
fn what_is_no_text_comes_through_byte_for_byte() {
    let every_byte: Vec<u8> = (0..=255).collect();
    let cases: [&[u8]; 6] = [b"", b"\0\0\n\0", &every_byte, b"no newline", b"\xff\xfe{\"a\":1}", b"\n\n\n"];
    for how in BOTH {
        for bytes in cases {
            assert_eq!(call(&printing(bytes), how, &[]).ok().out, bytes, "{how}");
        }
    }
}

#[test]
fn a_hundred_megabytes_come_through_byte_for_byte() {
    let sandbox = sandbox("yes 0123456789abcdef0123456789abcdef | head -c 104857600");
    // Captured, they are kept in a file, or pass through where there is none.
    sandbox.home_file(".local/state", "");
    for how in BOTH {
        let out = run(sandbox.command("tool").env("TOTO", how).env("TMPDIR", "/dev/null")).ok().out;
        assert_eq!(out.len(), 104_857_600, "{how}");
        assert!(out.chunks(33).all(|line| b"0123456789abcdef0123456789abcdef\n".starts_with(line)), "{how}");
    }
}

#[test]
fn every_exit_status_is_the_tools() {
    let sandbox = sandbox("exit $1");
    for how in BOTH {
        for status in 0..=255 {
            assert_eq!(call(&sandbox, how, &[&status.to_string()]).code(), status, "{how}");
        }
    }
}

#[test]
fn death_by_signal_is_the_tools() {
    let sandbox = sandbox("echo before; kill -$1 $$; sleep 5");
    for how in BOTH {
        for signal in [1, 2, 3, 6, 9, 11, 13, 15] {
            let outcome = call(&sandbox, how, &[&signal.to_string()]);
            assert_eq!(outcome.status.signal(), Some(signal), "{how}");
            assert_eq!(outcome.out(), "before\n", "{how}: what was said until then is kept");
        }
    }
}

#[test]
fn arguments_environment_directory_and_stdin_are_the_callers() {
    let sandbox = sandbox("for a; do echo \"<$a>\"; done; echo \"$FOO\"; pwd; cat");
    for how in BOTH {
        let mut command = sandbox.command("tool");
        command.env("TOTO", how).env("FOO", "b a r").args(["", "a b", "--", "-x", "\u{e4}*", "$HOME"]);
        let outcome = run_with(&mut command, b"typed").ok();
        let expected =
            format!("<>\n<a b>\n<-->\n<-x>\n<\u{e4}*>\n<$HOME>\nb a r\n{}\ntyped", sandbox.work().display());
        assert_eq!(outcome.out(), expected, "{how}");
    }
}

#[test]
fn toto_on_is_for_this_call_and_not_for_those_that_the_tool_makes() {
    let sandbox = sandbox("echo \"TOTO=${TOTO-unset}\"");
    assert_eq!(call(&sandbox, "on", &[]).out(), "TOTO=unset\n");
    assert_eq!(call(&sandbox, "raw", &[]).out(), "TOTO=raw\n");
}

#[test]
fn the_order_of_both_streams_is_kept_where_they_are_one() {
    let sandbox = sandbox("i=0; while [ $i -lt 200 ]; do echo $i; i=$((i+1)); echo $i >&2; i=$((i+1)); done");
    for how in BOTH {
        let outcome = run(sandbox.shell("sh", "tool 2>&1").env("TOTO", how)).ok();
        let out = outcome.out();
        let numbers: Vec<usize> = out.lines().filter_map(|line| line.parse().ok()).collect();
        assert_eq!(numbers, (0..200).collect::<Vec<_>>(), "{how}: {out}");
    }
}

#[test]
fn stderr_stays_apart_where_it_was_apart() {
    let sandbox = sandbox("echo out; echo err >&2");
    for how in BOTH {
        let outcome = call(&sandbox, how, &[]).ok();
        assert_eq!((outcome.out(), outcome.err()), ("out\n".into(), "err\n".into()), "{how}");
    }
}

#[test]
fn a_script_without_an_interpreter_line_is_run_by_sh() {
    let sandbox = Sandbox::new();
    sandbox.script("tools/tool", "echo \"plain $1\"\n");
    sandbox.link("tool");
    for how in BOTH {
        assert_eq!(call(&sandbox, how, &["script"]).ok().out(), "plain script\n", "{how}");
    }
}

#[test]
fn a_tool_that_cannot_be_started_is_126_and_one_line() {
    let sandbox = Sandbox::new();
    sandbox.script("tools/tool", "#!/does/not/exist\n");
    sandbox.link("tool");
    for how in BOTH {
        let outcome = call(&sandbox, how, &[]);
        assert!([126, 127].contains(&outcome.code()), "{how}: {}", outcome.code());
        assert_eq!(outcome.err().lines().count(), 1, "{how}: {}", outcome.err());
        assert!(outcome.err().contains("tools/tool"), "{how}: {}", outcome.err());
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_tool_as_it_would_have() {
    let sandbox = sandbox("exec yes");
    let script = "{ tool; echo $? >status; } | head -n 1 >/dev/null; sleep 0.2; cat status";
    assert_eq!(run(sandbox.shell("sh", script).env("TOTO", "raw")).out(), "141\n");
    // Captured, the first reader is us: an agent that dies while the tool is still printing.
    let mut shim = spawn(sandbox.command("tool").env("TOTO", "on").stdout(Stdio::piped()));
    sleep(Duration::from_millis(50));
    drop(shim.stdout.take());
    assert!(wait_for(&mut shim, Duration::from_secs(10)), "the tool goes on printing for nobody");
}

/// A tool that gets SIGKILL cannot tidy up, and a shim that a closed pipe ends takes the tool along.
#[test]
fn a_reader_that_goes_away_while_bytes_pass_leaves_the_tool_to_end_by_itself() {
    let sandbox = sandbox(
        "trap 'echo tidied >tidied; exit 3' PIPE; exec 2>/dev/null
        line=$(head -c 65535 /dev/zero | tr '\\0' x); while :; do echo $line; done",
    );
    sandbox.home_file(".config/toto/config.toml", "[store]\nenabled = false\n");
    let mut shim = spawn(sandbox.command("tool").env("TOTO", "on").stdout(Stdio::piped()));
    let mut first = [0];
    // Nothing passes before more is held than memory is meant for.
    shim.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(shim.stdout.take());
    assert!(wait_for(&mut shim, Duration::from_secs(10)), "the tool goes on printing for nobody");
    assert_eq!(shim.wait().unwrap().code(), Some(3), "the tool's own end");
    assert!(sandbox.work().join("tidied").exists(), "the tool was killed");
}

#[test]
fn a_reader_of_stdout_that_is_gone_costs_no_line_on_stderr() {
    let sandbox = sandbox("echo out; touch said; sleep 0.3; echo err >&2; exit 3");
    let mut command = sandbox.command("tool");
    let mut shim = spawn(command.env("TOTO", "on").stdout(Stdio::piped()).stderr(Stdio::piped()));
    until(|| sandbox.work().join("said").exists().then_some(()));
    drop(shim.stdout.take());
    let outcome = shim.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&outcome.stderr), "err\n");
    assert_eq!(outcome.status.code(), Some(3));
}

#[test]
fn a_closed_stdout_is_left_closed() {
    let sandbox = sandbox("echo x 2>/dev/null; echo \"rc=$?\" >&2");
    for how in BOTH {
        let outcome = run(sandbox.shell("sh", "tool >&-").env("TOTO", how));
        assert!(outcome.err().contains("rc=") && !outcome.err().contains("rc=0"), "{how}: {}", outcome.err());
        assert!(!outcome.err().contains("toto"), "{how}: {}", outcome.err());
    }
}

#[test]
fn a_survivor_that_holds_the_pipe_is_not_waited_for_and_still_heard() {
    let sandbox = sandbox("(until [ -e ended ]; do sleep 0.02; done; echo late) & echo now");
    let mut shim = spawn(sandbox.command("tool").env("TOTO", "on").stdout(Stdio::piped()));
    assert!(wait_for(&mut shim, Duration::from_secs(10)), "the survivor is waited for");
    fs::write(sandbox.work().join("ended"), "").unwrap();
    let mut out = String::new();
    shim.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "now\nlate\n");
}

/// A tool that counts the TERM signals it gets, for a second and a half.
const COUNTER: &str = "n=0; trap 'n=$((n+1))' TERM; echo ready | tee ready; \
    i=0; while [ $i -lt 15 ]; do sleep 0.1; i=$((i+1)); done; echo \"got $n\"";

fn count_signals(how: &str, send: impl Fn(u32)) -> String {
    let sandbox = sandbox(COUNTER);
    let mut command = sandbox.command("tool");
    let mut shim = spawn(command.env("TOTO", how).process_group(0).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    // Captured: from 100 ms on, one sent to the group can be told from one sent to us.
    sleep(Duration::from_millis(400));
    send(shim.id());
    let mut out = String::new();
    shim.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert!(shim.wait().unwrap().success());
    out
}

fn kill(target: &str) {
    assert!(std::process::Command::new("kill").args(["-TERM", "--", target]).status().unwrap().success());
}

#[test]
fn a_signal_sent_to_us_reaches_the_tool_once() {
    for how in BOTH {
        assert_eq!(count_signals(how, |pid| kill(&pid.to_string())), "ready\ngot 1\n", "{how}");
    }
}

#[test]
fn a_signal_sent_to_the_whole_group_reaches_the_tool_once() {
    for how in BOTH {
        assert_eq!(count_signals(how, |pid| kill(&format!("-{pid}"))), "ready\ngot 1\n", "{how}");
    }
}

#[test]
fn killing_the_shim_ends_the_tool() {
    let sandbox = sandbox("echo $$ >pid; sleep 60");
    let mut shim = spawn(sandbox.command("tool").env("TOTO", "on").stdout(Stdio::piped()));
    let pid_file = sandbox.work().join("pid");
    let pid = until(|| fs::read_to_string(&pid_file).ok().filter(|pid| pid.ends_with('\n')));
    shim.kill().unwrap();
    shim.wait().unwrap();
    let pid = pid.trim().parse().unwrap();
    until(|| state(pid).is_none().then_some(()));
}

#[test]
fn nohup_goes_on_working() {
    let sandbox = sandbox("echo >ready; sleep 0.6; echo alive");
    let mut shim = spawn(sandbox.command("nohup").arg("tool").env("TOTO", "on").stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists().then_some(()));
    assert!(
        std::process::Command::new("kill").args(["-HUP", &shim.id().to_string()]).status().unwrap().success()
    );
    let mut out = String::new();
    shim.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "alive\n");
    assert!(shim.wait().unwrap().success());
}

#[test]
fn a_stop_that_was_sent_to_the_shim_alone_stops_the_tool() {
    let sandbox = Sandbox::new();
    sandbox.tool("ticks", "echo $$ > \"$HOME/pid\"; exec sleep 60");
    sandbox.link("ticks");
    // Where nobody else of its session could continue a group, the kernel lets no SIGTSTP stop it: setpgid(2), orphans.
    let mut child = spawn(sandbox.command("ticks").env("TOTO", "on").process_group(0));
    let pid: i32 = until(|| fs::read_to_string(sandbox.home().join("pid")).ok()?.trim().parse().ok());
    let shim = child.id() as i32;
    let signal = |name: &str| run(sandbox.command("kill").args([name, &shim.to_string()])).ok();
    signal("-TSTP");
    until(|| (state(pid) == Some('T') && state(shim) == Some('T')).then_some(()));
    signal("-CONT");
    until(|| (state(pid) == Some('S') && state(shim) == Some('S')).then_some(()));
    signal("-TERM");
    assert!(!child.wait().unwrap().success());
}

#[test]
fn a_tool_that_stops_itself_stops_us_and_goes_on_with_us() {
    let sandbox = sandbox("kill -STOP $$; echo resumed");
    let mut shim = spawn(sandbox.command("tool").env("TOTO", "on").stdout(Stdio::piped()));
    let pid = shim.id() as i32;
    until(|| (state(pid) == Some('T')).then_some(()));
    assert!(
        std::process::Command::new("kill")
            .args(["-CONT", &shim.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let mut out = String::new();
    shim.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(out, "resumed\n");
    assert!(shim.wait().unwrap().success());
}

#[test]
fn what_follows_or_talks_is_passed_straight_on() {
    let sandbox = Sandbox::new();
    sandbox.tool("kubectl", "echo line; read x; echo \"$x\"");
    sandbox.link("kubectl");
    let mut command = sandbox.command("kubectl");
    command.args(["logs", "-f", "pod"]).env("TOTO", "on").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut shim = spawn(&mut command);
    // The first line comes while the tool still runs.
    let mut first = [0; 5];
    shim.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"line\n");
    writeln!(shim.stdin.take().unwrap(), "on").unwrap();
    assert!(shim.wait().unwrap().success());
}

fn wait_for(child: &mut Child, at_most: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < at_most {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    false
}

/// A client of a database that is given a statement ends by itself; without one it may talk with its user.
#[test]
fn a_clients_table_is_shortened_where_a_statement_is_given() {
    let rows: String =
        (1..=40).map(|id| format!(" {id:2} | Leave at the neighbours, second floor\\n")).collect();
    let sandbox = Sandbox::new();
    let printed = format!(
        " id |                 note                  \\n----+---------------------------------------\\n{rows}(40 rows)\\n\\n"
    );
    for tool in ["psql", "sqlite3"] {
        sandbox.tool(tool, &format!("printf '{printed}'"));
        sandbox.link(tool);
    }
    let out = |tool: &str, args: &[&str]| run(sandbox.command(tool).env("TOTO", "on").args(args)).ok().out();
    for (tool, args) in
        [("psql", &["-h", "db", "-Xc", "select"][..]), ("sqlite3", &["-box", "x.db", "select"])]
    {
        let out = out(tool, args);
        assert!(
            out.starts_with("rows[40]{id note=\"Leave at the neighbours, second floor\"}"),
            "{tool} {out}"
        );
    }
    for (tool, args) in [("psql", &["-h", "db"][..]), ("sqlite3", &["-cmd", ".tables", "x.db"])] {
        assert_eq!(out(tool, args), printed.replace("\\n", "\n"), "{tool}");
    }
}

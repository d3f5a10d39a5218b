//! What once broke, each test named after it. Captured (`TOTO=on`) unless it says otherwise.

mod facts;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::harness::{LIMIT, Sandbox, run, run_with, spawn, words};
use crate::large::kept;

fn sandbox(name: &str, body: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(name, body);
    sandbox.link(name);
    sandbox
}

fn captured(sandbox: &Sandbox, name: &str) -> Command {
    let mut command = sandbox.command(name);
    command.env("TOTO", "on");
    command
}

/// A terminal: the side that a person or an agent has, and the side that a command has.
fn terminal() -> (File, File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let ours = openpt(flags).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs =
        rustix::fs::open(name, rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY, 0.into()).unwrap();
    (ours.into(), theirs.into())
}

/// What comes, as it comes.
struct Heard {
    chunks: mpsc::Receiver<Vec<u8>>,
    text: String,
}

impl Heard {
    fn from(mut source: impl Read + Send + 'static) -> Self {
        let (sender, chunks) = mpsc::channel();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(length @ 1..) = source.read(&mut chunk) {
                if sender.send(chunk[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { chunks, text: String::new() }
    }

    #[track_caller]
    fn until(&mut self, wanted: &str) {
        let deadline = Instant::now() + LIMIT;
        while !self.text.contains(wanted) {
            let left = deadline.saturating_duration_since(Instant::now());
            let chunk =
                self.chunks.recv_timeout(left).unwrap_or_else(|_| panic!("no {wanted:?} in {:?}", self.text));
            self.text += &String::from_utf8_lossy(&chunk);
        }
    }
}

fn on_terminal(command: &mut Command) -> (Child, File, Heard) {
    let (ours, theirs) = terminal();
    let end = || Stdio::from(OwnedFd::from(theirs.try_clone().unwrap()));
    let child = spawn(command.stdin(end()).stdout(end()).stderr(end()));
    let heard = Heard::from(ours.try_clone().unwrap());
    (child, ours, heard)
}

#[test]
fn a_prompt_without_a_newline_was_held_back_from_whoever_has_to_answer_it() {
    let sandbox = sandbox("ask", "printf 'Go on? '; read x; echo \"got $x\"");
    let (mut child, mut keyboard, mut heard) = on_terminal(&mut captured(&sandbox, "ask"));
    heard.until("Go on? ");
    keyboard.write_all(b"yes\n").unwrap();
    heard.until("got yes");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_question_that_ends_its_line_was_held_back_too() {
    let sandbox = sandbox("ask", "echo 'Go on?'; read x; echo \"got $x\"");
    let (mut child, mut keyboard, mut heard) = on_terminal(&mut captured(&sandbox, "ask"));
    heard.until("Go on?");
    keyboard.write_all(b"yes\n").unwrap();
    heard.until("got yes");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_pause_in_the_output_is_no_question() {
    let rows =
        (0..60).map(|n| format!("{{\"name\": \"item-{n}\", \"kind\": \"thing\"}}")).collect::<Vec<_>>();
    let sandbox = sandbox("list", "echo '['; sleep 0.8; cat \"$HOME/rows\"; echo ', {\"last\": true}]'");
    sandbox.home_file("rows", rows.join(",\n"));
    let (mut child, _keyboard, mut heard) = on_terminal(&mut captured(&sandbox, "list"));
    heard.until("last");
    assert!(child.wait().unwrap().success());
    assert!(heard.text.len() < rows.join(",\n").len() / 2, "{}", heard.text);
}

/// Sends `signal` to the shim of a tool that has said something, and returns what comes of it.
fn ended_by(signal: &str) -> (String, Option<i32>) {
    let sandbox = sandbox("slow", "echo begun; echo >ready; exec sleep 20");
    let mut child = spawn(captured(&sandbox, "slow").process_group(0).stdout(Stdio::piped()));
    until(|| sandbox.work().join("ready").exists());
    // The group has nothing else in it; the shim is told apart from its tool by the number.
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    (out, child.wait().unwrap().signal())
}

#[test]
fn a_less_usual_signal_took_what_was_said_with_it() {
    for (signal, number) in [("-ABRT", 6), ("-ALRM", 14), ("-XCPU", 24), ("-VTALRM", 26), ("-IO", 29)] {
        assert_eq!(ended_by(signal), ("begun\n".into(), Some(number)), "{signal}");
    }
}

#[test]
fn an_alarm_set_before_the_call_was_the_shims_and_not_the_tools() {
    let sandbox =
        sandbox("slow", "trap 'echo rang; exit 3' ALRM; echo begun; sleep 20 & wait; echo overslept");
    if !crate::harness::installed("perl") {
        return;
    }
    let mut command = sandbox.command("perl");
    command.env("TOTO", "on").args(["-e", "alarm 1; exec 'slow'"]);
    assert_eq!(run(&mut command).exits(3).out(), "begun\nrang\n");
}

#[test]
fn a_canary_outlived_a_shim_that_ended_while_it_began() {
    // The canary comes at 100 ms.
    for milliseconds in (96..106).cycle().take(30) {
        let sandbox = sandbox("brief", &format!("sleep 0.{milliseconds:03}"));
        run(&mut captured(&sandbox, "brief")).ok();
        until(|| processes_with(&format!("HOME={}", sandbox.home().display())).is_empty());
    }
}

/// Processes with this entry in their environment.
fn processes_with(entry: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|process| {
        let path = process.unwrap().path();
        let environment = fs::read(path.join("environ")).ok()?;
        environment.split(|b| *b == 0).any(|e| e == entry.as_bytes()).then(|| path.display().to_string())
    });
    processes.collect()
}

#[test]
fn arguments_that_just_fit_no_longer_did_with_our_mark() {
    let sandbox = sandbox("count", "echo $#");
    // Arguments and environment may take a quarter of the stack, execve(2): 256 KiB here.
    let script = |how: &str, length: usize| {
        let words = "x".repeat(65_536);
        format!("ulimit -s 1024; TOTO={how} exec \"$1\" {words} {words} {words} {}", "y".repeat(length))
    };
    let fits = |tool: &std::path::Path, how: &str, length: usize| {
        let mut command = sandbox.command("bash");
        sandbox.home_file("script", script(how, length));
        command.arg(sandbox.home().join("script")).arg(tool);
        run(&mut command).out() == "4\n"
    };
    let (mut most, mut too_much) = (0, 65_536);
    let tool = sandbox.tools().join("count");
    while too_much - most > 1 {
        let middle = usize::midpoint(most, too_much);
        if fits(&tool, "on_", middle) { most = middle } else { too_much = middle }
    }
    assert!(most > 1000, "{most}");
    // The shim's own path is longer than the tool's by a few bytes.
    let longer = sandbox.farm().as_os_str().len() - sandbox.tools().as_os_str().len();
    for how in ["raw", "on"] {
        assert!(fits(&sandbox.farm().join("count"), how, most - 3 - longer), "{how}");
    }
}

#[test]
fn a_name_that_is_not_the_tools_hid_the_tool() {
    let sandbox = sandbox("tool", "echo real");
    for how in ["raw", "on"] {
        for name in ["-tool", "other", "", "/", "toto", "a/../b"] {
            let mut command = sandbox.command(sandbox.farm().join("tool"));
            assert_eq!(run(command.arg0(name).env("TOTO", how)).ok().out(), "real\n", "{name:?} {how}");
        }
    }
}

#[test]
fn a_name_given_by_the_caller_was_replaced_by_the_tools_path() {
    if !crate::harness::installed("bash") {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.link("bash");
    for how in ["raw", "on"] {
        let mut command = sandbox.command(sandbox.farm().join("bash"));
        command.arg0("/opt/own/bash").args(["-c", "echo $0"]).env("TOTO", how);
        assert_eq!(run(&mut command).ok().out(), "/opt/own/bash\n", "{how}");
    }
}

/// What the standard level leaves something out of.
fn listing() -> String {
    let rows = (0..40).map(|n| format!("{{\"Name\": \"item-{n}\", \"Note\": null, \"Kind\": \"thing\"}}"));
    format!("{{\"Items\": [{}], \"last\": true}}\n", rows.collect::<Vec<_>>().join(", "))
}

#[test]
fn a_store_that_others_may_write_was_left_so() {
    let sandbox = sandbox("list", "cat \"$HOME/listing\"");
    sandbox.home_file("listing", listing());
    let store = sandbox.home().join(".local/state/toto/outputs");
    fs::create_dir_all(store.join("default")).unwrap();
    for open in [store.join("default"), store.clone(), store.parent().unwrap().into()] {
        fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
    }
    assert!(run(&mut captured(&sandbox, "list")).ok().out().contains("toto show "));
    for closed in [store.join("default"), store.clone(), store.parent().unwrap().into()] {
        assert_eq!(closed.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", closed.display());
    }
}

#[test]
fn a_store_of_another_user_was_trusted() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let sandbox = sandbox("list", "cat \"$HOME/listing\"");
    sandbox.home_file("listing", listing());
    let store = sandbox.home().join(".local/state/toto/outputs");
    fs::create_dir_all(store.join("default")).unwrap();
    fs::write(store.join("default/20260101T000000.000Z-list-b3294.out"), "a lie\n").unwrap();
    std::os::unix::fs::chown(store.join("default"), Some(65_534), Some(65_534)).unwrap();
    let outcome = run(&mut captured(&sandbox, "list")).ok();
    assert!(outcome.out().contains("toto show "), "it is kept with the temporary files: {}", outcome.out());
    let shown = run(&mut sandbox.toto(["show", "last"])).ok();
    assert_eq!(shown.out(), listing());
    assert_eq!(fs::read_dir(store.join("default")).unwrap().count(), 1, "nothing is put beside the lie");
}

#[test]
fn a_row_of_nothing_but_a_blank_of_another_kind_was_read_as_no_row() {
    let sandbox = Sandbox::new();
    for blank in ['\u{a0}', '\u{85}', '\u{2028}', '\u{3000}'] {
        let rows = format!(
            "{{\"Id\":\"{blank}\"}},{{\"Id\":\"arn:aws:ec2:us-east-1:123456789012:instance/i-0123456789abcdef0\"}}"
        );
        let last = "{\"a b\":[{\"data\":false},{\"c\":1,\"data\":\"x\"},{\"data\":\"i-0123\"}]";
        let document = format!("[[{{\"@map\":[{rows},{last},\"Id\":\"{blank}\"}}]}}]]\n");
        let mut write = sandbox.toto(["--level", "lossless", "--format", "pvfn", "--receipt", "off"]);
        let written = run_with(&mut write, document.as_bytes()).ok();
        let read = run_with(&mut sandbox.toto(["expand"]), &written.out).ok();
        let parse = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).unwrap();
        assert_eq!(parse(&read.out), parse(document.as_bytes()), "{blank:?} {}", written.out());
    }
}

#[test]
fn half_a_surrogate_pair_was_read_with_whatever_came_behind_it() {
    for text in [r#"a="\ud83d\u6e00""#, r#"a="\ud83d\ud83d""#, r#"a="\udc00""#, r#""\ud83dx"=1"#] {
        let read = run_with(&mut Sandbox::new().toto(["expand"]), text.as_bytes()).exits(2);
        assert!(read.out().is_empty() && read.err().contains("not a JSON string"), "{text}: {}", read.err());
    }
}

#[track_caller]
fn until(ready: impl Fn() -> bool) {
    let start = Instant::now();
    while !ready() {
        assert!(start.elapsed() < LIMIT, "waited in vain");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn facts_whose_output_was_cleaned_away_first_stayed_for_ever() {
    let sandbox = Sandbox::new();
    let session = sandbox.home().join(".local/state/toto/outputs/default");
    for name in ["20260101T000000.000Z-aws-bbbbb.json", "20260101T000000.000Z-aws-ccccc.json"] {
        let path = sandbox.home_file(session.strip_prefix(sandbox.home()).unwrap().join(name), "{}");
        if name.contains("bbbbb") {
            let long_ago = std::time::SystemTime::now() - Duration::from_secs(3600);
            File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
        }
    }
    run(&mut sandbox.toto(["clean"])).ok();
    let left: Vec<_> = fs::read_dir(&session).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(
        left,
        ["20260101T000000.000Z-aws-ccccc.json"],
        "the output of fresh ones may be about to come"
    );
}

#[test]
fn run_captured_what_never_ends() {
    let sandbox = Sandbox::new();
    let rows = "{\"a\": null, \"b\": [1, 2, 3]}";
    sandbox.tool("kubectl", &format!("for x in 1 2 3 4 5 6 7 8 9; do echo '{rows}'; done"));
    let out = |args: &[&str]| run(sandbox.toto(["run", "--", "kubectl"]).args(args)).ok().out();
    assert_eq!(out(&["logs", "-f", "pod"]), format!("{rows}\n").repeat(9));
    assert_ne!(out(&["get", "pods"]), format!("{rows}\n").repeat(9));
}

#[test]
fn a_receipt_stood_on_the_last_line_of_an_output_without_newline() {
    let sandbox = sandbox(
        "tool",
        "for x in 1 2 3 4 5 6 7 8 9; do echo 'the very same line of many words'; done; printf end",
    );
    let shown = run(captured(&sandbox, "tool").env("TOTO_RECEIPT", "short"));
    let receipt = if shown.out().ends_with('\n') { "[toto]" } else { "\n[toto]" };
    assert!(shown.err().starts_with(receipt), "{:?}{:?}", shown.out(), shown.err());
    assert!(!shown.out().ends_with('\n'), "the case is another: {:?}", shown.out());
}

#[test]
fn a_home_that_is_not_there_was_made_for_the_ledger() {
    let sandbox = sandbox("tool", "echo line");
    let nowhere = sandbox.root().join("nowhere");
    run(captured(&sandbox, "tool").env("HOME", &nowhere).env("TOTO_HOME", sandbox.toto_home())).ok();
    assert!(!nowhere.exists());
}

#[test]
fn a_word_that_is_no_command_was_an_unexpected_argument() {
    let sandbox = sandbox("jtool", "echo '{}'");
    let refused = |args: &[&str]| run(&mut sandbox.toto(args)).exits(2).err();
    assert!(refused(&["lnk", "aws"]).contains("'link'"), "{}", refused(&["lnk", "aws"]));
    assert!(
        refused(&["jtool", "a b"]).contains("to run it: toto run -- jtool 'a b'"),
        "{}",
        refused(&["jtool", "a b"])
    );
    assert!(refused(&["link"]).contains("NAME"), "{}", refused(&["link"]));
    let help = |args: &[&str]| run(&mut sandbox.toto(args)).ok().out();
    assert_eq!(help(&["help", "link"]), help(&["link", "--help"]));
    assert_eq!(help(&["help"]), help(&["--help"]));
    assert_eq!(help(&["version"]), help(&["--version"]));
}

#[test]
fn a_renamed_binary_was_a_shim_of_its_name() {
    let sandbox = Sandbox::new();
    for name in ["toto-linux", "toto2", "toto.bin"] {
        let renamed = sandbox.root().join(name);
        crate::harness::copy_executable(crate::harness::toto_binary(), &renamed);
        assert!(run(sandbox.command(&renamed).arg("--version")).ok().out().starts_with("toto "));
    }
    // A tool of such a name has a shim as any other.
    sandbox.tool("toto-tool", "echo the tool");
    sandbox.link("toto-tool");
    assert_eq!(run(&mut sandbox.command("toto-tool")).ok().out(), "the tool\n");
}

#[test]
fn a_users_filter_had_no_words_for_an_output_of_nothing() {
    let sandbox = sandbox("jtool", "[ \"$1\" != fails ]");
    let filter =
        "command = \"jtool\"\n[on_success]\noutput = \"✓ jtool: ok\"\n[on_failure]\noutput = \"✗ jtool\"\n";
    sandbox.home_file(".config/toto/filters/jtool.toml", filter);
    assert_eq!(run(&mut captured(&sandbox, "jtool")).ok().out(), "… ✓ jtool: ok\n");
    let failed = run(captured(&sandbox, "jtool").arg("fails")).exits(1);
    assert_eq!(failed.out(), "… exit status 1\n… ✗ jtool\n");
    assert_eq!(run(sandbox.command("jtool").env("TOTO", "raw")).ok().out(), "", "a program reads");
}

#[test]
fn of_a_configuration_one_mistake_was_told_and_each_call_told_it_again() {
    let sandbox = sandbox("tool", "echo line");
    let text =
        "levle = \"max\"\nformat = \"nosuch\"\n[nosuch]\nkey = 1\n[store]\ndays = \"x\"\nmebibytes = 5\n";
    sandbox.home_file(".config/toto/config.toml", text);
    let told = run(&mut sandbox.toto(["config", "check"])).exits(2).err();
    let lines: Vec<&str> =
        told.lines().filter_map(|line| line.split("config.toml:").nth(1)?.split(':').next()).collect();
    assert_eq!(lines, ["1", "2", "3", "6"], "{told}");
    let call = || run(&mut captured(&sandbox, "tool")).ok();
    assert!(call().err().contains("config.toml:") && call().err().is_empty());
}

#[test]
fn trust_took_a_filter_that_check_rejects() {
    let sandbox = sandbox("tool", "echo line");
    run(sandbox.command("git").args(["init", "-q"])).ok();
    let file = sandbox.work().join(".toto/filters/tool.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "command = \"tool\"\nskpi = [\"x\"]\n").unwrap();
    assert!(
        run(&mut sandbox.toto(["trust", "--yes"]))
            .exits(2)
            .err()
            .contains("tool.toml:2:1: unknown key `skpi`")
    );
    fs::write(&file, "command = \"tool\"\nskip = [\"x\"]\n").unwrap();
    run(&mut sandbox.toto(["trust", "--yes"])).ok();
}

#[test]
fn the_events_of_a_test_run_were_told_as_documents() {
    let path = "tests/fixtures/report/go/go-test-json.txt";
    let events = fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let told =
        |words: &[&str]| run_with(Sandbox::new().toto(["--receipt", "off"]).args(words), &events).ok().out();
    let report = told(&[]);
    assert!(report.contains("FAILED shop_test.go:6 TestInk\n  Price(\"ink\") = 9, want 10\n"), "{report}");
    // Who asks for a notation has it.
    let notation = told(&["--format", "pvfn"]);
    assert!(notation.starts_with("ndjson[81]{") && !notation.contains("FAILED shop_test.go:6"), "{notation}");
}

#[test]
fn an_output_that_is_given_whole_because_pages_would_save_little_was_left_in_the_store() {
    let sandbox = sandbox("unknown", "cat \"$HOME/words\"");
    let text: String = (0..2000).map(|n| words(n) + "\n").collect();
    let text = &text[..=text[..24_300].rfind('\n').unwrap()];
    sandbox.home_file("words", text);
    assert_eq!(run(&mut captured(&sandbox, "unknown")).ok().out(), text);
    assert_eq!(kept(&sandbox), Vec::<std::path::PathBuf>::new());
}

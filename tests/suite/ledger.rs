//! The ledger: what is written down of a run, and that every run is counted once.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

use llm_toto::ledger::record::{self, Line, Record, VERSION};
use llm_toto::ledger::{calls, spool};
use llm_toto::tokens;
use serde_json::Value;

use crate::harness::{Outcome, Sandbox, call_words, run, run_with};

const LISTING: &str = include_str!("../fixtures/aws/ecr__describe-repositories.json");

/// A sandbox whose `aws` prints a listing.
pub fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.home_file("listing.json", LISTING);
    sandbox.tool("aws", "cat \"$HOME/listing.json\"");
    sandbox.link("aws");
    sandbox
}

/// The shim, read by an agent.
fn shim(sandbox: &Sandbox, name: &str) -> Command {
    let mut command = sandbox.command(name);
    command.env("TOTO", "on");
    command
}

fn spool_dir(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/share/toto/spool")
}

pub fn database(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/share/toto/ledger.db")
}

/// The spool's text.
fn spooled(sandbox: &Sandbox) -> String {
    let segments = spool::segments(&spool_dir(sandbox)).unwrap();
    segments.values().map(|segment| fs::read_to_string(segment).unwrap()).collect()
}

/// Made-up runs of the same number are the same run.
static NOW: LazyLock<i64> = LazyLock::new(spool::now);

/// A run as it would be written down, made up.
pub fn made_up(number: u32) -> Record<'static> {
    Record {
        v: VERSION,
        at: *NOW - i64::from(number),
        nonce: number,
        tool: "aws".into(),
        call: "aws ec2 describe-instances".into(),
        shape: "PVFN".into(),
        agent: Some("claude".into()),
        session: "00".into(),
        level: "standard".into(),
        bytes: 4000,
        given_bytes: 400,
        tokens: 1000,
        without: 1000,
        given: 100,
        receipt: 10,
        tool_us: 2000,
        own_us: 1000,
        status: Some(0),
        ..Record::default()
    }
}

/// Puts lines into today's file of the spool.
pub fn put(sandbox: &Sandbox, lines: &[u8]) -> PathBuf {
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    sandbox.home_file(format!(".local/share/toto/spool/{today}.jsonl"), lines)
}

/// Lines of so many made-up runs.
pub fn lines(runs: std::ops::Range<u32>) -> Vec<u8> {
    runs.flat_map(|number| made_up(number).line()).collect()
}

/// `toto gain --json`, and what it says.
pub fn gain(sandbox: &Sandbox) -> (Value, Outcome) {
    let outcome = run(&mut sandbox.toto(["gain", "--json"])).ok();
    (serde_json::from_str(&outcome.out()).unwrap(), outcome)
}

pub fn runs_of(sandbox: &Sandbox) -> u64 {
    gain(sandbox).0["total"]["runs"].as_u64().unwrap()
}

#[test]
fn a_run_is_written_down_as_the_receipt_tells_it() {
    let sandbox = sandbox();
    let outcome =
        run(shim(&sandbox, "aws").args(["ecr", "describe-repositories", "--registry-id", "hunter2"])).ok();
    let text = spooled(&sandbox);
    let Line::Run(record) = Record::read(text.as_bytes()) else { panic!("{text}") };
    let receipt = tokens::count(outcome.err.strip_suffix(b"\n").unwrap()) + 1;
    assert_eq!((record.tool.as_ref(), record.call.as_ref()), ("aws", "aws ecr describe-repositories"));
    assert_eq!((record.bytes, record.given_bytes), (LISTING.len() as u64, outcome.out.len() as u64));
    assert_eq!(record.tokens, tokens::count(LISTING.as_bytes()) as u64);
    assert_eq!(record.given, tokens::count(&outcome.out) as u64);
    assert_eq!(record.receipt, receipt as u64);
    assert!(outcome.err().contains(&format!("Compressed: {} tok", record.given + record.receipt)), "{text}");
    assert_eq!((record.status, record.level.as_ref(), record.shape.as_ref()), (Some(0), "standard", "PVFN"));
    assert_eq!(record.without, record.tokens);
    let mode = |path: PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    let (_, segment) = spool::segments(&spool_dir(&sandbox)).unwrap().pop_first().unwrap();
    assert_eq!((mode(spool_dir(&sandbox)), mode(segment)), (0o700, 0o600));
}

#[test]
fn nothing_of_a_command_line_an_environment_or_an_output_is_written_down() {
    const SECRETS: &[&str] = &["hunter2", "swordfish", "xyzzy", "correct-horse", "opensesame"];
    let sandbox = sandbox();
    for (tool, args) in [
        (
            "aws",
            "--profile opensesame secretsmanager get-secret-value --secret-id hunter2 --query correct-horse",
        ),
        ("aws", "s3 cp hunter2 s3://swordfish/xyzzy"),
        ("aws", "hunter2 swordfish"),
        ("aws", "opensesame"),
        ("git", "-C /opensesame checkout hunter2"),
        ("git", "commit -m hunter2 --author=swordfish xyzzy"),
        ("git", "clone https://swordfish:hunter2@host/xyzzy"),
        ("kubectl", "--token hunter2 -n swordfish get secret xyzzy -o json"),
        ("kubectl", "create secret generic hunter2 --from-literal=opensesame=swordfish"),
        ("terraform", "plan -var=password=hunter2 swordfish"),
        ("npm", "run correct-horse -- hunter2"),
        ("npx", "hunter2 swordfish"),
        ("make", "hunter2 PASSWORD=swordfish"),
        ("curl", "-H hunter2 -u swordfish:xyzzy https://opensesame"),
    ] {
        sandbox.tool(tool, "echo \"output: xyzzy correct-horse\"; env; echo hunter2 >&2; exit 7");
        let _ = std::os::unix::fs::symlink(crate::harness::toto_binary(), sandbox.farm().join(tool));
        let mut command = shim(&sandbox, tool);
        command
            .args(args.split(' '))
            .env("AWS_SECRET_ACCESS_KEY", "hunter2")
            .env("TOTO_SESSION", "opensesame");
        run(&mut command).exits(7);
    }
    run_with(&mut sandbox.toto(["--level", "max"]), b"xyzzy hunter2\n").ok();
    let text = spooled(&sandbox);
    assert_eq!(text.lines().count(), 15, "{text}");
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(
        text.contains("\"call\":\"kubectl create secret\"") && text.contains("\"call\":\"git checkout\""),
        "{text}"
    );
    run(&mut sandbox.toto(["gain", "--html"])).ok();
    for file in fs::read_dir(sandbox.home().join(".local/share/toto")).unwrap() {
        let path = file.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { continue };
        for secret in SECRETS {
            assert!(
                memchr::memmem::find(&bytes, secret.as_bytes()).is_none(),
                "{secret} in {}",
                path.display()
            );
        }
    }
}

#[test]
fn the_ledger_can_be_switched_off_and_moved() {
    let sandbox = sandbox();
    run(shim(&sandbox, "aws").env("TOTO_LEDGER", "off")).ok();
    sandbox.home_file(".config/toto/config.toml", "[ledger]\nenabled = false\n");
    run(&mut shim(&sandbox, "aws")).ok();
    assert!(!spool_dir(&sandbox).exists());
    run(shim(&sandbox, "aws").env("TOTO_LEDGER", "on")).ok();
    assert_eq!(spooled(&sandbox).lines().count(), 1);
    let data = sandbox.root().join("data");
    run(shim(&sandbox, "aws").env("TOTO_LEDGER", "on").env("XDG_DATA_HOME", &data)).ok();
    assert_eq!(spool::segments(&data.join("toto/spool")).unwrap().len(), 1);
    let outcome = run(shim(&sandbox, "aws").env("TOTO_LEDGER", "perhaps"));
    assert_eq!(outcome.out(), LISTING);
    assert!(outcome.err().contains("TOTO_LEDGER=perhaps: expected one of on, off"), "{}", outcome.err());
}

#[test]
fn a_program_that_reads_leaves_no_record() {
    let sandbox = sandbox();
    let outcome = run(&mut sandbox.command("aws")).ok();
    assert_eq!(outcome.out(), LISTING);
    assert!(!sandbox.home().join(".local").exists());
}

#[test]
fn a_ledger_that_cannot_be_written_costs_nothing() {
    let sandbox = sandbox();
    let expected = run(shim(&sandbox, "aws").env("TOTO_LEDGER", "off")).ok();
    // A file where the directory should be; a FIFO, a link and a directory where the spool should be.
    let today = jiff::Timestamp::now().strftime("%Y-%m-%d.jsonl").to_string();
    let scripts = [
        "mkdir -p data; touch data/toto".to_owned(),
        format!("mkdir -p data/toto/spool; mkfifo data/toto/spool/{today}"),
        format!("mkdir -p data/toto/spool; ln -s /dev/null data/toto/spool/{today}"),
        format!("mkdir -p data/toto/spool/{today}"),
        "ln -s /proc data".to_owned(),
    ];
    for script in scripts {
        run(&mut sandbox.shell("sh", &format!("rm -rf data; {script}"))).ok();
        let outcome = run(shim(&sandbox, "aws").env("XDG_DATA_HOME", sandbox.work().join("data")));
        assert_eq!(
            (outcome.code(), &outcome.out, &outcome.err),
            (0, &expected.out, &expected.err),
            "{script}"
        );
    }
    let outcome = run(shim(&sandbox, "aws").env_remove("HOME").env("LISTING", "1"));
    assert_eq!(outcome.code(), 1, "the tool's own: its listing is below HOME");
}

#[test]
fn a_limit_on_files_is_not_our_end() {
    let sandbox = sandbox();
    let binary = crate::harness::toto_binary().display();
    let expected = run(shim(&sandbox, "aws").env("TOTO_LEDGER", "off")).ok();
    let outcome = run(&mut sandbox.shell("bash", "ulimit -f 0; TOTO=on aws")).ok();
    assert_eq!(outcome.out, expected.out);
    let outcome = run(&mut sandbox.shell("bash", &format!("ulimit -f 0; echo '[]' | {binary}"))).ok();
    assert_eq!(outcome.out(), "[]\n");
}

#[test]
fn an_answer_of_several_calls_is_one_run() {
    let sandbox = sandbox();
    let mut fetch = sandbox.toto(["fetch", "aws ecr describe-repositories", "aws ec2 describe-instances"]);
    let outcome = run(fetch.args(["--format", "auto"])).ok();
    let text = spooled(&sandbox);
    let Line::Run(record) = Record::read(text.as_bytes()) else { panic!("{text}\n{}", outcome.out()) };
    assert_eq!((record.tool.as_ref(), record.bytes), ("fetch", 2 * LISTING.len() as u64));
    assert_eq!(record.tokens, 2 * tokens::count(LISTING.as_bytes()) as u64);
    assert_eq!(text.lines().count(), 1);
}

#[test]
fn a_thousand_shims_at_once_leave_a_thousand_records() {
    let sandbox = sandbox();
    sandbox.tool("aws", "echo '{\"Items\": [1, 2, 3]}'");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // All of a shell's shims run side by side.
                let script =
                    "i=0; while [ $i -lt 250 ]; do aws ec2 describe-instances | cat & i=$((i+1)); done; wait";
                run(sandbox.shell("sh", script).env("TOTO", "on")).ok();
            });
        }
    });
    let text = spooled(&sandbox);
    assert_eq!(text.lines().count(), 1000);
    let whole = text.lines().filter(|line| matches!(Record::read(line.as_bytes()), Line::Run(_))).count();
    assert_eq!(whole, 1000);
    assert_eq!(runs_of(&sandbox), 1000);
}

#[test]
fn a_full_disk_leaves_the_output_as_it_is_and_the_figures_complete() {
    let sandbox = sandbox();
    let expected = run(shim(&sandbox, "aws").env("TOTO_LEDGER", "off")).ok();
    let binary = crate::harness::toto_binary().display();
    // A file system of so few pages that nothing more fits on it.
    let script = format!(
        "set -e; mkdir full; mount -t tmpfs -o size=64k tmpfs full; export XDG_DATA_HOME=$PWD/full
         TOTO=on aws | cat; cat full/toto/spool/* > before
         set +e; dd if=/dev/zero of=full/filler bs=4k 2>/dev/null; set -e
         TOTO=on aws | cat; {binary} gain --json > told; cat full/toto/spool/* > after"
    );
    let outcome = run(sandbox.command("unshare").args(["-rm", "sh", "-c", &script]));
    if outcome.err().contains("Operation not permitted") || outcome.err().contains("permission denied") {
        return;
    }
    let outcome = outcome.ok();
    assert_eq!(outcome.out(), expected.out() + &expected.out());
    let told: Value = serde_json::from_slice(&fs::read(sandbox.work().join("told")).unwrap()).unwrap();
    let after = fs::read_to_string(sandbox.work().join("after")).unwrap();
    assert_eq!(told["total"]["runs"], after.matches("{\"v\":1").count(), "{after}");
    assert!(outcome.err().contains("cannot be written"), "{}", outcome.err());
}

#[test]
fn every_sum_is_that_of_the_raw_outputs() {
    let sandbox = sandbox();
    let outputs: [(&str, String, i32); 4] = [
        ("aws", LISTING.to_owned(), 0),
        ("kubectl", "NAME   READY\n".to_owned() + &"web-1  1/1\n".repeat(120), 0),
        ("git", String::new(), 0),
        ("cargo", "error: it does not compile\n".to_owned(), 101),
    ];
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    let mut add = |name, figure: usize| *expected.entry(name).or_default() += figure as u64;
    for (tool, output, status) in &outputs {
        let file = sandbox.home_file(format!("{tool}.out"), output);
        sandbox.tool(tool, &format!("cat {}; exit {status}", file.display()));
        let _ = std::os::unix::fs::symlink(crate::harness::toto_binary(), sandbox.farm().join(tool));
        for _ in 0..3 {
            let outcome = run(shim(&sandbox, tool).arg("get")).exits(*status);
            add("runs", 1);
            add("failed", usize::from(*status != 0));
            add("bytes", output.len());
            add("given_bytes", outcome.out.len());
            add("tokens", tokens::count(output.as_bytes()));
            add("given", tokens::count(&outcome.out));
            let line = outcome.err.strip_suffix(b"\n").map_or(0, |line| tokens::count(line) + 1);
            add("receipt", line);
        }
    }
    expected.insert("without", expected["tokens"]);
    let saved = expected["without"] - expected["given"] - expected["receipt"];
    expected.insert("saved", saved);
    let (told, _) = gain(&sandbox);
    for (name, figure) in &expected {
        assert_eq!(told["total"][*name], *figure, "{name} in {}", told["total"]);
        let sum = |rows: &Value| {
            rows.as_array().unwrap().iter().map(|row| row[*name].as_u64().unwrap()).sum::<u64>()
        };
        if *name != "saved" {
            assert_eq!((sum(&told["tools"]), sum(&told["days"])), (*figure, *figure), "{name}");
        }
    }
    assert!((told["total"]["dollars"].as_f64().unwrap() - saved as f64 * 3e-6).abs() < 1e-6);
}

#[test]
fn a_call_is_named_in_words_that_are_public() {
    for (line, expected) in [
        ("aws ec2 describe-instances --instance-ids i-1", "aws ec2 describe-instances"),
        ("aws --profile prod s3api list-objects-v2 --bucket b", "aws s3api list-objects-v2"),
        ("aws s3 cp secret.txt s3://b", "aws s3 cp"),
        ("git -C /home/me/project status -s", "git status"),
        ("git stash pop stash@{1}", "git stash pop"),
        ("kubectl -n prod get pods web-1 -o json", "kubectl get pods"),
        ("kubectl get widgets.example.com", "kubectl get"),
        ("cargo +nightly test parser::tests", "cargo test"),
        ("npx jest src/secret", "jest"),
        ("gcloud compute instances list --project p", "gcloud compute instances list"),
        ("terraform state show aws_db.password", "terraform state show"),
        ("sudo python3 -m pytest tests", "pytest"),
        // What no table knows.
        ("psql hunter2", "psql"),
        ("aws hunter2 describe-instances", "aws"),
        ("aws ec2 get-hunter2x9", "aws"),
        ("aws ec2 hunter2", "aws"),
        ("git hunter2 status", "git"),
        ("git checkout hunter2", "git checkout"),
        ("npm run hunter2", "npm run"),
        ("npx hunter2", "npx"),
        ("sudo hunter2 status", "sudo"),
        ("curl https://user:hunter2@host/", "curl"),
        ("kubectl --token get hunter2", "kubectl"),
        ("make hunter2", "make"),
    ] {
        let tool = line.split(' ').next().unwrap();
        assert_eq!(calls::name_of(tool, &call_words(line)), expected, "{line}");
    }
}

#[test]
fn a_tools_name_is_made_safe() {
    assert_eq!(calls::plain_name("a b\n\"c\"/é"), "a_b__c__é");
    assert_eq!(calls::plain_name(&"x".repeat(99)).len(), 48);
}

#[test]
fn a_line_is_read_back_whatever_a_torn_record_left_in_front() {
    let record = Record::new("aws", "aws \"{\\\"v\\\":1".into(), None, "s".as_ref());
    let line = record.line();
    assert!(line.starts_with(record::START.as_bytes()) && line.ends_with(b"\n"));
    let torn = &line[..line.len() / 2];
    for front in [&[][..], torn, &[0; 30]] {
        let text = [front, &line].concat();
        assert!(matches!(Record::read(&text), Line::Run(read) if *read == record));
    }
    for damaged in [torn, b"\xff{\"v\":1,\xff}\n"] {
        assert!(matches!(Record::read(damaged), Line::Damaged));
    }
    assert!(matches!(Record::read(b"{\"v\":2,\"new\":[]}\n"), Line::Later));
}

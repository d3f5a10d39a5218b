//! Many runs of every kind, sixteen at a time, some of them killed: nothing is left lying about, and the store and the
//! ledger are whole. `TOTO_SOAK=50000 cargo test --test suite soak:: -- --nocapture` makes 50,000 runs; the default is
//! a few.
#![expect(clippy::print_stdout, reason = "figures for who asks for them")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use crate::harness::{Sandbox, files_below, on_threads, run, spawn, until, words};

/// Number of runs by default.
const RUNS: usize = 160;
const SIDE_BY_SIDE: usize = 16;
/// One run in this many is killed.
const KILLED: u64 = 8;
/// Variable in the environment of every process of a soak.
const MARK: &str = "SOAK_MARK";

/// A kind of run, and the result that it must have unless it is killed.
struct Kind {
    name: &'static str,
    /// Number of such runs in a hundred.
    share: u64,
    line: &'static str,
    captured: bool,
    /// Whether the run has a line in the ledger.
    is_written_down: bool,
    status: fn(ExitStatus) -> bool,
    tells: &'static str,
}

/// A captured run that succeeds.
const BASE: Kind = Kind {
    name: "",
    share: 0,
    line: "",
    captured: true,
    is_written_down: true,
    status: |status| status.success(),
    tells: "",
};

const KINDS: [Kind; 11] = [
    Kind {
        name: "raw",
        share: 19,
        line: "list",
        captured: false,
        is_written_down: false,
        tells: "\"item-39\"",
        ..BASE
    },
    Kind { name: "document", share: 26, line: "list", tells: "item-39", ..BASE },
    Kind { name: "text", share: 15, line: "many", tells: "\n(page 1 of 3; next: toto show ", ..BASE },
    Kind {
        name: "failure",
        share: 12,
        line: "fail",
        status: |status| status.code() == Some(3),
        tells: "no such bucket",
        ..BASE
    },
    Kind {
        name: "death",
        share: 6,
        line: "die",
        status: |status| status.signal() == Some(11) || status.code() == Some(139),
        tells: "about to die",
        ..BASE
    },
    Kind { name: "descriptors", share: 8, line: "descriptors", tells: "open as ever", ..BASE },
    Kind { name: "pipe", share: 6, line: "list | toto", captured: false, tells: "item-39", ..BASE },
    Kind { name: "slow", share: 3, line: "slow", tells: "item-39", ..BASE },
    Kind {
        name: "show",
        share: 3,
        line: "toto show last || true",
        captured: false,
        is_written_down: false,
        ..BASE
    },
    Kind {
        name: "gain",
        share: 1,
        line: "toto gain >/dev/null",
        captured: false,
        is_written_down: false,
        ..BASE
    },
    Kind {
        name: "clean",
        share: 1,
        line: "toto clean --all >/dev/null",
        captured: false,
        is_written_down: false,
        ..BASE
    },
];

fn stage() -> Sandbox {
    let sandbox = Sandbox::new();
    let row = |n: usize| format!("    {{\n      \"Name\": \"item-{n}\",\n      \"Note\": null\n    }}");
    let rows: Vec<String> = (0..40).map(row).collect();
    sandbox.home_file("list.json", format!("{{\n  \"Items\": [\n{}\n  ]\n}}\n", rows.join(",\n")));
    let lines = (0..1000).map(|n| format!("line {n} of a text, {}\n", words(n)));
    sandbox.home_file("many.txt", lines.collect::<String>());
    for (name, body) in [
        ("list", "exec cat \"$HOME/list.json\""),
        ("many", "exec cat \"$HOME/many.txt\""),
        ("fail", "cat \"$HOME/list.json\"; echo 'error: no such bucket'; exit 3"),
        ("die", "echo about to die; kill -SEGV $$"),
        ("slow", "cat \"$HOME/list.json\"; sleep 0.35"),
        // The directory of the glob is open while the glob is read, and not after it.
        (
            "descriptors",
            "set -- /proc/$$/fd/*; all=; for fd; do [ -e $fd ] && all=$all,${fd##*/}; done; \
             [ -e \"$HOME/open\" ] || echo $all >\"$HOME/open\"; read -r usual <\"$HOME/open\"; \
             if [ $all = $usual ]; then echo open as ever; else echo open: $all, not $usual; fi",
        ),
    ] {
        sandbox.tool(name, body);
        sandbox.link(name);
    }
    sandbox.link("toto");
    // Without toto, for comparison.
    run(&mut sandbox.command(sandbox.tools().join("descriptors"))).ok();
    sandbox
}

/// A sequence of numbers that is the same for the same seed (xorshift64*, Vigna).
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % below
    }
}

#[derive(Default)]
struct Tally {
    runs: BTreeMap<&'static str, [usize; 2]>,
    wrong: Vec<String>,
    /// Runs that were not killed and are in the ledger; runs that were killed and may be.
    written: usize,
    perhaps_written: usize,
}

fn one(sandbox: &Sandbox, mark: &str, number: usize, tally: &Mutex<Tally>) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (number as u64 + 1).wrapping_mul(0xD134_2543_DE82_EF95));
    let mut at = random.next(100);
    let kind = KINDS.iter().find(|kind| {
        let here = at < kind.share;
        at = at.wrapping_sub(kind.share);
        here
    });
    let kind = kind.unwrap_or(&KINDS[0]);
    let killed = random.next(KILLED) == 0;
    let mut command: Command = if kind.line.contains(' ') {
        sandbox.shell("/bin/sh", kind.line)
    } else {
        sandbox.command(kind.line)
    };
    command.env(MARK, mark).stdout(Stdio::piped()).stderr(Stdio::null());
    if kind.captured {
        command.env("TOTO", "on");
    }
    let mut child = spawn(&mut command);
    if killed {
        thread::sleep(Duration::from_micros(random.next(30_000)));
        let signal = ["-KILL", "-TERM", "-INT"][random.next(3) as usize];
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).stderr(Stdio::null()).status();
    }
    let mut out = Vec::new();
    let _ = std::io::Read::read_to_end(&mut child.stdout.take().unwrap(), &mut out);
    let status = child.wait().unwrap();
    let mut tally = tally.lock().unwrap();
    tally.runs.entry(kind.name).or_default()[usize::from(killed)] += 1;
    if kind.is_written_down {
        *if killed { &mut tally.perhaps_written } else { &mut tally.written } += 1;
    }
    let text = String::from_utf8_lossy(&out);
    if !(killed || (kind.status)(status) && text.contains(kind.tells)) {
        let begins: String = text.chars().take(300).collect();
        let ends: String = text.chars().skip(300.max(text.chars().count().saturating_sub(300))).collect();
        tally.wrong.push(format!("{}: {status}: {begins} […] {ends}", kind.name));
    }
}

/// Command lines of the processes that have the mark in their environment.
fn marked(mark: &str) -> Vec<String> {
    let is_marked = |path: &Path| {
        fs::read(path.join("environ")).is_ok_and(|all| memchr::memmem::find(&all, mark.as_bytes()).is_some())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let name =
        |path: PathBuf| fs::read_to_string(path.join("cmdline")).unwrap_or_default().replace('\0', " ");
    processes.filter(|path| is_marked(path)).map(name).collect()
}

#[test]
fn nothing_is_left_and_everything_is_written_down() {
    let runs = std::env::var("TOTO_SOAK").map_or(RUNS, |runs| runs.parse().expect("TOTO_SOAK is a number"));
    let sandbox = stage();
    let mark = format!("soak-{}-{}", std::process::id(), sandbox.root().display());
    let tally = Mutex::new(Tally::default());
    let own_descriptors = || fs::read_dir("/proc/self/fd").unwrap().count();
    let (before, start) = (own_descriptors(), Instant::now());
    on_threads(SIDE_BY_SIDE, 0..runs, |number| one(&sandbox, &mark, number, &tally));
    let took = start.elapsed();
    let tally = tally.into_inner().unwrap();
    assert!(
        tally.wrong.is_empty(),
        "{} wrong: {:#?}",
        tally.wrong.len(),
        &tally.wrong[..tally.wrong.len().min(5)]
    );
    // The kernel ends the tool of a killed shim, which may take a moment.
    let mut left = Vec::new();
    until(|| {
        let found = marked(&mark);
        if found != left {
            println!("left: {found:?}");
        }
        left = found;
        left.is_empty().then_some(())
    });
    if runs > RUNS {
        // The suite's other tests open files of their own; run alone, this test gives back the descriptors that it
        // took.
        assert!(own_descriptors() <= before + 4, "{} descriptors, {before} before", own_descriptors());
    }
    let killed: usize = tally.runs.values().map(|runs| runs[1]).sum();
    let kept = the_store_is_whole(&sandbox, killed);
    let written = the_ledger_is_whole(&sandbox, &tally);
    println!("{:?}", tally.runs);
    println!(
        "{runs} runs ({killed} killed) in {took:.0?}: {kept} outputs kept, {written} runs in the ledger, no process left"
    );
}

/// Checks the store; returns the number of outputs kept.
fn the_store_is_whole(sandbox: &Sandbox, killed: usize) -> usize {
    let store = sandbox.home().join(".local/state/toto/outputs");
    let files = files_below(&store);
    let of = |ending: &str| {
        files.iter().filter(|path| path.extension().is_some_and(|found| found == ending)).count()
    };
    let half: Vec<&PathBuf> = files
        .iter()
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(".saving-"))
        .collect();
    let (outputs, facts) = (of("out") + of("err"), of("json"));
    let kept = outputs + facts + of("page") + half.len();
    assert_eq!(kept, files.len(), "outputs, their facts, their pages and nothing else");
    assert!(
        outputs - outputs.min(facts) + half.len() <= killed,
        "{outputs} outputs, {facts} facts, {half:?}"
    );
    assert!(files_below(&sandbox.temporary()).is_empty(), "nothing but the store is written");
    assert_eq!(fs::read_dir(sandbox.farm()).unwrap().count(), 7, "the links, and nothing half-made");
    // Half-written files of a killed run, and facts whose output was cleaned away before they were written, go with the
    // next cleaning, once they are too old to be in use.
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    for path in &files {
        fs::File::options().append(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    run(&mut sandbox.toto(["clean", "--all"])).ok();
    assert_eq!(files_below(&store), Vec::<PathBuf>::new());
    outputs
}

/// Checks the ledger; returns the number of runs in it.
fn the_ledger_is_whole(sandbox: &Sandbox, tally: &Tally) -> usize {
    let told = run(&mut sandbox.toto(["gain", "--json"])).ok();
    assert_eq!(told.err(), "", "no line is damaged");
    let told: Value = serde_json::from_str(&told.out()).unwrap();
    let written = told["total"]["runs"].as_u64().unwrap() as usize;
    let most = tally.written + tally.perhaps_written;
    assert!((tally.written..=most).contains(&written), "{written} of {} to {most}", tally.written);
    let database = rusqlite::Connection::open(sandbox.home().join(".local/share/toto/ledger.db")).unwrap();
    let sound: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    written
}

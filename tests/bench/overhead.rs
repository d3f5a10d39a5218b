//! Cost of a shim: the same tool called directly, through the least program that finds and becomes it (`limit.c`), through
//! the raw path, captured, and through peers, in turn, in one run.
//!
//! `cargo bench --bench overhead [-- ROUNDS]`. Each round runs every variant once, so that a noisy machine is
//! noisy for all of them; the figures are medians over the rounds. `TOTO_PEERS` names a directory with the peers of
//! [`PEERS`] that are to be measured, too.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Other programs that shorten the output of commands: name, words in front of a command, and commands that they take
/// without such words.
const PEERS: &[(&str, &[&str], &[&str])] =
    &[("tokf", &["run"], &[]), ("rtk", &["run"], &["git"]), ("lean-ctx", &["-c"], &[])];

/// A command that is measured.
struct Case {
    name: &'static str,
    /// The tool's name and arguments.
    command: Vec<OsString>,
    cwd: PathBuf,
    /// Bytes that the command prints, where their number tells a raw output from a compressed one.
    bytes: Option<u64>,
    /// Number of rounds.
    rounds: usize,
}

/// One way to run a command.
struct Variant {
    name: String,
    /// The directory that is first on PATH.
    first: PathBuf,
    /// Words in front of the command.
    wrapper: Vec<OsString>,
    agent_reads: bool,
    times: Vec<Duration>,
    /// Bytes that the caller got, both streams.
    given: usize,
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(300);
    let world = tempfile::tempdir().expect("a temporary directory");
    let root = world.path();
    let (farm, tools, limit) = (root.join("bin"), root.join("tools"), root.join("limit"));
    for dir in [&farm, &tools, &limit] {
        fs::create_dir(dir).expect("writable");
    }
    // As an installation copies it: a file that a linker wrote lies in memory page by page, and starts slower.
    let toto = root.join("toto");
    fs::copy(env!("CARGO_BIN_EXE_toto"), &toto).expect("writable");
    for tool in ["aws", "true", "git"] {
        symlink(&toto, farm.join(tool)).expect("writable");
        symlink("program", limit.join(tool)).expect("writable");
    }
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/limit.c");
    let compiled =
        Command::new("cc").args(["-O2", "-static", "-o"]).arg(limit.join("program")).arg(source).status();
    assert!(compiled.is_ok_and(|status| status.success()), "no C compiler");
    symlink("/bin/cat", tools.join("aws")).expect("writable");
    symlink("/bin/true", tools.join("true")).expect("writable");

    // As many descriptors as an agent has open: the shim looks through them.
    let _descriptors: Vec<_> = (0..25).map(|_| std::io::pipe().expect("descriptors")).collect();

    println!("one run, medians of {rounds} rounds, read through a pipe; the tool that prints JSON is cat\n");
    println!(
        "{:<12} {:<34} {:>9} {:>12} {:>8} {:>9}",
        "command", "called", "median", "over bare", "ratio", "given"
    );
    for case in cases(root, rounds) {
        let mut variants = variants([&tools, &limit, &farm], &case.command[0]);
        for _ in 0..case.rounds {
            for variant in &mut variants {
                let (took, given) = call(&case, variant, root, &tools);
                variant.times.push(took);
                variant.given = given;
            }
        }
        print(case.name, &mut variants);
    }
}

fn cases(root: &Path, rounds: usize) -> Vec<Case> {
    let case = |name, command: &[&str], bytes, rounds| Case {
        name,
        command: command.iter().map(OsString::from).collect(),
        cwd: root.to_owned(),
        bytes,
        rounds,
    };
    let mut cases = vec![case("true", &["true"], None, rounds)];
    for (name, size, rounds) in
        [("1 KB JSON", 1, rounds), ("10 KB JSON", 10, rounds), ("1 MB JSON", 1024, rounds / 5 + 1)]
    {
        let file = root.join(format!("{size}.json"));
        fs::write(&file, json(size << 10)).expect("writable");
        let bytes = fs::metadata(&file).expect("there").len();
        cases.push(case(name, &["aws", file.to_str().expect("UTF-8")], Some(bytes), rounds));
    }
    let repository = root.join("repository");
    fs::create_dir(&repository).expect("writable");
    let made = Command::new("git").args(["init", "-q"]).current_dir(&repository).env("HOME", root).status();
    if made.is_ok_and(|status| status.success()) {
        (0..12).for_each(|n| fs::write(repository.join(format!("file{n}")), "text").expect("writable"));
        let status = case("git status", &["git", "status"], None, rounds);
        cases.push(Case { cwd: repository, ..status });
    }
    cases
}

fn variants([tools, limit, farm]: [&Path; 3], tool: &OsStr) -> Vec<Variant> {
    let variant = |name: &str, first: &Path, wrapper: Vec<OsString>, agent_reads| Variant {
        name: name.to_owned(),
        first: first.to_owned(),
        wrapper,
        agent_reads,
        times: Vec::new(),
        given: 0,
    };
    let mut variants = vec![
        variant("directly", tools, vec![], false),
        variant("limit: execve and no more", limit, vec![], false),
        variant("toto, a program reads (raw)", farm, vec![], false),
        variant("toto, an agent reads (captured)", farm, vec![], true),
    ];
    let peers = std::env::var_os("TOTO_PEERS").map(PathBuf::from);
    for (name, words, knows) in PEERS {
        let Some(program) = peers.as_ref().map(|peers| peers.join(name)).filter(|path| path.exists()) else {
            continue;
        };
        let words = if knows.iter().any(|known| tool == *known) { &[] } else { *words };
        let wrapper = std::iter::once(program.into()).chain(words.iter().map(OsString::from)).collect();
        let called = [&[*name][..], words].concat().join(" ");
        variants.push(variant(&called, tools, wrapper, false));
    }
    variants
}

/// Starts the command, reads both streams to their ends and waits; returns the time that this took, and the bytes of
/// both.
fn call(case: &Case, variant: &Variant, root: &Path, tools: &Path) -> (Duration, usize) {
    let mut words = variant.wrapper.iter().chain(&case.command);
    // The name is found on this command's PATH; the shim then finds the tool on the same PATH.
    let mut command = Command::new(words.next().expect("a command"));
    command
        .args(words)
        .current_dir(&case.cwd)
        .env_clear()
        .env("PATH", format!("{}:{}:/usr/bin:/bin", variant.first.display(), tools.display()))
        .env("HOME", root)
        .env("TOTO_HOME", root);
    if variant.agent_reads {
        // This process is the agent: it sets the mark and reads the pipes.
        command.env("TOTO_AGENT", "1");
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().expect("runs");
    let mut out = Vec::new();
    child.stdout.take().expect("piped").read_to_end(&mut out).expect("readable");
    let mut err = Vec::new();
    child.stderr.take().expect("piped").read_to_end(&mut err).expect("readable");
    let status = child.wait().expect("waited for");
    let took = start.elapsed();
    assert!(status.success(), "{}: {}", variant.name, String::from_utf8_lossy(&err));
    if let Some(original) = case.bytes.filter(|_| variant.wrapper.is_empty()) {
        assert_eq!(
            out.len() as u64 == original,
            !variant.agent_reads,
            "{}: {} bytes of {original}: is this the way that was to be measured?",
            variant.name,
            out.len()
        );
    }
    (took, out.len() + err.len())
}

fn print(case: &str, variants: &mut [Variant]) {
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    let bare = median(&mut variants[0].times);
    for variant in variants {
        let this = median(&mut variant.times);
        println!(
            "{case:<12} {:<34} {this:>6.2} ms {:>9.2} ms {:>7.2}x {:>9}",
            variant.name,
            this - bare,
            this / bare,
            variant.given
        );
    }
}

/// A list of records of about `bytes` bytes, as tools print it.
fn json(bytes: usize) -> String {
    let mut text = String::from("{\n    \"Items\": [\n");
    for number in 0.. {
        let last = text.len() > bytes.saturating_sub(250);
        let _ = write!(
            text,
            "        {{\n            \"InstanceId\": \"i-{:017x}\",\n            \"State\": \"running\",\n            \"Zone\": \"us-east-1{}\",\n            \"Cpus\": {}\n        }}{}\n",
            (number as u64 + 7).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 4,
            ["a", "b", "c"][number % 3],
            1 << (number % 5),
            if last { "" } else { "," }
        );
        if last {
            break;
        }
    }
    text + "    ]\n}\n"
}

//! Cost of the ledger: a record during a run, the folding of a million records, and the answers after that.
//!
//! `cargo bench --bench ledger [-- RUNS]`. The record is measured by itself, and as a shim with the ledger against the
//! same shim without it, in turn, so that a noisy machine is noisy for both.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use llm_toto::ledger::record::{Record, VERSION};
use llm_toto::ledger::{calls, spool};

const APPENDS: u32 = 20_000;
const ROUNDS: usize = 400;

fn main() {
    let runs = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let world = tempfile::tempdir().expect("a temporary directory");
    append(world.path());
    shim(world.path());
    fold(world.path(), runs);
}

/// Builds and appends records in this process: nothing but the record.
fn append(root: &Path) {
    let dir = root.join("append/toto/spool");
    fs::create_dir_all(&dir).expect("writable");
    let command =
        ["aws", "--profile", "p", "ec2", "describe-instances", "--instance-ids", "i-1"].map(Into::into);
    let path = dir.join("2026-11-21.jsonl");
    let (mut with_call, mut only_write) = (Duration::ZERO, Duration::ZERO);
    for number in 0..APPENDS {
        let start = Instant::now();
        let record = Record { call: calls::name_of("aws", &command).into(), ..made_up(number) };
        let line = record.line();
        let built = Instant::now();
        // As `spool::append` does it, without a home of its own.
        let mut file = fs::File::options().append(true).create(true).open(&path).expect("writable");
        file.write_all(&line).expect("writable");
        drop(file);
        only_write += built.elapsed();
        with_call += start.elapsed();
    }
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(APPENDS);
    println!(
        "a record †: {:.1} µs, of which {:.1} µs to open, append and close\n",
        each(with_call),
        each(only_write)
    );
}

/// Times a captured run with the ledger and without it.
fn shim(root: &Path) {
    let (farm, tools) = (root.join("bin"), root.join("tools"));
    for dir in [&farm, &tools] {
        fs::create_dir(dir).expect("writable");
    }
    symlink(env!("CARGO_BIN_EXE_toto"), farm.join("aws")).expect("writable");
    symlink("/bin/cat", tools.join("aws")).expect("writable");
    let file = root.join("out.json");
    let text = "[{\"a\": 1, \"b\": [1, 2, 3]}, {\"a\": 2, \"b\": [4]}]\n".repeat(20);
    let size = text.len();
    fs::write(&file, text).expect("writable");
    let path = format!("{}:{}:/usr/bin:/bin", farm.display(), tools.display());
    let call = |ledger: &str| {
        let mut command = Command::new("aws");
        command.arg(&file).env_clear().env("PATH", &path).env("HOME", root).env("TOTO_HOME", root);
        command.env("TOTO", "on").env("TOTO_LEDGER", ledger);
        command.stdin(Stdio::null());
        let start = Instant::now();
        let output = command.output().expect("runs");
        let took = start.elapsed();
        assert!(output.status.success() && output.stdout.len() < size, "not captured");
        took
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (times, ledger) in times.iter_mut().zip(["off", "on"]) {
            times.push(call(ledger));
        }
    }
    let [without, with] = times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    });
    println!(
        "a captured run, median of {ROUNDS}: {without:.3} ms without the ledger, {with:.3} ms with it: {:+.3} ms, {:.3}x\n",
        with - without,
        with / without
    );
}

/// Folds a spool of many runs into the database, and times the answers after that.
fn fold(root: &Path, runs: u32) {
    let spool = root.join("data/toto/spool");
    fs::create_dir_all(&spool).expect("writable");
    let mut file = std::io::BufWriter::new(fs::File::create(spool.join("merged.jsonl")).expect("writable"));
    for number in 0..runs {
        file.write_all(&made_up(number).line()).expect("writable");
    }
    drop(file);
    let gain = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toto"));
        command.arg("gain").args(args).env("XDG_DATA_HOME", root.join("data"));
        let (start, before) = (Instant::now(), children_seconds());
        let output = command.output().expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (took, cpu) = (start.elapsed().as_secs_f64(), children_seconds() - before);
        (format!("{took:.2} s, {cpu:.2} s of processor time"), output.stdout)
    };
    let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len() >> 20);
    let (first, told) = gain(&["--json"]);
    assert!(String::from_utf8_lossy(&told).contains(&format!("\"runs\": {runs},")), "runs were lost");
    println!(
        "{runs} runs ({} MiB of spool) folded and told of †: {first}",
        size(&spool.join("merged.jsonl"))
    );
    println!("the database: {} MiB", size(&root.join("data/toto/ledger.db")));
    for args in [
        &[][..],
        &["--daily"],
        &["--by-command"],
        &["--session", "s1"],
        &["--since", "12h"],
        &["--html", "-"],
        &["--openmetrics"],
    ] {
        println!("toto gain {:<16} {}", args.join(" "), gain(args).0);
    }
}

/// Processor time of the children that have ended (proc(5): cutime and cstime, in hundredths of a second).
fn children_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(13).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A made-up run; a million of them cover 90 days, 40 commands, 3 agents and 5,000 sessions.
fn made_up(number: u32) -> Record<'static> {
    const CALLS: [&str; 8] = ["get", "describe", "list", "status", "log", "diff", "build", "test"];
    const TOOLS: [&str; 5] = ["aws", "kubectl", "git", "cargo", "docker"];
    let mix = number.wrapping_mul(2_654_435_761);
    let tool = TOOLS[mix as usize % 5];
    Record {
        v: VERSION,
        at: spool::now() - i64::from(number) * (90 * 86_400_000_000 / 1_000_000),
        nonce: mix,
        tool: tool.into(),
        call: format!("{tool} {}", CALLS[(mix >> 8) as usize % 8]).into(),
        shape: ["PVFN", "SchemaYAML", "JSON", "Text", "Raw"][(mix >> 12) as usize % 5].into(),
        filter: (mix & 64 > 0).then(|| tool.into()),
        agent: Some(["claude", "codex", "gemini"][(mix >> 16) as usize % 3].into()),
        session: spool::session_hash(format!("s{}", number / 200).as_ref()).into(),
        level: "standard".into(),
        bytes: u64::from(mix >> 12),
        given_bytes: u64::from(mix >> 15),
        tokens: u64::from(mix >> 14),
        without: u64::from(mix >> 14),
        given: u64::from(mix >> 17),
        receipt: 30,
        tool_us: u64::from(mix >> 10),
        own_us: 3000,
        status: Some(i32::from(mix.is_multiple_of(32))),
        ..Record::default()
    }
}

//! What a shim costs: the same tool called directly, through the raw path and captured, in turn, in one run.
//!
//! `cargo bench --bench overhead [-- ROUNDS]`. Each round runs every variant once, so that a noisy machine is
//! noisy for all of them; the figures are medians over the rounds.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One way to call the tool.
struct Variant {
    name: &'static str,
    program: PathBuf,
    agent_reads: bool,
    times: Vec<Duration>,
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(300);
    let world = tempfile::tempdir().expect("a temporary directory");
    let root = world.path();
    let (farm, tools) = (root.join("bin"), root.join("tools"));
    for dir in [&farm, &tools] {
        fs::create_dir(dir).expect("writable");
    }
    symlink(env!("CARGO_BIN_EXE_toto"), farm.join("aws")).expect("writable");
    symlink("/bin/cat", tools.join("aws")).expect("writable");
    let path = format!("{}:{}:/usr/bin:/bin", farm.display(), tools.display());

    // As many descriptors as an agent has open: the shim looks through them.
    let _descriptors: Vec<_> = (0..25).map(|_| std::io::pipe().expect("descriptors")).collect();

    println!("one run, medians of {rounds} rounds; the tool is cat, its output read through a pipe\n");
    println!("{:<10} {:<34} {:>9} {:>12} {:>8}", "output", "called", "median", "over bare", "ratio");
    for (size, text) in [("1 KB", json(1 << 10)), ("10 KB", json(10 << 10)), ("1 MB", json(1 << 20))] {
        let file = root.join("out.json");
        fs::write(&file, &text).expect("writable");
        let mut variants = [
            variant("directly", tools.join("aws"), false),
            variant("shim, a program reads", farm.join("aws"), false),
            variant("shim, an agent reads (captured)", farm.join("aws"), true),
        ];
        for _ in 0..(if text.len() > 1 << 16 { rounds / 5 + 1 } else { rounds }) {
            for variant in &mut variants {
                variant.times.push(call(variant, root, &path, &file));
            }
        }
        print(size, &mut variants);
    }
}

fn variant(name: &'static str, program: PathBuf, agent_reads: bool) -> Variant {
    Variant { name, program, agent_reads, times: Vec::new() }
}

/// Starts it, reads both streams to their ends, waits.
fn call(variant: &Variant, root: &Path, path: &str, file: &Path) -> Duration {
    let mut command = Command::new("aws");
    // The name is found on this command's PATH; the shim then finds the tool on the same.
    let first = variant.program.parent().expect("a directory").display();
    command
        .arg(file)
        .env_clear()
        .env("PATH", format!("{first}:{path}"))
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
    assert!(status.success() && !out.is_empty(), "{}: {}", variant.name, String::from_utf8_lossy(&err));
    let original = fs::metadata(file).expect("there").len();
    assert_eq!(
        out.len() as u64 == original,
        !variant.agent_reads,
        "{}: {} bytes of {original}: is this the way that was to be measured?",
        variant.name,
        out.len()
    );
    took
}

fn print(size: &str, variants: &mut [Variant]) {
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    let bare = median(&mut variants[0].times);
    for variant in variants {
        let this = median(&mut variant.times);
        println!(
            "{size:<10} {:<34} {this:>6.2} ms {:>9.2} ms {:>7.2}x",
            variant.name,
            this - bare,
            this / bare
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

//! A gigabyte of text through a captured run: peak memory, and time against `cat` through a pipe.
//!
//! `cargo bench --bench large [-- MEBIBYTES]`. Rounds are interleaved, so that a noisy machine is noisy for all; the
//! figures are medians. `cat` is measured twice: into nothing, and into a file beside ours, which is the same work.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;

fn main() {
    let mebibytes: usize = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(1024);
    let world = tempfile::tempdir().expect("a temporary directory");
    let text = world.path().join("text");
    write_text(&text, mebibytes);
    let text = text.display().to_string();
    let copy = world.path().join("copy").display().to_string();
    let ways = [
        ("cat | cat >/dev/null", format!("cat '{text}' | cat >/dev/null")),
        ("cat | cat >file", format!("cat '{text}' | cat >'{copy}'; rm '{copy}'")),
        (
            "toto run -- cat",
            format!("exec '{}' run -- cat '{text}' >/dev/null 2>&1", env!("CARGO_BIN_EXE_toto")),
        ),
    ];
    let mut times = [const { Vec::new() }; 3];
    let mut most_memory = 0;
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            let (time, memory) = run(&way.1, world.path());
            times.push(time);
            if way.0.starts_with("toto") {
                most_memory = most_memory.max(memory);
            }
            let _ = fs::remove_dir_all(world.path().join("state"));
        }
    }
    let medians = times.map(|mut times| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    });
    println!("{mebibytes} MiB of text, medians of {ROUNDS} rounds");
    for ((name, _), median) in ways.iter().zip(medians) {
        println!(
            "{name:<22} {median:>6.2} s  {:>6.0} MiB/s  {:.2} of cat's speed",
            mebibytes as f64 / median,
            medians[0] / median
        );
    }
    println!("toto against cat into a file: {:.2}; peak memory {most_memory} KiB", medians[1] / medians[2]);
}

/// Lines of a log, none of them like the one before it.
fn write_text(path: &Path, mebibytes: usize) {
    let mut block = Vec::new();
    for n in 0_u64.. {
        if block.len() >= 1 << 20 {
            break;
        }
        let id = n.wrapping_mul(2_654_435_761) % 1_000_000_007;
        let _ = writeln!(
            block,
            "2026-11-21T12:{:02}:{:02}Z INFO worker-{} compiled unit {id} in {} ms",
            n / 60 % 60,
            n % 60,
            n % 37,
            id % 997
        );
    }
    block.truncate(1 << 20);
    let mut file = fs::File::create(path).expect("writable");
    for _ in 0..mebibytes {
        file.write_all(&block).expect("room for the text");
    }
}

/// Time, and the peak of its resident memory in KiB (`VmHWM`, proc(5)) as far as it was seen.
fn run(script: &str, home: &Path) -> (Duration, u64) {
    let start = Instant::now();
    let mut child = Command::new("/bin/sh")
        .args(["-c", script])
        .env("HOME", home)
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::null())
        .spawn()
        .expect("sh");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("a child").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0).max(most);
        std::thread::sleep(Duration::from_millis(5));
    }
    (start.elapsed(), most)
}

//! A gigabyte of text through a captured run: peak memory, and time against `cat` through a pipe.
//!
//! `cargo bench --bench large [-- MEBIBYTES]`. Rounds are interleaved; the figures are the least of them: a noisy machine
//! only adds, and so does a virtual one that has to find the memory for the pages of a file. `cat` is measured twice: into /dev/null, and into a file beside ours, which is the same work as
//! ours. Beside the time on the clock stands the processor time, the tool's included, to which other work on the
//! machine and a slow disk add nothing.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::fs;
use std::io::{Read as _, Write as _};
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
        ("cat | cat >/dev/null", format!("cat '{text}' | cat >/dev/null; times")),
        ("cat | cat >file", format!("cat '{text}' | cat >'{copy}'; times; rm '{copy}'")),
        (
            "toto run -- cat",
            format!("'{}' run -- cat '{text}' >/dev/null 2>&1; times", env!("CARGO_BIN_EXE_toto")),
        ),
    ];
    let mut runs = [const { Vec::new() }; 3];
    for _ in 0..ROUNDS {
        for (way, runs) in ways.iter().zip(&mut runs) {
            runs.push(run(&way.1, world.path()));
            let _ = fs::remove_dir_all(world.path().join("state"));
        }
    }
    let most_memory = runs[2].iter().map(|run| run.memory).max().unwrap_or(0);
    let clock = runs.each_ref().map(|runs| least(runs.iter().map(|run| run.clock)));
    let processors = runs.each_ref().map(|runs| least(runs.iter().map(|run| run.processors)));
    println!("{mebibytes} MiB of text, the least of {ROUNDS} rounds; speed against the first");
    for (at, (name, _)) in ways.iter().enumerate() {
        println!(
            "{name:<22} {:>6.2} s {:>6.0} MiB/s {:>5.2}    processors {:>5.2} s {:>5.2}",
            clock[at],
            mebibytes as f64 / clock[at],
            clock[0] / clock[at],
            processors[at],
            processors[0] / processors[at]
        );
    }
    println!(
        "toto against cat into a file: {:.2}, processors {:.2}; peak memory {most_memory} KiB",
        clock[1] / clock[2],
        processors[1] / processors[2]
    );
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
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

/// The costs of one run.
struct Run {
    /// Seconds on the clock.
    clock: f64,
    /// Processor time of the whole pipeline, in seconds.
    processors: f64,
    /// Peak resident memory of our process in KiB, as far as it was seen.
    memory: u64,
}

/// Runs a script that ends with `times`.
fn run(script: &str, home: &Path) -> Run {
    let start = Instant::now();
    let mut child = Command::new("/bin/sh")
        .args(["-c", script])
        .env("HOME", home)
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sh");
    let mut memory = 0;
    while child.try_wait().expect("a child").is_none() {
        memory = peak_of_child(child.id()).unwrap_or(0).max(memory);
        std::thread::sleep(Duration::from_millis(5));
    }
    let clock = start.elapsed().as_secs_f64();
    let mut told = String::new();
    let _ = child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut told));
    let of_children = told.lines().last().unwrap_or_default();
    Run { clock, processors: of_children.split(' ').filter_map(seconds).sum(), memory }
}

/// The seconds of `0m1.25s`, as the shell's `times` prints them.
fn seconds(text: &str) -> Option<f64> {
    let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
    Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
}

/// Peak resident memory of the first child of a process, in KiB (`VmHWM`, proc(5)).
fn peak_of_child(parent: u32) -> Option<u64> {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    let status = fs::read_to_string(format!("/proc/{}/status", children.split(' ').next()?)).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().trim_end_matches(" kB").parse().ok()
}

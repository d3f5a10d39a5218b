//! Cost of the decision "who reads?" by itself: without an agent, and with an agent that holds 10, 50 or 500
//! descriptors.
//!
//! `cargo bench --bench decision`. The benchmark plays the agent: it runs itself under the name of an agent; that
//! process runs a shell, which runs the benchmark once more to decide over and over.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

use std::env;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use llm_toto::{Trace, decide};

const ROUNDS: usize = 3000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("agent") => agent(arguments[1].parse().expect("a number")),
        Some("decide") => measure(),
        _ => compare(),
    }
}

fn compare() {
    let world = tempfile::tempdir().expect("a temporary directory");
    let ourselves = env::current_exe().expect("our own path");
    println!("the decision alone †, by {ROUNDS} in one process; its parent is a shell, its output a pipe\n");
    for (what, name, descriptors) in [
        ("no agent", "program", "50"),
        ("agent, 10 descriptors", "goose", "10"),
        ("agent, 50 descriptors", "goose", "50"),
        ("agent, 500 descriptors", "goose", "500"),
    ] {
        let started_as = world.path().join(name);
        if !started_as.exists() {
            symlink(&ourselves, &started_as).expect("writable");
        }
        let output = Command::new(&started_as).args(["agent", descriptors]).output().expect("it starts");
        println!("{what:<24} {}", String::from_utf8_lossy(&output.stderr).trim());
    }
}

/// Plays the agent: holds descriptors, and reads the output of its command.
fn agent(descriptors: usize) {
    let _held: Vec<_> = (0..descriptors / 2).map(|_| std::io::pipe().expect("descriptors")).collect();
    let ourselves = env::current_exe().expect("our own path");
    let script = format!("'{}' decide; true", Path::new(&ourselves).display());
    let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().expect("a shell");
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
}

fn measure() {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(decide(&mut Trace::off()));
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let plan = if decide(&mut Trace::off()).captured.is_some() { "captured" } else { "raw" };
    let at = |part: usize| times[ROUNDS * part / 100];
    eprintln!("{plan:<9} median {:>5.0} µs   best {:>5.0} µs   95 % {:>5.0} µs", at(50), times[0], at(95));
}

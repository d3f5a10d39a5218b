//! Failing runs of real tools: whether the agent gets the lines that say why, and in how many tokens.
//!
//! `cargo bench --bench reasons` reads ../shared/corpus/dev/text and prints nothing but a note where that is not there.
//! `reasons.toml` marks the lines. Head and tail: the first and last 10,000 bytes, about as agents cut.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs, prints, and fails"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use llm_toto::tokens;

mod marks;

/// Bytes that are left at each end of a cut text.
const END: usize = 10_000;

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/dev/text");
    let corpus = std::env::var_os("CORPUS").map_or(corpus, Into::into);
    if !corpus.is_dir() {
        println!("{} is not there: nothing to measure", corpus.display());
        return;
    }
    let home = tempfile::tempdir().expect("a temporary directory");
    println!("{:<36} {:>9} {:>9} {:>7}  lines that say why", "failing run", "original", "head+tail", "toto");
    let (mut sums, mut missed) = ([0; 3], 0);
    for (name, marks) in &marks::all() {
        let file = corpus.join(format!("{name}.txt"));
        let Ok(original) = fs::read(&file) else { continue };
        let given = run(&file, home.path());
        let cut = head_and_tail(&original);
        let counts = [&original, &cut, &given].map(|text| tokens::count(text));
        let lost = marks::lost(marks, &given, &original);
        println!(
            "{name:<36} {:>9} {:>9} {:>7}  {} of {} (head+tail {})",
            counts[0],
            counts[1],
            counts[2],
            marks.len() - lost.len(),
            marks.len(),
            marks.len() - marks::lost(marks, &cut, &original).len()
        );
        for mark in &lost {
            println!("    MISSING {mark}");
        }
        missed += lost.len();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    println!("{:<36} {:>9} {:>9} {:>7}  {missed} missing", "all", sums[0], sums[1], sums[2]);
    if missed > 0 {
        std::process::exit(1);
    }
}

/// What an agent gets of a command that prints this file and fails.
fn run(file: &Path, home: &Path) -> Vec<u8> {
    let script = format!("cat '{}'; exit 1", file.display());
    let output = Command::new(env!("CARGO_BIN_EXE_toto"))
        .args(["run", "--", "sh", "-c", &script])
        .env("HOME", home)
        .env("XDG_STATE_HOME", home.join("state"))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .expect("toto runs");
    output.stdout
}

fn head_and_tail(text: &[u8]) -> Vec<u8> {
    if text.len() <= 2 * END {
        return text.to_vec();
    }
    [&text[..END], b"\n...\n", &text[text.len() - END..]].concat()
}

//! Prints how fast reports are read and told, by fixture: `cargo run --profile measure --example reports [-- NAME]`.
//!
//! Each fixture of tests/fixtures/report and tests/fixtures/findings is grown to 10,000 and to 100,000 records. The
//! table has the MB/s of the digest at either size, and how much longer a byte takes at the larger size.
#![expect(clippy::print_stdout, reason = "a report on the terminal")]

use std::path::{Path, PathBuf};

use llm_toto::pipeline::scrub;
use llm_toto::report::{self, Options};
use rustix::time::ClockId;

#[path = "../suite/report/grown.rs"]
mod grown;
#[path = "../processor.rs"]
mod processor;

/// Characters of a page.
const PAGE: usize = 24_000;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths = Vec::new();
    for directory in ["report", "findings"] {
        collect(&root.join(directory), &mut paths);
    }
    paths.sort();
    println!(
        "{:32} {:>9} {:>10} {:>9} {:>10} {:>7}",
        "fixture", "10k MB/s", "bytes", "100k MB/s", "bytes", "growth"
    );
    for path in paths {
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let Ok(bytes) = fs_err::read(&path) else { continue };
        let text = String::from_utf8_lossy(&scrub::scrub(&bytes)).into_owned();
        if !name.contains(&wanted) {
            continue;
        }
        let Some((small, large)) = grown::grown(&text, 10_000).zip(grown::grown(&text, 100_000)) else {
            continue;
        };
        let (one, ten) = (seconds(&small, 3), seconds(&large, 2));
        let speed = |text: &str, seconds: f64| text.len() as f64 / seconds / 1e6;
        println!(
            "{name:32} {:>9.0} {:>10} {:>9.0} {:>10} {:>7.2}",
            speed(&small, one),
            small.len(),
            speed(&large, ten),
            large.len(),
            speed(&small, one) / speed(&large, ten)
        );
    }
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "txt") {
            paths.push(path);
        }
    }
}

/// Processor time of the fastest of some rounds, in seconds.
fn seconds(text: &str, rounds: usize) -> f64 {
    let options = Options { most: PAGE, ..Options::default() };
    let digest = || Some(report::read(&report::plain(text), &[])?.digest(&options));
    processor::least(ClockId::ThreadCPUTime, rounds, digest).as_secs_f64()
}

//! Cost of a document or a text through all stages: `cargo bench --bench notation [-- SHAPE [MEGABYTES]]`.
//!
//! Each shape is measured at 1, 10 and 100 MB, in a process of its own, in turns with `serde_json` on the same bytes (a
//! text: with counting its tokens). The table has the speed by processor time, the peak memory of the process (the
//! input included) per byte of input, and the time of each stage. The same MB/s in all three rows of a shape means that
//! the cost grows with the input and no faster. Inputs that are left as they are follow.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs and prints"
)]

#[path = "notation/shapes.rs"]
mod shapes;
#[path = "notation/texts.rs"]
mod texts;

use std::hint::black_box;
use std::path::Path;
use std::process::Command;

use llm_toto::pipeline::{Compressed, Options, compress};
use rustix::time::{ClockId, clock_gettime};
use shapes::SHAPES;
use texts::TEXTS;

/// Variable with the job of the processes that this process starts.
const JOB: &str = "TOTO_BENCH_JOB";
const SIZES: [usize; 3] = [1, 10, 100];
const ROUNDS: usize = 3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match std::env::var(JOB).as_deref() {
        Err(_) => compare(&arguments),
        Ok(job) => work(job, Path::new(&arguments[0])),
    }
}

/// Prints the table.
fn compare(arguments: &[String]) {
    let world = tempfile::tempdir().unwrap();
    let file = world.path().join("input");
    println!(
        "{:<26} {:>4} {:>7} {:>8} {:>6}   scrub  parse  sieve render  count   shape, of the tokens",
        "shape", "MB", "MB/s †", "of serde", "B/B"
    );
    let wanted = arguments.first().map_or("", String::as_str);
    let sizes: Vec<usize> =
        arguments.get(1).map_or(SIZES.to_vec(), |size| vec![size.parse().expect("megabytes")]);
    let documents = SHAPES.into_iter().map(|shape| (shape, "serde_json"));
    let all = documents.chain(TEXTS.into_iter().map(|shape| (shape, "tokens")));
    for ((name, write), peer) in all.filter(|((name, _), _)| name.contains(wanted)) {
        for &megabytes in &sizes {
            fs_err::write(&file, write(megabytes * 1_000_000)).unwrap();
            row(name, megabytes, &file, peer);
        }
    }
    let hostile = [
        ("one key, a million times", format!("{{{}\"a\":1}}", "\"a\":1,".repeat(1_000_000))),
        ("100,000 levels", format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))),
        ("a million half documents", "{\"a\":[\n".repeat(1_000_000)),
    ];
    for (name, text) in hostile.into_iter().filter(|(name, _)| name.contains(wanted)) {
        fs_err::write(&file, &text).unwrap();
        row(name, text.len() / 1_000_000, &file, "serde_json");
    }
}

/// Prints a row: each job in turns, the fastest of some rounds, because a busy machine is at times slow for a second or
/// two.
fn row(name: &str, megabytes: usize, file: &Path, peer: &str) {
    let size = fs_err::metadata(file).unwrap().len() as f64;
    let mut best = [(f64::INFINITY, 0.0, String::new()), (f64::INFINITY, 0.0, String::new())];
    for _ in 0..ROUNDS {
        for (job, best) in ["toto", peer].into_iter().zip(&mut best) {
            let result = run(job, file);
            if result.0 < best.0 {
                *best = result;
            }
        }
    }
    let [(seconds, memory, stages), (peer, ..)] = best;
    println!(
        "{name:<26} {megabytes:>4} {:>7.1} {:>8.2} {:>6.1}  {stages}",
        size / seconds / 1e6,
        peer / seconds,
        memory / size
    );
}

/// Runs a job in a process of its own; returns seconds, peak memory in bytes, and the job's own words.
fn run(job: &str, file: &Path) -> (f64, f64, String) {
    let ourselves = std::env::current_exe().unwrap();
    let output = Command::new(ourselves).arg(file).env(JOB, job).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut fields = text.splitn(3, ' ');
    let mut number = || fields.next().and_then(|field| field.parse().ok()).expect("a job's answer");
    (number(), number(), fields.next().unwrap_or_default().trim_end().to_owned())
}

/// Does a job, in a process of its own.
fn work(job: &str, file: &Path) {
    let input = fs_err::read(file).unwrap();
    let start = seconds();
    let words = match job {
        "toto" => stages(&compress(&input, &Options::default())),
        "serde_json" => {
            let documents = serde_json::Deserializer::from_slice(&input).into_iter::<serde_json::Value>();
            black_box(documents.collect::<Vec<_>>());
            String::new()
        }
        "tokens" => {
            black_box(llm_toto::tokens::count(&input));
            String::new()
        }
        job => panic!("no such job: {job}"),
    };
    println!("{} {} {words}", seconds() - start, peak());
}

/// The time of each stage in milliseconds, the shape, and the share of tokens that is left.
fn stages(report: &Compressed) -> String {
    let timings = &report.timings;
    let times = [timings.scrub, timings.parse, timings.sieve, timings.render, timings.count];
    let times: String = times.iter().map(|time| format!("{:>6.0} ", time.as_secs_f64() * 1e3)).collect();
    let left = report.output_tokens as f64 / report.original_tokens.max(1) as f64;
    format!("{times}  {} {left:.3}", report.shape)
}

fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Peak resident memory of this process, in bytes (`VmHWM`, proc(5)).
fn peak() -> f64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

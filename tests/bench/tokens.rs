//! Cost of counting: `cargo bench --bench tokens`.
//!
//! First in processes of their own, because a shim counts like that: this binary runs itself, once to do nothing, once
//! to count a file, once to have `tiktoken-rs` count the file, in turns. Then the speed on a megabyte of text that is
//! hard to count. All times are processor times, because other work on a busy machine would lengthen times on the
//! clock.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Command;

use llm_toto::tokens::{Counter, count};
use rustix::time::{ClockId, clock_gettime};

#[path = "../processor.rs"]
mod processor;

/// Variable with the job of the processes that this process starts.
const JOB: &str = "TOTO_BENCH_JOB";

fn main() {
    let file = std::env::args().nth(1).unwrap_or_default();
    match std::env::var(JOB).as_deref() {
        Err(_) => {
            processes();
            return throughput();
        }
        Ok("nothing") => {}
        Ok("count") => _ = black_box(count(&fs_err::read(file).unwrap())),
        Ok("stream") => _ = black_box(stream(Path::new(&file))),
        Ok("tiktoken-rs") => {
            let reference = tiktoken_rs::cl100k_base().unwrap();
            black_box(reference.encode_ordinary(&fs_err::read_to_string(file).unwrap()).len());
        }
        Ok(job) => panic!("no such job: {job}"),
    }
    std::io::stdout().write_all(&milliseconds().to_le_bytes()).unwrap();
}

/// Processor time of this process so far, its start included, in milliseconds.
fn milliseconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

/// Counts a file in parts, as it is read.
fn stream(path: &Path) -> usize {
    let mut file = fs_err::File::open(path).unwrap();
    let mut counter = Counter::default();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer).unwrap() {
            0 => return counter.finish(),
            len => counter.push(&buffer[..len]),
        }
    }
}

/// Prints the time of each job on each size, in turns, over the process that does nothing.
#[expect(clippy::print_stdout, reason = "a benchmark's job is to print")]
fn processes() {
    let directory = tempfile::tempdir().unwrap();
    // A copy, as an installation makes one: the kernel maps a linker's output, which was written piece by piece, more
    // slowly.
    let program = directory.path().join("program");
    fs_err::copy(std::env::current_exe().unwrap(), &program).unwrap();
    println!("milliseconds over a process that does nothing: median (least)");
    println!("{:>8} {:>16} {:>16} {:>20} {:>7}", "bytes", "count", "stream", "tiktoken-rs", "ratio");
    for (len, rounds) in [(1 << 10, 200_usize), (30 << 10, 200), (1 << 20, 60), (10 << 20, 8)] {
        let path = directory.path().join(len.to_string());
        fs_err::write(&path, json(len)).unwrap();
        let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for round in 0..rounds {
            for job in ["nothing", "count", "nothing", "stream"] {
                times.entry(job).or_default().push(run(&program, job, &path));
            }
            if round % 10 == 0 {
                times.entry("tiktoken-rs").or_default().push(run(&program, "tiktoken-rs", &path));
            }
        }
        let nothing = summary(&times["nothing"]);
        let over = |job: &str| {
            let (median, least) = summary(&times[job]);
            (median - nothing.0, least - nothing.1)
        };
        let cell = |job| format!("{:.3} ({:.3})", over(job).0, over(job).1);
        let ratio = over("tiktoken-rs").0 / over("count").0;
        let (count, stream, tiktoken) = (cell("count"), cell("stream"), cell("tiktoken-rs"));
        println!("{len:>8} {count:>16} {stream:>16} {tiktoken:>20} {ratio:>6.0}x");
    }
}

/// Median and least of some times.
fn summary(times: &[f64]) -> (f64, f64) {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[0])
}

/// The milliseconds that a process takes for a job.
#[expect(clippy::disallowed_methods, reason = "a process of its own is what is measured")]
fn run(program: &Path, job: &str, path: &Path) -> f64 {
    let output = Command::new(program).arg(path).env(JOB, job).output().unwrap();
    f64::from_le_bytes(output.stdout.try_into().unwrap_or_else(|_| panic!("{job}: {}", output.status)))
}

/// Prints megabytes a second in this process, with the tables in memory.
#[expect(clippy::print_stdout, reason = "a benchmark's job is to print")]
fn throughput() {
    println!("\nmegabytes a second †, 1 MB each");
    let megabyte = 1 << 20;
    let letters: String = (0..megabyte).map(|at| char::from(b'a' + noise(at, 26) as u8)).collect();
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64: String = (0..megabyte).map(|at| char::from(alphabet[noise(at, 64)])).collect();
    let cjk: String =
        (0..megabyte / 3).map(|at| char::from_u32(0x4E00 + noise(at, 0x5000) as u32).unwrap()).collect();
    let texts = [
        ("JSON", json(megabyte)),
        ("random letters", letters),
        ("base64", base64),
        ("spaces", " ".repeat(megabyte)),
        ("CJK", cjk),
        ("one letter", "a".repeat(megabyte)),
        ("line breaks", "\n".repeat(megabyte)),
        ("equals signs", "=".repeat(megabyte)),
        ("digits", "7".repeat(megabyte)),
    ];
    for (name, text) in texts {
        println!("{name:>28}{:>22.1}", speed(&text));
    }
}

/// Megabytes a second, the best of nine runs.
fn speed(text: &str) -> f64 {
    let best = processor::least(ClockId::ProcessCPUTime, 9, || count(text.as_bytes()));
    text.len() as f64 / best.as_secs_f64() / 1e6
}

/// A number below `bound` that looks random and is the same in every run.
fn noise(at: usize, bound: usize) -> usize {
    let mixed = (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as usize % bound
}

/// A document as a cloud's command line prints it, of `len` bytes.
fn json(len: usize) -> String {
    use std::fmt::Write as _;

    let mut text = String::from("{\n    \"Reservations\": [\n");
    for at in 0.. {
        if text.len() >= len {
            break;
        }
        let (id, host, hour) = (noise(at, 1 << 30) * 7919, noise(at + 1, 5000), noise(at + 2, 24));
        let kind = ["t3.micro", "m5.large", "c6g.2xlarge"][noise(at, 3)];
        writeln!(text, "        {{").unwrap();
        writeln!(text, "            \"InstanceId\": \"i-{id:017x}\",").unwrap();
        writeln!(text, "            \"InstanceType\": \"{kind}\",").unwrap();
        writeln!(text, "            \"LaunchTime\": \"2025-03-11T{hour:02}:22:09+00:00\",").unwrap();
        writeln!(text, "            \"PrivateIpAddress\": \"10.0.{hour}.{}\",", host % 256).unwrap();
        writeln!(text, "            \"State\": {{ \"Code\": 16, \"Name\": \"running\" }},").unwrap();
        writeln!(text, "            \"Tags\": [ {{ \"Key\": \"Name\", \"Value\": \"web-{host}\" }} ],")
            .unwrap();
        writeln!(text, "            \"EbsOptimized\": false\n        }},").unwrap();
    }
    text.truncate(len);
    text
}

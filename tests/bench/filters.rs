//! Cost of text filters: finding a filter, running each over 100 KB, and hard inputs by the megabyte.
//!
//! `cargo bench --bench filters`. Times are the least of several runs: the machine's noise only adds.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use llm_toto::custom::{self, Applied, Call, schema};
use llm_toto::filter::{self, library};
use rustix::time::ClockId;

#[path = "../processor.rs"]
mod processor;

const RUNS: usize = 15;
const SIZE: usize = 100_000;
/// Runs of each hard input, which takes long.
const HARD_RUNS: usize = 3;

fn main() {
    look_up();
    run_each();
    hard_inputs();
}

fn words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

/// Filters a text as a run does: by the user's own filter, or else by the library's.
fn apply(text: &[u8], words: &[OsString], exit: i32, directories: &[PathBuf]) {
    let call = Call { words, exit: Some(exit), directories, ..Call::default() };
    let applied = custom::apply(text, &call);
    if matches!(applied, Applied::Library) {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        drop(std::hint::black_box(filter::apply(text, &words, exit == 0)));
    }
    drop(std::hint::black_box(applied));
}

/// The least time of several runs. Each is in a thread of its own, because a thread remembers the commands of the user's
/// filters, and a run of toto begins with none.
fn least(act: impl Fn() + Sync) -> Duration {
    let run = || {
        let start = Instant::now();
        act();
        start.elapsed()
    };
    let times = (0..RUNS).map(|_| thread::scope(|scope| scope.spawn(run).join().expect("no panic")));
    times.min().unwrap_or_default()
}

/// Finds (and parses) the filter of every command of the library, with the user's directory empty and full.
fn look_up() {
    let commands = library::commands();
    let full = tempfile::tempdir().expect("a temporary directory");
    for number in 0..150 {
        let text = format!("command = \"tool{number}\"\nskip = ['^x']\n");
        fs::write(full.path().join(format!("tool{number}.toml")), text).expect("writable");
    }
    let directories = [full.path().to_path_buf()];
    let filters = library::FILTERS.len();
    println!("look-up and parse †, {} commands of {filters} filters, {RUNS} runs each:", commands.len());
    for (name, directories) in
        [("library", &[][..]), ("150 files of the user's, then the library", &directories[..])]
    {
        let mut times: Vec<(Duration, &str)> = commands
            .iter()
            .map(|(command, _)| {
                let words = words(command);
                let took = least(|| apply(b"x\n", &words, 0, directories));
                (took, command.as_str())
            })
            .collect();
        times.sort();
        let (most, command) = times[times.len() - 1];
        println!("  {name:<42} median {:>8.1?}, most {most:>8.1?} ({command})", times[times.len() / 2].0);
    }
}

/// Runs each filter of the library over 100 KB of its own tests' outputs.
fn run_each() {
    let mut times: Vec<(Duration, String)> = Vec::new();
    for filter in library::FILTERS {
        let source = filter.text();
        let file = schema::parse(&source).expect("the suite holds that it parses");
        let Some(command) = file.command.0.first() else { continue };
        for succeeded in [true, false] {
            let inputs = file.test.iter().filter(|test| (test.exit_code == 0) == succeeded);
            let sample: String = inputs.filter_map(|test| test.inline.clone()).collect();
            if sample.is_empty() {
                continue;
            }
            let text = sample.repeat(SIZE / sample.len() + 1);
            let words = words(&command.replace('*', "x"));
            let took = least(|| apply(&text.as_bytes()[..SIZE], &words, i32::from(!succeeded), &[]));
            times
                .push((took, format!("{} ({})", filter.name, if succeeded { "passing" } else { "failing" })));
        }
    }
    times.sort();
    println!("\n100 KB through each filter, look-up, parse and compilation included †:");
    println!("  median {:.2?}; the slowest:", times[times.len() / 2].0);
    for (took, name) in times.iter().rev().take(5) {
        println!("  {took:>8.2?} {name}");
    }
}

/// Runs inputs that are large or no text through a filter with every kind of rule: the time per megabyte must not grow
/// with the size.
fn hard_inputs() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("tool.toml"), HEAVY).expect("writable");
    let directories: [PathBuf; 1] = [Path::new(dir.path()).to_path_buf()];
    let words = words("tool");
    println!("\nthrough a filter of every kind of rule †:");
    let lines = |count: usize| -> Vec<u8> {
        (0..count)
            .flat_map(|n| format!("step {n} of {} took {} ms\r\n", n % 7, n % 91).into_bytes())
            .collect()
    };
    let inputs: [(&str, Vec<u8>); 7] = [
        ("10,000 lines", lines(10_000)),
        ("100,000 lines", lines(100_000)),
        ("1,000,000 lines", lines(1_000_000)),
        ("one line of 5 MB", b"ab cd ".repeat(5_000_000 / 6)),
        ("one line of 50 MB", b"ab cd ".repeat(50_000_000 / 6)),
        (
            "5 MB that are no text",
            (0..5_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect(),
        ),
        ("1,000,000 equal lines", b"x y\n".repeat(1_000_000)),
    ];
    for (name, text) in inputs {
        for exit in [0, 1] {
            let took = processor::least(ClockId::ProcessCPUTime, HARD_RUNS, || {
                apply(&text, &words, exit, &directories);
            });
            let each = took.as_secs_f64() * 1e3 / (text.len() as f64 / 1e6);
            println!("  {name:<24} exit {exit} {took:>9.1?} {each:>7.2} ms/MB");
        }
    }
}

const HEAVY: &str = r#"
command = "tool"
skip = ['^skipped', 'never here']
trim_lines = true
dedup_window = 10
collapse_empty_lines = true
truncate_lines_at = 200
max_lines = 1000

[[replace]]
pattern = 'took (\d+) ms$'
output = "{1} ms"
replace_all = true

[[fold]]
match = '^step \d+ of 3'
as = "steps of 3"

[[section]]
match = '^step \d+ of 5'
collect_as = "fives"

[[chunk]]
split_on = '^step \d+0 '
collect_as = "tens"
[[chunk.aggregate]]
pattern = 'took (\d+) ms'
sum = "time"

[on_success]
output = "{fives.count} fives took {sum}; {tens | each: \"{time}\" | join: \" \"}"
[[on_success.aggregates]]
from = "fives"
pattern = 'took (\d+)'
sum = "sum"
"#;

//! Failing runs of real tools through windows (`tail`, `head`, `grep`): whether the status is told, whether a line that
//! says why is missing, and how many tokens come on top of the window's.
//!
//! `cargo bench --bench windows` (`--profile measure` builds faster) reads ../shared/corpus/dev/text and prints nothing
//! but a note where that is not there; further words choose runs by parts of their names.
//! tests/fixtures/consumer/agent.py plays the agent, once for each run and window; `reasons.toml` marks the lines.
//!
//! A tool that goes on writing after `head` has ended is ended by SIGPIPE, with toto as without: it has no status of
//! its own that could be told, and is counted apart, by that signal.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark starts programs, prints, and fails"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use llm_toto::tokens;

mod marks;

const WINDOWS: [&str; 5] = ["tail -5", "tail -20", "tail -80", "head -20", "grep -i fail"];
/// Most tokens that may be said behind a window.
const MOST: usize = 1_000;
/// The exit code of a program that SIGPIPE has ended, as a shell reports it.
const BROKEN_PIPE: &str = "141";

/// A run that failed.
struct Failed {
    name: String,
    file: PathBuf,
    status: i64,
}

/// Results of the runs through one window.
#[derive(Default)]
struct Sums {
    told: usize,
    /// Ended by SIGPIPE.
    ended: usize,
    /// Tokens of the windows, and of the words behind them.
    window: usize,
    words: usize,
    /// Tokens of the longest words, and how often words were too long.
    most: usize,
    over: usize,
    marks: usize,
    /// Problems, one line each.
    complaints: Vec<String>,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("CORPUS").map_or(root.join("../shared/corpus/dev/text"), Into::into);
    let parts: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut failed = failed(&corpus);
    failed.retain(|run| parts.is_empty() || parts.iter().any(|part| run.name.contains(part)));
    if failed.is_empty() {
        println!("{} has no failing runs: nothing to measure", corpus.display());
        return;
    }
    let reasons = marks::all();
    let home = tempfile::tempdir().expect("a temporary directory");
    lay_out(home.path());
    let sums = play_all(home.path(), &failed, &reasons);
    println!(
        "{:<14} {:>5} {:>5} {:>6} {:>9} {:>8} {:>8} {:>6}  lines that say why",
        "window", "runs", "told", "ended", "window", "words", "most", "over"
    );
    for (window, sums) in WINDOWS.iter().zip(&sums) {
        let Sums { told, ended, window: shown, words, most, over, marks, complaints } = sums;
        let lost = complaints.iter().filter(|line| line.contains("MISSING")).count();
        println!(
            "{window:<14} {:>5} {told:>5} {ended:>6} {shown:>9} {words:>8} {most:>8} {over:>6}  {} of {marks}",
            failed.len(),
            marks - lost
        );
        for line in complaints {
            println!("    {line}");
        }
    }
    if sums.iter().any(|sums| !sums.complaints.is_empty()) {
        std::process::exit(1);
    }
}

/// Plays every run through every window, as many at once as there are processors.
fn play_all(home: &Path, failed: &[Failed], reasons: &BTreeMap<String, Vec<String>>) -> Vec<Sums> {
    let sums = WINDOWS.map(|_| Mutex::new(Sums::default()));
    let next = AtomicUsize::new(0);
    let worker = || loop {
        let job = next.fetch_add(1, Ordering::Relaxed);
        let Some(run) = failed.get(job / WINDOWS.len()) else { return };
        let window = job % WINDOWS.len();
        let marks = reasons.get(&run.name).map_or(&[][..], Vec::as_slice);
        judge(home, run, WINDOWS[window], marks, &sums[window]);
    };
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    let mut sums: Vec<Sums> =
        sums.into_iter().map(|sums| sums.into_inner().expect("no worker failed")).collect();
    for sums in &mut sums {
        sums.complaints.sort();
    }
    sums
}

/// Plays a run through a window without toto and with it, and adds the result to `sums`.
fn judge(home: &Path, run: &Failed, window: &str, marks: &[String], sums: &Mutex<Sums>) {
    let Failed { name, file, status } = run;
    let line = format!("replay '{}' {status} 2>&1 | {window}", file.display());
    let plain = shell(home, &line);
    let got = agent(home, &format!("{line}; echo \"status ${{PIPESTATUS[0]}}\""));
    let (got, ended_with) = got.trim_end().rsplit_once("status ").expect("the shell's last line");
    let words =
        got.strip_prefix(plain.as_str()).unwrap_or_else(|| panic!("{window} {name}: not the tool's bytes"));
    let is_told = words.starts_with(&format!("[toto] replay: exit status {status}"));
    // Of lines that the agent chose by what they say, only the status is told.
    let marks = if window.starts_with("grep") { &[][..] } else { marks };
    let is_ended = words.is_empty() && window.starts_with("head") && ended_with == BROKEN_PIPE;
    let [shown, said] = [&plain, words].map(|text| tokens::count(text.as_bytes()));
    let original = fs::read(file).expect("a file of the corpus");
    let lost = marks::lost(marks, got.as_bytes(), &original);
    let sums = &mut *sums.lock().expect("no worker failed");
    sums.told += usize::from(is_told);
    sums.ended += usize::from(is_ended);
    sums.window += shown;
    sums.words += said;
    sums.most = sums.most.max(said);
    sums.over += usize::from(said > MOST);
    // Nobody knows whether a tool that its window has ended would have failed.
    if !is_ended {
        sums.marks += marks.len();
        sums.complaints.extend(lost.iter().map(|mark| format!("MISSING {name}: {mark}")));
    }
    // Where the window says why, nothing is told.
    if !is_told && !is_ended && !lost.is_empty() {
        sums.complaints.push(format!("NOT TOLD {name}"));
    }
    if said > MOST {
        sums.complaints.push(format!("TOO LONG {name}: {said} tokens"));
    }
}

fn failed(corpus: &Path) -> Vec<Failed> {
    let Ok(entries) = fs::read_dir(corpus) else { return Vec::new() };
    let mut failed: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".meta.json")?.to_owned();
            let meta: serde_json::Value = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
            let status = meta["exit_code"].as_i64().filter(|status| *status != 0)?;
            Some(Failed { file: corpus.join(format!("{name}.txt")), name, status: status.rem_euclid(256) })
        })
        .collect();
    failed.sort_by(|a, b| a.name.cmp(&b.name));
    failed
}

/// Makes a farm with a shim, the tool behind it, and an agent's name for Python.
fn lay_out(home: &Path) {
    for directory in ["farm", "tools", "players"] {
        fs::create_dir(home.join(directory)).expect("a directory");
    }
    let tool = home.join("tools/replay");
    // A closed pipe ends the tool as it ends most tools.
    fs::write(&tool, "#!/bin/sh\ncat \"$1\" || kill -PIPE $$\nexit \"$2\"\n").expect("a file");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("a mode");
    symlink(env!("CARGO_BIN_EXE_toto"), home.join("farm/replay")).expect("a link");
    let python =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    let python = String::from_utf8(python.stdout).expect("a path");
    symlink(fs::canonicalize(python.trim()).expect("a path"), home.join("players/goose")).expect("a link");
}

/// The output of a command line without toto.
fn shell(home: &Path, line: &str) -> String {
    let output = command(home, Path::new("bash"), &["tools"]).args(["-c", line]).output().expect("bash runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of a command line as an agent gets it.
fn agent(home: &Path, line: &str) -> String {
    let player = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/consumer/agent.py");
    let mut command = command(home, &home.join("players/goose"), &["farm", "tools"]);
    let output = command.arg(player).args(["pipes", "bash", line]).output().expect("the agent runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("what it got");
    answer["out"].as_str().expect("a text").to_owned()
}

fn command(home: &Path, program: &Path, directories: &[&str]) -> Command {
    let path = directories.iter().map(|name| home.join(name).display().to_string());
    let path = path.chain(["/usr/bin:/bin".into()]).collect::<Vec<_>>().join(":");
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).env("PATH", path).env("LANG", "C.UTF-8").stdin(Stdio::null());
    command
}

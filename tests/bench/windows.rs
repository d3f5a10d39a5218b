//! Failing runs of real tools through windows: is the status told, is any line missing that says why, and at how many
//! tokens beside the window's?
//!
//! `cargo bench --bench windows` reads ../shared/corpus/dev/text and prints nothing but a note where that is not there.
//! An agent is played by tests/fixtures/consumer/agent.py; `reasons.toml` marks the lines.

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

use llm_toto::pipeline::scrub::scrub;
use llm_toto::tokens;

const WINDOWS: [&str; 5] = ["tail -5", "tail -20", "tail -80", "head -20", "grep -i fail"];
/// Tokens that are said behind a window, at most.
const MOST: usize = 1_000;
/// A tool that writes more than this, in bytes, behind what `head` takes meets a closed pipe: its status is unknown.
const PIPES: u64 = 1 << 20;
const MARK: &str = "-----8<-----\n";

/// A run that failed.
struct Failed {
    name: String,
    file: PathBuf,
    status: i64,
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("CORPUS").map_or(root.join("../shared/corpus/dev/text"), Into::into);
    let failed = failed(&corpus);
    if failed.is_empty() {
        println!("{} has no failing runs: nothing to measure", corpus.display());
        return;
    }
    let reasons: BTreeMap<String, Vec<String>> =
        toml::from_str(include_str!("reasons.toml")).expect("a table of our own");
    let home = tempfile::tempdir().expect("a temporary directory");
    lay_out(home.path());
    println!(
        "{:<14} {:>5} {:>5} {:>9} {:>8} {:>8} {:>6}  lines that say why",
        "window", "runs", "told", "window", "words", "most", "over"
    );
    let mut wrong = 0;
    for window in WINDOWS {
        let plain = play(home.path(), root, &failed, window, false);
        let got = play(home.path(), root, &failed, window, true);
        let (mut told, mut ended, mut sums, mut most, mut over, mut marks, mut missing) =
            (0, 0, [0; 2], 0, 0, 0, Vec::new());
        for ((run, plain), got) in failed.iter().zip(&plain).zip(&got) {
            let words = got
                .strip_prefix(plain.as_str())
                .unwrap_or_else(|| panic!("{window} {}: not the tool's bytes", run.name));
            let is_told = words.starts_with("[toto] replay: exit status ");
            let size = fs::metadata(&run.file).map_or(0, |file| file.len());
            if !is_told && window.starts_with("head") && size > PIPES {
                println!("    ended by {window}, as without toto: {} ({size} bytes)", run.name);
                ended += 1;
            } else if !is_told {
                println!("    NOT TOLD {}", run.name);
            }
            told += usize::from(is_told);
            let counts = [plain, words].map(|text| tokens::count(text.as_bytes()));
            most = most.max(counts[1]);
            over += usize::from(counts[1] > MOST);
            sums = [sums[0] + counts[0], sums[1] + counts[1]];
            // A window shows the tool's own bytes, colours too.
            let readable = String::from_utf8_lossy(&scrub(got.as_bytes())).into_owned();
            for mark in reasons.get(&run.name).into_iter().flatten() {
                marks += 1;
                if !mark.split(" … ").all(|part| readable.contains(part)) {
                    missing.push(format!("    MISSING {}: {mark}", run.name));
                }
            }
        }
        println!(
            "{window:<14} {:>5} {told:>5} {:>9} {:>8} {most:>8} {over:>6}  {} of {marks}",
            failed.len(),
            sums[0],
            sums[1],
            marks - missing.len()
        );
        for line in &missing {
            println!("{line}");
        }
        wrong += failed.len() - told - ended + over + missing.len();
    }
    if wrong > 0 {
        std::process::exit(1);
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

/// A farm with a shim, the tool behind it, and an agent's name for Python.
fn lay_out(home: &Path) {
    for directory in ["farm", "tools", "players"] {
        fs::create_dir(home.join(directory)).expect("a directory");
    }
    let tool = home.join("tools/replay");
    fs::write(&tool, "#!/bin/sh\ncat \"$1\"\nexit \"$2\"\n").expect("a file");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("a mode");
    symlink(env!("CARGO_BIN_EXE_toto"), home.join("farm/replay")).expect("a link");
    let python =
        Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().expect("python3");
    let python = String::from_utf8(python.stdout).expect("a path");
    symlink(fs::canonicalize(python.trim()).expect("a path"), home.join("players/goose")).expect("a link");
}

/// What the agent gets of every run through this window.
fn play(home: &Path, root: &Path, failed: &[Failed], window: &str, farm: bool) -> Vec<String> {
    let mut got = Vec::new();
    for some in failed.chunks(20) {
        let lines: Vec<_> = some
            .iter()
            .map(|run| {
                format!("replay '{}' {} 2>&1 | {window}\nprintf -- '{MARK}'", run.file.display(), run.status)
            })
            .collect();
        let path =
            ["farm", "tools"][usize::from(!farm)..].iter().map(|name| home.join(name).display().to_string());
        let path = path.chain(["/usr/bin:/bin".into()]).collect::<Vec<_>>().join(":");
        let output = Command::new(home.join("players/goose"))
            .arg(root.join("tests/fixtures/consumer/agent.py"))
            .args(["pipes", "bash", &lines.join("\n")])
            .env_clear()
            .env("HOME", home)
            .env("PATH", path)
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .expect("the agent runs");
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("what it got");
        let text = answer["out"].as_str().expect("a text").to_owned();
        let mut parts: Vec<String> = text.split(MARK).map(String::from).collect();
        parts.pop();
        assert_eq!(parts.len(), some.len(), "{window}");
        got.append(&mut parts);
    }
    got
}

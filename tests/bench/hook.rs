//! Cost of a hook to each command of an agent: `toto hook handle`, asked about one command, beside `true`.
//!
//! `cargo bench --bench hook [-- ROUNDS]`. Each round runs every variant once, so that a noisy machine is noisy for all
//! of them; the figures are medians over the rounds.

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

/// A program, its question, and whether it answers.
struct Variant {
    name: String,
    argv: Vec<String>,
    question: String,
    answers: bool,
    times: Vec<Duration>,
}

fn main() {
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(300);
    let world = tempfile::tempdir().expect("a temporary directory");
    home(world.path());
    let mut variants = vec![variant("true", &["/bin/true"], "", false)];
    for (agent, tool) in [
        ("claude", ("tool_name", "Bash", "tool_input")),
        ("codex", ("tool_name", "Bash", "tool_input")),
        ("copilot", ("toolName", "bash", "toolArgs")),
        ("cursor", ("tool_name", "Shell", "tool_input")),
        ("gemini", ("tool_name", "run_shell_command", "tool_input")),
        ("opencode", ("tool_name", "bash", "tool_input")),
    ] {
        for (command, answers) in [("aws ec2 describe-instances", true), ("cd src && ls | head -3", false)] {
            let argv = [env!("CARGO_BIN_EXE_toto"), "hook", "handle", agent];
            variants.push(variant(
                &format!("{agent}: {}", if answers { "rewritten" } else { "left alone" }),
                &argv,
                &question(world.path(), tool, command),
                answers,
            ));
        }
    }
    for _ in 0..rounds {
        for variant in &mut variants {
            let took = call(variant, world.path());
            variant.times.push(took);
        }
    }
    println!("one run, medians of {rounds} rounds\n");
    println!("{:<24} {:>9} {:>10} {:>8}", "asked", "median", "over true", "ratio");
    let medians: Vec<f64> = variants.iter_mut().map(median).collect();
    for (variant, this) in variants.iter().zip(&medians) {
        let bare = medians[0];
        println!("{:<24} {this:>6.2} ms {:>7.2} ms {:>7.2}x", variant.name, this - bare, this / bare);
    }
}

fn variant(name: &str, argv: &[&str], question: &str, answers: bool) -> Variant {
    let argv = argv.iter().map(ToString::to_string).collect();
    Variant { name: name.into(), argv, question: question.into(), answers, times: Vec::new() }
}

fn question(world: &Path, (name_key, tool, arguments_key): (&str, &str, &str), command: &str) -> String {
    serde_json::json!({
        "session_id": "s", "cwd": world, "hook_event_name": "x", "permission_mode": "bypassPermissions",
        name_key: tool, arguments_key: {"command": command, "description": "d"},
    })
    .to_string()
}

/// Fills a home as users have it: start files with aliases, settings with rules, the user's rules for rewriting.
fn home(home: &Path) {
    let aliases: String = (0..200).map(|n| format!("alias short{n}='something --long {n}'\n")).collect();
    let rules: Vec<String> = (0..100).map(|n| format!("Bash(tool{n}:*)")).collect();
    let settings = serde_json::json!({"permissions": {"allow": rules, "deny": ["Bash(rm:*)"]}}).to_string();
    for (path, text) in [
        (".bashrc", aliases.as_str()),
        (".claude/settings.json", &settings),
        (".config/toto/rewrites.toml", "skip = ['make']\n[[rule]]\nmatch = 'just {1}'\n"),
    ] {
        let path = home.join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        fs::write(path, text).expect("writable");
    }
}

/// Starts the program, asks, reads the answer and waits; returns the time that this took.
fn call(variant: &Variant, home: &Path) -> Duration {
    let mut command = Command::new(&variant.argv[0]);
    command
        .args(&variant.argv[1..])
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().expect("runs");
    // `true` does not read the question.
    let _ = child.stdin.take().expect("piped").write_all(variant.question.as_bytes());
    let output = child.wait_with_output().expect("waited for");
    let took = start.elapsed();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", variant.name);
    assert_eq!(!output.stdout.is_empty(), variant.answers, "{}", variant.name);
    took
}

fn median(variant: &mut Variant) -> f64 {
    variant.times.sort_unstable();
    variant.times[variant.times.len() / 2].as_secs_f64() * 1e3
}

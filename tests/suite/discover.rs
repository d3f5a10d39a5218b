//! `toto discover`: agents' own transcripts, as they were written by the real agents.

use std::fs;
use std::path::Path;

use llm_toto::tokens;
use serde_json::{Value, json};

use crate::harness::{Sandbox, contents, files_below, run, run_with};

const LISTING: &str = include_str!("../fixtures/aws/ecr__describe-repositories.json");
const OPENCODE: &str = include_str!("../fixtures/transcripts/opencode.sql");

/// A home with a session of each agent.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (agent, place) in [
        ("claude", ".claude/projects/-home-dev-project/755e660d.jsonl"),
        ("codex", ".codex/sessions/2026/11/21/rollout-2026-11-21T15-51-04.jsonl"),
        ("gemini", ".gemini/tmp/project/chats/session-2026-11-21T15-51.jsonl"),
        ("qwen", ".qwen/projects/-home-dev-project/chats/b5b2fd0a.jsonl"),
    ] {
        let fixture =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/fixtures/transcripts/{agent}.jsonl"));
        sandbox.home_file(place, fs::read(fixture).unwrap());
    }
    let database = sandbox.home_file(".local/share/opencode/opencode.db", "");
    rusqlite::Connection::open(database).unwrap().execute_batch(OPENCODE).unwrap();
    sandbox
}

fn found(sandbox: &Sandbox) -> Value {
    let outcome = run(&mut sandbox.toto(["discover", "--json"])).ok();
    assert_eq!(outcome.err(), "");
    serde_json::from_str(&outcome.out()).unwrap()
}

fn command<'v>(found: &'v Value, name: &str) -> &'v Value {
    let commands = found["commands"].as_array().unwrap();
    commands.iter().find(|command| command["command"] == name).unwrap_or_else(|| panic!("{name}: {found:#}"))
}

#[test]
fn a_linked_tool_before_a_pager_is_linked() {
    let sandbox = sandbox();
    sandbox.tool("aws", "echo");
    sandbox.link("aws");
    let found = found(&sandbox);
    let commands = found["commands"].as_array().unwrap();
    let piped: Vec<_> = commands
        .iter()
        .filter(|c| {
            c["command"].as_str().unwrap().contains("aws") && c["command"].as_str().unwrap().contains(" | ")
        })
        .collect();
    assert!(!piped.is_empty() && piped.iter().all(|c| c["linked"] == true), "{found:#}");
}

#[test]
fn the_sessions_of_five_agents_are_read() {
    let sandbox = sandbox();
    let found = found(&sandbox);
    assert_eq!(found["sessions"], json!({"claude": 1, "codex": 1, "gemini": 1, "opencode": 1, "qwen": 1}));
    assert_eq!((&found["runs"], &found["broken_lines"]), (&json!(15), &json!(0)));
    // Three agents take the last newline off; nothing else of the output is changed or added.
    let listing = command(&found, "aws ecr describe-repositories");
    let (whole, trimmed) = (tokens::count(LISTING.as_bytes()), tokens::count(LISTING.trim_end().as_bytes()));
    assert_eq!((&listing["runs"], &listing["tokens"]), (&json!(5), &json!(2 * whole + 3 * trimmed)));
    assert_eq!(command(&found, "aws ecr describe-repositories | head")["runs"], 5);
    let error = tokens::count(b"An error occurred (ValidationError): no such thing");
    let errors = command(&found, "aws");
    assert_eq!(errors["runs"], 5);
    assert!(
        (5 * error as u64..=5 * error as u64 + 5).contains(&errors["tokens"].as_u64().unwrap()),
        "{errors}"
    );
}

#[test]
fn what_would_be_saved_is_what_toto_saves() {
    let sandbox = sandbox();
    let found = found(&sandbox);
    let cost = |text: &str| {
        let outcome = run_with(&mut sandbox.toto(["--session", "s"]), text.as_bytes()).ok();
        let receipt = outcome.err.strip_suffix(b"\n").map_or(0, |line| tokens::count(line) + 1);
        tokens::count(text.as_bytes()) - tokens::count(&outcome.out) - receipt
    };
    let saved = 2 * cost(LISTING) + 3 * cost(LISTING.trim_end());
    assert!(saved > 1000);
    assert_eq!(command(&found, "aws ecr describe-repositories")["saved"], saved);
    assert_eq!(found["saved"], saved);
}

#[test]
fn what_is_not_linked_and_what_was_looked_at_twice_is_told() {
    let sandbox = sandbox();
    let before = found(&sandbox);
    assert_eq!(before["worth_linking"], json!(["aws"]));
    let again = &before["run_again"][0];
    assert_eq!((&again["command"], &again["times"]), (&json!("aws ecr describe-repositories"), &json!(5)));
    assert_eq!((&again["by"], &again["sessions"]), (&json!(["head"]), &json!(5)));
    let text = run(&mut sandbox.toto(["discover"])).ok().out();
    assert!(text.contains("toto link aws\n") && text.contains("1 of Claude Code, 1 of Codex CLI"), "{text}");
    assert!(text.contains("aws ecr describe-repositories: 5 times") && !text.contains('\x1b'), "{text}");
    sandbox.tool("aws", "true");
    sandbox.link("aws");
    let after = found(&sandbox);
    assert_eq!(after["worth_linking"], json!([]));
    assert_eq!(command(&after, "aws")["linked"], true);
}

#[test]
fn what_was_run_again_by_its_path_has_the_tools_name() {
    let sandbox = Sandbox::new();
    let run_of = |id: &str, pager: &str| {
        let input = json!({"command": format!("/usr/bin/git log | {pager}")});
        let call = json!({"type": "tool_use", "name": "Bash", "id": id, "input": input});
        let output = json!({"type": "tool_result", "tool_use_id": id, "content": "a commit"});
        [call, output].map(|entry| format!("{}\n", json!({"message": {"content": [entry]}}))).concat()
    };
    sandbox.home_file(".claude/projects/x/s.jsonl", run_of("a", "head") + &run_of("b", "tail"));
    assert_eq!(found(&sandbox)["run_again"][0]["command"], "git log");
}

#[test]
fn nothing_is_changed_and_nothing_is_run() {
    let sandbox = sandbox();
    for tool in ["aws", "head", "sh", "bash"] {
        sandbox.tool(tool, "touch \"$HOME/was-run\"");
    }
    let before = contents(files_below(&sandbox.home()));
    found(&sandbox);
    let after = contents(files_below(&sandbox.home()));
    assert_eq!(after.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    assert!(after == before, "a file was changed");
}

#[test]
fn what_cannot_be_read_is_passed_over_and_told_of() {
    let sandbox = sandbox();
    let deep = "[".repeat(100_000);
    sandbox.home_file(
        ".claude/projects/x/broken.jsonl",
        [b"{\"message\": {\"content\": [{\"type\": \n\xff\xfe\n[1, 2]\n\"text\"\n\n", deep.as_bytes()]
            .concat(),
    );
    sandbox.home_file(".gemini/tmp/x/chats/session-old.json", "{}");
    run(&mut sandbox.shell("sh", "mkfifo ~/.claude/projects/x/fifo.jsonl; ln -s / ~/.claude/projects/x/root")).ok();
    let found = found(&sandbox);
    assert_eq!((&found["runs"], &found["broken_lines"]), (&json!(15), &json!(3)));
    fs::write(sandbox.home().join(".local/share/opencode/opencode.db"), "no database").unwrap();
    let outcome = run(&mut sandbox.toto(["discover", "--json"])).ok();
    assert!(outcome.err().contains("opencode.db: file is not a database"), "{}", outcome.err());
    assert!(outcome.out().contains("\"runs\": 12"), "{}", outcome.out());
    let empty = run(&mut Sandbox::new().toto(["discover"])).ok();
    assert!(empty.out().starts_with("no agent's session with a command in it"), "{}", empty.out());
}

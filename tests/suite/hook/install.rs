//! `toto hook install` and `remove` in the agents' own files.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::super::harness::{Sandbox, others_below, run, run_with, toto_binary};

const AGENTS: [&str; 6] = ["claude", "codex", "copilot", "cursor", "gemini", "opencode"];

#[test]
fn install_twice_and_remove_leave_every_byte_as_it_was() {
    for scope in ["--global", "--project"] {
        let sandbox = Sandbox::new();
        sandbox.home_file(".claude/settings.json", "{\n    \"model\": \"x\", // why\n    \"hooks\": {}\n}\n");
        sandbox.home_file(".gemini/settings.json", "");
        let before = others_below(sandbox.root());
        for agent in AGENTS {
            let hook = |verb| run(&mut sandbox.toto(["hook", verb, "--agent", agent, scope])).ok().out();
            let did = |done: &str, what: [&str; 2]| {
                assert!(
                    done.lines().any(|line| what.iter().any(|verb| line.starts_with(verb))),
                    "{agent}: {done}"
                );
            };
            did(&hook("install"), ["wrote ", "changed "]);
            let once = others_below(sandbox.root());
            assert!(
                once.values()
                    .any(|(text, _)| String::from_utf8_lossy(text).contains(&format!("hook handle {agent}")))
            );
            assert_eq!(hook("install"), "nothing to change\n", "{agent}");
            assert_eq!(others_below(sandbox.root()), once, "{agent}");
            did(&hook("remove"), ["removed ", "changed "]);
            assert_eq!(others_below(sandbox.root()), before, "{agent}");
            assert_eq!(hook("remove"), "nothing to change\n", "{agent}");
        }
    }
}

#[test]
fn what_is_installed_is_a_command_that_answers_and_does_no_harm_when_toto_is_gone() {
    let sandbox = Sandbox::new();
    run(&mut sandbox.toto(["hook", "install", "--agent", "claude"])).ok();
    let settings: Value =
        serde_json::from_slice(&fs::read(sandbox.home().join(".claude/settings.json")).unwrap()).unwrap();
    let command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    let question =
        json!({"tool_name": "Bash", "tool_input": {"command": "aws x"}, "cwd": sandbox.work()}).to_string();
    let answer = run_with(&mut sandbox.shell("sh", command), question.as_bytes()).ok().out();
    assert!(answer.contains(&format!("{} shim -- aws x", toto_binary().display())), "{answer}");
    let gone = command.replace(toto_binary().to_str().unwrap(), "/nowhere/toto");
    let silent = run(sandbox.shell("sh", &gone).stdin(Stdio::null())).ok();
    assert!(silent.out.is_empty() && silent.err.is_empty());
}

#[test]
fn a_dry_run_and_a_file_that_does_not_parse_change_nothing() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".claude/settings.json", "{ oops");
    let before = others_below(sandbox.root());
    let outcome = run(&mut sandbox.toto(["hook", "install", "--agent", "claude"])).exits(1);
    assert!(
        outcome.err().contains("settings.json:1:") && outcome.err().matches('\n').count() == 1,
        "{}",
        outcome.err()
    );
    let dry = run(&mut sandbox.toto(["hook", "install", "--agent", "codex", "--dry-run"])).ok();
    assert!(dry.out().contains("hook handle codex") && dry.out().contains("\nwould write "), "{}", dry.out());
    assert_eq!(others_below(sandbox.root()), before);
    let unknown = run(&mut sandbox.toto(["hook", "install", "--agent", "aider"])).exits(2);
    assert!(unknown.err().contains("claude, codex, copilot, cursor, gemini, opencode"), "{}", unknown.err());
}

#[test]
fn rewrite_names_the_program_that_the_hook_names() {
    let sandbox = Sandbox::new();
    let installed = sandbox.toto_home().join("toto");
    super::super::harness::copy_executable(toto_binary(), &installed);
    std::os::unix::fs::symlink(&installed, sandbox.farm().join("toto")).unwrap();
    let said = run(sandbox.command("toto").args(["rewrite", "aws x"])).ok().out();
    assert_eq!(said, format!("{} shim -- aws x\n", installed.display()));
}

/// The example of docs/agents.md.
fn described() -> String {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/agents.md");
    let docs = fs::read_to_string(docs).unwrap();
    let example = docs.split("\n\n").skip_while(|part| !part.contains("id = \"mine\""));
    let lines = example.take_while(|part| part.starts_with("    ")).flat_map(str::lines);
    lines.map(|line| format!("{}\n", line.trim_start())).collect()
}

#[test]
fn an_agent_of_the_users_own_has_a_hook_as_it_is_described() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".config/toto/agents/mine.toml", described());
    run(&mut sandbox.toto(["hook", "install", "--agent", "mine"])).ok();
    let settings = fs::read_to_string(sandbox.home().join(".mine/settings.json")).unwrap();
    let settings: Value = serde_json::from_str(&settings).unwrap();
    let command = settings["hooks"]["beforeTool"][0]["command"].as_str().unwrap();
    let question = r#"{"tool": "Shell", "input": {"command": "aws x", "n": 1}}"#;
    let answer = run_with(&mut sandbox.shell("sh", command), question.as_bytes()).ok().out();
    let line = format!("{} shim -- aws x", toto_binary().display());
    assert_eq!(
        serde_json::from_str::<Value>(&answer).unwrap(),
        json!({"newInput": {"command": line, "n": 1}})
    );
    sandbox.tool("mine", "");
    let list = run(&mut sandbox.toto(["agents"])).ok().out();
    assert!(list.lines().any(|line| line.starts_with("mine") && line.contains(" rewrites ")), "{list}");
}

#[test]
fn help_names_every_agent_with_a_hook() {
    let sandbox = Sandbox::new();
    let help = run(&mut sandbox.toto(["hook", "install", "--help"])).ok().out();
    for agent in AGENTS {
        assert!(help.contains(agent), "{agent}: {help}");
    }
    let with_hook: Vec<_> = llm_toto::agents::AGENTS.iter().filter(|agent| agent.hook.is_some()).collect();
    assert_eq!(with_hook.iter().map(|agent| agent.id).collect::<Vec<_>>(), AGENTS);
}

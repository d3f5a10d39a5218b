//! `toto hook handle` and `toto rewrite`, run.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use super::super::harness::{Sandbox, run, run_with, toto_binary};

fn claude(command: &str, mode: &str, cwd: &std::path::Path) -> String {
    json!({
        "session_id": "s", "cwd": cwd, "permission_mode": mode, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d", "run_in_background": true}, "tool_use_id": "t",
    })
    .to_string()
}

/// The command that the hook answers with; `None` where it says nothing.
#[track_caller]
fn asked(sandbox: &Sandbox, command: &str, mode: &str) -> Option<String> {
    let question = claude(command, mode, &sandbox.work());
    let outcome = run_with(&mut sandbox.toto(["hook", "handle", "claude"]), question.as_bytes()).ok();
    assert_eq!(outcome.err(), "");
    if outcome.out.is_empty() {
        return None;
    }
    let answer: Value = serde_json::from_slice(&outcome.out).unwrap();
    let specific = &answer["hookSpecificOutput"];
    assert_eq!(specific.get("permissionDecision"), None, "it must not decide");
    assert_eq!(specific["updatedInput"]["description"], "d");
    assert_eq!(specific["updatedInput"]["run_in_background"], true);
    Some(specific["updatedInput"]["command"].as_str().unwrap().to_owned())
}

fn front() -> String {
    format!("{} shim --", toto_binary().display())
}

#[test]
fn a_command_on_the_list_is_rewritten_and_no_other() {
    let sandbox = Sandbox::new();
    assert_eq!(
        asked(&sandbox, "A=1 aws 'x y'", "bypassPermissions"),
        Some(format!("A=1 {} aws 'x y'", front()))
    );
    assert_eq!(asked(&sandbox, "aws x | jq .", "bypassPermissions"), None);
    assert_eq!(asked(&sandbox, "aws x", "default"), Some(format!("{} aws x", front())));
}

#[test]
fn whatever_comes_in_the_status_is_0_and_nothing_is_said() {
    let sandbox = Sandbox::new();
    let deep = "[".repeat(100_000);
    for (args, input) in [
        (&["hook", "handle", "claude"][..], ""),
        (&["hook", "handle", "claude"], "{\"tool_name\": \"Bash\""),
        (&["hook", "handle", "claude"], "\u{0}\u{1}"),
        (&["hook", "handle", "claude"], "[]"),
        (&["hook", "handle", "claude"], r#"{"tool_name":"Read","tool_input":{"command":"aws x"}}"#),
        (&["hook", "handle", "claude"], r#"{"tool_name":"Bash","tool_input":{"command":7}}"#),
        (&["hook", "handle", "claude"], &deep),
        (&["hook", "handle"], "{}"),
        (&["hook", "handle", "nobody"], "{}"),
        (&["hook", "handle", "--help"], "{}"),
        (&["hook", "handle", "claude", "more", "--x"], "{}"),
    ] {
        let outcome = run_with(&mut sandbox.toto(args), input.as_bytes()).ok();
        assert!(outcome.out.is_empty() && outcome.err.is_empty(), "{args:?}");
    }
    let lonely = run_with(
        sandbox.toto(["hook", "handle", "claude"]).env_clear(),
        claude("aws x", "default", &sandbox.work()).as_bytes(),
    );
    lonely.ok();
}

#[test]
fn rules_against_the_command_leave_it_alone() {
    for (place, settings) in [
        ("home/.claude/settings.json", r#"{"permissions":{"deny":["Bash(aws:*)"]}}"#),
        ("home/.claude/settings.json", r#"{"permissions":{"ask":["Bash(aws s3 *)"]}}"#),
        ("work/.claude/settings.json", r#"{"permissions":{"deny":["Bash(aws s3 ls)"]}}"#),
        ("work/.claude/settings.local.json", r#"{"permissions":{"deny":["Bash(* ls)"]}}"#),
        ("work/.claude/settings.json", r#"{"permissions":{"ask":["Bash"]}}"#),
        ("work/.claude/settings.json", r#"{"sandbox":{"excludedCommands":["aws"]}}"#),
        (".claude/settings.json", r#"{"permissions":{"deny":["Bash(aws:*)"]}}"#),
        ("work/.claude/settings.json", r#"{"permissions":{"deny":["Bash(*toto*)"]}}"#),
        ("work/.claude/settings.json", r#"{"permissions":{"deny": "Bash(aws:*)"}}"#),
        ("work/.claude/settings.json", r#"{"permissions":{"forbid": ["Bash(aws:*)"]}}"#),
        ("work/.claude/settings.json", "not json"),
        ("work/.claude/settings.json", r#"{"permissions":{"allow":["Bash(aws:*)"]}}"#),
    ] {
        let sandbox = Sandbox::new();
        let path = sandbox.root().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, settings).unwrap();
        let mode = if settings.contains("allow") { "default" } else { "bypassPermissions" };
        for command in ["aws s3 ls", "A=1 aws  s3 ls", "'aws' s3 ls", "/usr/bin/aws s3 ls"] {
            let other = command.starts_with('/') && settings.contains("ls)");
            assert_eq!(asked(&sandbox, command, mode), None, "{command} {settings} {other}");
        }
        if settings.contains("Bash(aws:*)") && settings.contains('[') {
            assert!(asked(&sandbox, "make", mode).is_some(), "{settings}");
        }
    }
}

#[test]
fn what_may_run_unasked_stays_so() {
    let sandbox = Sandbox::new();
    let allow = |rules: &[&str]| {
        sandbox.home_file(".claude/settings.json", json!({"permissions": {"allow": rules}}).to_string());
    };
    assert_eq!(asked(&sandbox, "git status", "default"), None, "Claude Code runs it without asking");
    assert!(asked(&sandbox, "git status", "bypassPermissions").is_some());
    allow(&[&format!("Bash({} git status:*)", front())]);
    assert!(asked(&sandbox, "git status", "default").is_some());
    allow(&[&format!("Bash({}:*)", front())]);
    assert_eq!(
        asked(&sandbox, "aws x", "default"),
        None,
        "a rule for everything through toto is none for aws"
    );
    allow(&[&format!("Bash({}:*)", front()), "Bash(aws:*)"]);
    assert!(asked(&sandbox, "aws x", "default").is_some());
    allow(&["Bash"]);
    assert!(asked(&sandbox, "aws x", "default").is_some());
}

#[test]
fn rules_about_files_hold_for_searches() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".claude/settings.json", r#"{"permissions":{"deny":["Read(./.env)"]}}"#);
    for command in ["grep x .env", "'grep' x .env", "/usr/bin/grep x .env", "gr\\ep x .env"] {
        assert_eq!(asked(&sandbox, command, "bypassPermissions"), None, "{command}");
    }
    assert!(asked(&sandbox, "aws x", "bypassPermissions").is_some());
}

#[test]
fn an_alias_or_a_function_stays_what_it_is() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".bashrc", "alias aws='aws --profile x'\n");
    sandbox.home_file(".claude/shell-snapshots/snapshot-bash-1.sh", "eval $'kubectl () \\n{ echo; }'\n");
    for command in ["aws x", "kubectl get pods"] {
        assert_eq!(asked(&sandbox, command, "bypassPermissions"), None, "{command}");
    }
    assert!(asked(&sandbox, "/usr/bin/aws x", "bypassPermissions").is_some(), "a path is no alias");
    let question = claude("make", "bypassPermissions", &sandbox.work());
    let mut command = sandbox.toto(["hook", "handle", "claude"]);
    let outcome = run_with(command.env("BASH_FUNC_make%%", "() { echo; }"), question.as_bytes()).ok();
    assert!(outcome.out.is_empty());
}

#[test]
fn the_hook_waited_for_ever_for_a_fifo_in_a_files_place() {
    let fifo = |sandbox: &Sandbox, path: &str| {
        let place = sandbox.home_file(path, "");
        fs::remove_file(&place).unwrap();
        assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
    };
    for path in [".bashrc", ".claude/settings.json"] {
        let sandbox = Sandbox::new();
        fifo(&sandbox, path);
        assert_eq!(asked(&sandbox, "aws x", "default"), None, "{path}");
        fs::remove_file(sandbox.home().join(path)).unwrap();
        symlink("/dev/null", sandbox.home().join(path)).unwrap();
        assert!(asked(&sandbox, "aws x", "default").is_some(), "{path}: nothing stands in it");
    }
}

#[test]
fn dev_null_that_a_sandbox_mounted_over_a_start_file_was_no_empty_file() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".bashrc", "alias aws='aws --profile x'\n");
    let question = claude("aws x", "default", &sandbox.work());
    let script = "mount --bind /dev/null \"$HOME/.bashrc\" || exit; exec \"$0\" hook handle claude";
    let mut command = sandbox.command("unshare");
    let outcome = run_with(command.args(["-rm", "sh", "-c", script]).arg(toto_binary()), question.as_bytes());
    if !outcome.err().contains("ermission") && !outcome.err().contains("not permitted") {
        assert!(outcome.ok().out().contains("aws x"), "nothing stands in it");
    }
}

#[test]
fn a_mistake_in_the_rules_is_told_by_check_and_has_no_effect_in_the_hook() {
    let sandbox = Sandbox::new();
    sandbox.home_file(".config/toto/rewrites.toml", "skip = ['make']\nstrip = true\n");
    let outcome = run(&mut sandbox.toto(["rewrite", "--check"])).exits(2);
    assert!(outcome.err().contains("rewrites.toml:2:1: unknown key `strip`"), "{}", outcome.err());
    assert_eq!(outcome.err().matches('\n').count(), 1);
    assert_eq!(asked(&sandbox, "aws x", "bypassPermissions"), None);
    sandbox.home_file(".config/toto/rewrites.toml", "skip = ['make']\n[[rule]]\nmatch = 'just {1}'\n");
    run(&mut sandbox.toto(["rewrite", "--check"])).ok();
    assert_eq!(asked(&sandbox, "make x", "bypassPermissions"), None);
    assert_eq!(
        asked(&sandbox, "just 'a b' c", "bypassPermissions"),
        Some(format!("{} just 'a b' c", front()))
    );
}

#[test]
fn rewrite_prints_the_line_and_says_why() {
    let sandbox = Sandbox::new();
    let said = |args: &[&str]| run(&mut sandbox.toto([&["rewrite"], args].concat())).ok().out();
    assert_eq!(said(&["aws  x"]), format!("{} aws  x\n", front()));
    assert_eq!(said(&["cd /"]), "cd /\n");
    assert_eq!(said(&["--explain", "cd /"]), "unchanged: it is the shell's own\ncd /\n");
    assert!(said(&["--explain", "aws x"]).starts_with("aws is on the list\n"));
}

#[test]
fn other_agents_are_answered_in_their_own_way() {
    let sandbox = Sandbox::new();
    let said = |agent: &str, input: Value| {
        let outcome =
            run_with(&mut sandbox.toto(["hook", "handle", agent]), input.to_string().as_bytes()).ok();
        serde_json::from_slice::<Value>(&outcome.out).ok()
    };
    let line = format!("{} aws x", front());
    let input = json!({"tool_name": "Bash", "tool_input": {"command": "aws x", "workdir": "/"}, "cwd": "/"});
    let codex = said("codex", input).unwrap();
    assert_eq!(codex["hookSpecificOutput"]["updatedInput"], json!({"command": line, "workdir": "/"}));
    let gemini = said(
        "gemini",
        json!({"tool_name": "run_shell_command", "tool_input": {"command": "aws x"}, "cwd": "/"}),
    )
    .unwrap();
    assert_eq!(
        gemini,
        json!({"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": line}}})
    );
    let copilot =
        said("copilot", json!({"toolName": "bash", "toolArgs": {"command": "aws x", "mode": "sync"}}))
            .unwrap();
    assert_eq!(copilot, json!({"modifiedArgs": {"command": line, "mode": "sync"}}));
    let opencode = json!({"tool_name": "bash", "tool_input": {"command": "'aws' x"}, "cwd": sandbox.work()});
    assert_eq!(said("opencode", opencode.clone()).unwrap(), json!({"command": line.replace("aws", "'aws'")}));
    sandbox.home_file(".config/opencode/opencode.json", r#"{"permission":{"bash":{"aws *":"deny"}}}"#);
    assert_eq!(said("opencode", opencode), None);
    sandbox.home_file(".codex/rules/default.rules", "prefix_rule(pattern=[\"aws\"], decision=\"forbidden\")");
    assert_eq!(
        said("codex", json!({"tool_name": "Bash", "tool_input": {"command": "aws x"}, "cwd": "/"})),
        None
    );
}

//! A Python project with an activated environment, and what an agent's own shell is beside that: as it was.

use std::fs;

use super::{ACTIVATE, report};
use crate::harness::{Sandbox, executable, installed, run};

/// A project whose environment alone has the tools; uv runs what it is told to, with the environment in front.
pub(super) fn python_project() -> Sandbox {
    let sandbox = Sandbox::new();
    executable(
        &sandbox.tools().join("uv"),
        &(report("uv") + "shift; PATH=\"$PWD/.venv/bin:$PATH\" exec \"$@\"\n"),
    );
    run(&mut sandbox.toto(["setup", "uv", "pytest", "gradlew", "--no-modify-path"])).ok();
    let bin = sandbox.work().join(".venv/bin");
    for name in ["pytest", "python", "python3"] {
        let text = report(name)
            + "echo \"output of $*\"; case $* in *nap*) exec sleep 20 ;; *fails*) exit 3 ;; esac\n";
        executable(&bin.join(name), &text);
    }
    executable(
        &sandbox.work().join("gradlew"),
        &(report("gradlew") + "case $* in *nap*) exec sleep 20 ;; esac\n"),
    );
    fs::write(bin.join("activate"), ACTIVATE).unwrap();
    fs::write(bin.join("activate.fish"), "set -gx PATH $PWD/.venv/bin $PATH\n").unwrap();
    sandbox
}

/// What the tools noted, and what the shell gave back.
pub(super) fn played(
    sandbox: &Sandbox,
    shell: &str,
    line: &str,
    agent: bool,
) -> (String, crate::harness::Outcome) {
    let log = sandbox.root().join("log");
    let _ = fs::remove_file(&log);
    let home = sandbox.toto_home();
    let (agent_file, fish) = (home.join("agent.sh"), home.join("env.fish"));
    let mut command = match shell {
        "zsh" if agent => sandbox
            .shell(shell, &format!(". {}\neval '{}'", agent_file.display(), line.replace('\'', "'\\''"))),
        "fish" if agent => sandbox.shell(shell, &format!("source {}\n{line}", fish.display())),
        _ => sandbox.shell(shell, line),
    };
    if agent {
        command.env("TOTO_AGENT", "1");
        if shell == "bash" {
            command.env("BASH_ENV", agent_file);
        }
    }
    let outcome = run(command.env("LOG", &log));
    (fs::read_to_string(log).unwrap_or_default(), outcome)
}

/// Did a shim start the first tool that noted anything?
pub(super) fn is_seen(log: &str) -> bool {
    log.lines().find(|line| !line.ends_with(" was captured")).is_some_and(|line| line.ends_with(" seen"))
}

#[test]
fn an_activated_environment_does_not_go_round_the_shim() {
    let sandbox = python_project();
    for shell in ["bash", "zsh", "fish"].into_iter().filter(|shell| installed(shell)) {
        let activate =
            if shell == "fish" { "source .venv/bin/activate.fish" } else { ". .venv/bin/activate" };
        // fish has neither aliases nor names with a slash, and cannot put a function in the background: what the farm has.
        let words = shell != "fish";
        for (line, seen) in [
            ("pytest -q", words),
            ("python -m pytest -q", words),
            (".venv/bin/pytest -q", words),
            ("uv run pytest -q", true),
        ] {
            let (log, outcome) = played(&sandbox, shell, &format!("{activate}; {line}; true"), true);
            assert_eq!(is_seen(&log), seen, "{shell}: {line}: {log}");
            assert!(
                outcome.out().contains("output of"),
                "{shell}: {line}: {}{}",
                outcome.out(),
                outcome.err()
            );
            // A program reads: seen by the shim that the shell has, and not captured.
            let (log, outcome) = played(&sandbox, shell, &format!("{activate}; {line} | cat"), true);
            assert!(
                !log.contains("captured") && outcome.out().contains("output of"),
                "{shell}: {line}: {log}"
            );
            // A script of the same shell's has none of the words.
            let script =
                sandbox.script("work/script", &format!("#!/usr/bin/env {shell}\n{activate}\n{line}\n"));
            let (log, _) = played(&sandbox, shell, &format!("{} | cat", script.display()), true);
            assert_eq!(is_seen(&log), line.starts_with("uv"), "{shell}: {log}");
        }
    }
}

#[test]
fn only_what_is_a_tool_behind_an_interpreter_is_captured() {
    let sandbox = python_project();
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        for (call, captured) in
            [("-m pytest", true), ("app.py -m pytest", false), ("-c pass", false), ("-m http.server", false)]
        {
            for python in ["python", "python3", ".venv/bin/python"] {
                let (log, _) =
                    played(&sandbox, shell, &format!(". .venv/bin/activate; {python} {call}; true"), true);
                assert_eq!(log.contains("captured"), captured, "{shell}: {python} {call}: {log}");
            }
        }
    }
}

/// What a line prints with the words must be what it prints without: paths, statuses, jobs.
#[test]
fn an_agents_shell_is_as_it_was() {
    let sandbox = python_project();
    let lines = [
        ". .venv/bin/activate; command -v pytest; type pytest; which pytest; command -V pytest",
        "command -v pytest || echo none; command -v ./gradlew; command -v .venv/bin/pytest",
        ". .venv/bin/activate; $(command -v pytest) a",
        ". .venv/bin/activate; set -e; pytest fails; echo not here",
        ". .venv/bin/activate; set -o pipefail; pytest fails | cat; echo $?",
        ". .venv/bin/activate; VAR=x pytest a; (pytest b; echo done); { pytest c; } 2>&1; if pytest d; then echo yes; fi",
        ". .venv/bin/activate; ! pytest fails; echo $?; pytest fails || echo $?",
        ". .venv/bin/activate; exec pytest last",
        ". .venv/bin/activate; pytest() { echo mine; }; eval pytest",
        ". .venv/bin/activate; for x in 1 2; do pytest $x; done; echo $(pytest inside)",
        "alias ls='echo hidden'\nls -d /",
        "alias greet='echo hello'; eval greet 2>/dev/null; echo $?",
        "./nosuch 2>/dev/null; echo $?; nosuchtool 2>/dev/null; echo $?; pytest 2>/dev/null; echo $?",
        "deactivate 2>/dev/null; . .venv/bin/activate; deactivate; command -v pytest; echo $?",
        "env | grep '^_='; env nosuchtool; echo $?; timeout 9 sh -c 'exit 3'; echo $?; timeout; echo a | xargs echo b",
        "X=1; unset X; echo ${X-unset}; set -- a b; echo $# $1",
    ];
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        for line in lines {
            let (_, plain) = played(&sandbox, shell, line, false);
            let (_, words) = played(&sandbox, shell, line, true);
            let text = |outcome: &crate::harness::Outcome| {
                let both = [outcome.out(), outcome.err()].concat();
                both.lines().filter(|line| !line.contains("[toto]")).collect::<Vec<_>>().join("\n")
            };
            assert_eq!(text(&words), text(&plain), "{shell}: {line}");
            assert_eq!(words.code(), plain.code(), "{shell}: {line}");
        }
    }
}

#[test]
fn a_job_is_the_tool_and_ends_when_it_is_killed() {
    let sandbox = python_project();
    let jobs = ["pytest nap", "python nap.py", "./gradlew nap", ".venv/bin/python nap.py"];
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        for job in jobs {
            let line = format!(
                ". .venv/bin/activate; {job} & until test -s \"$LOG\"; do sleep .01; done; kill $!; wait $!; echo $?\n\
                 while pgrep -f '[/]{}/.* nap' >/dev/null; do sleep .01; done",
                sandbox.work().file_name().unwrap().to_str().unwrap()
            );
            let (_, outcome) = played(&sandbox, shell, &line, true);
            assert_eq!(outcome.out().lines().last(), Some("143"), "{shell}: {job}: {}", outcome.err());
        }
    }
}

#[test]
fn whoever_has_words_of_the_same_name_keeps_them() {
    let sandbox = python_project();
    let agent = sandbox.toto_home().join("agent.sh");
    for (shell, before) in [
        ("bash", "shopt -s expand_aliases; alias pytest='echo theirs'"),
        ("bash", "pytest() { echo theirs; }"),
        ("zsh", "alias pytest='echo theirs'"),
        ("zsh", "pytest() { echo theirs; }"),
    ] {
        if installed(shell) {
            let line = format!("{before}\n. {}\neval 'pytest x'", agent.display());
            let outcome = run(sandbox.shell(shell, &line).env("TOTO_AGENT", "1")).ok();
            assert!(outcome.out().starts_with("theirs"), "{shell}: {before}: {}", outcome.out());
        }
    }
}

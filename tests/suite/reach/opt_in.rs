//! One list: what is not on it is met by nothing of toto's, and what is taken off it no longer.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use super::environments::{is_seen, played, python_project};
use super::report;
use crate::harness::{Sandbox, contents, executable, files_below, installed, run, run_with};

/// Words that agents, scripts and shells use: tools, interpreters, wrappers, utilities, the shells' own words.
const WORDS: &str = "python python3 python3.12 node php ruby perl timeout env xargs nice nohup sudo time pytest py.test \
    mypy ruff pip pip3 pylint flake8 black isort pyright tox nox coverage pre-commit bandit twine tsc eslint jest vitest \
    prettier mocha playwright turbo nx rspec rubocop rake rails phpunit phpstan pest psalm composer artisan gradlew mvnw \
    configure unittest doctest build django sphinx kubectl gcloud az gh docker git terraform cargo npm go helm make uv \
    pnpm yarn npx tofu podman glab oc eksctl ansible pulumi mvn gradle dotnet cmake ctest ninja bazel golangci-lint \
    bundle swift psql jq yq curl wget journalctl systemctl rg poetry pdm hatch pipenv uvx pipx conda bun bunx deno lerna \
    biome gem brew mix sbt meson just task buf skopeo kind minikube flux vault packer trivy shellcheck cdk sam mysql \
    sqlite3 redis-cli rustup rustc javac java gcc cc g++ ld ar as cat bat nl head tail sed awk gawk grep egrep find fd ls \
    tree du df ps top kill sleep date id whoami uname hostname touch rm cp mv ln mkdir rmdir chmod chown stat file wc \
    sort uniq cut tr tee diff cmp patch tar gzip gunzip zip unzip bzip2 xz ssh scp rsync less more man vim nano emacs \
    tmux screen bash sh dash zsh fish ksh cd echo printf test [ true false read export unset set source eval exec trap \
    wait jobs bg fg pwd umask ulimit hash local return exit . : if for while function ./gradlew ./configure bin/rails \
    .venv/bin/pytest .venv/bin/python node_modules/.bin/tsc vendor/bin/phpunit";
/// The shells' own words that tell what a word is. An agent's shell has functions of these names, so that they answer
/// as if it had no words.
const ANSWERING: &str = "command type alias unalias shopt which where whence";

#[test]
fn with_one_tool_linked_an_agents_shell_finds_every_other_word_as_before() {
    let sandbox = Sandbox::new();
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    assert!(words.len() >= 200, "{}", words.len());
    for name in ["aws", "python", "node", "pytest", "eslint", "pip"] {
        sandbox.tool(name, "");
    }
    run(&mut sandbox.toto(["setup", "aws", "--no-modify-path"])).ok();
    fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
    run(&mut sandbox.toto(["agents", "setup", "claude"])).ok();
    let home = sandbox.toto_home();
    for shell in ["bash", "zsh", "fish"].into_iter().filter(|shell| installed(shell)) {
        // `builtin`: what there is, not what our own function `type` says.
        let asks =
            format!("for w in {WORDS} aws; do echo \"= $w\"; builtin type -a \"$w\" 2>/dev/null; done\n");
        let answers = format!("for w in {ANSWERING}; do echo \"= $w\"; type -a \"$w\" 2>/dev/null; done\n");
        let asks = match shell {
            "fish" => format!(
                "for w in (string split ' ' -- '{WORDS} aws'); echo \"= $w\"; type -a -- $w 2>/dev/null; end"
            ),
            _ => asks + &answers,
        };
        let (file, reads) = if shell == "fish" { ("env.fish", "source") } else { ("agent.sh", ".") };
        let told = |line: &str| {
            let outcome = run(sandbox.shell(shell, line).env("TOTO_AGENT", "1"));
            let text = outcome.out();
            assert!(!text.is_empty(), "{shell}: {}", outcome.err());
            text.split("= ").map(str::to_owned).collect::<Vec<_>>()
        };
        let before = told(&asks);
        let after =
            told(&format!("{reads} {}/{file}\neval '{}'", home.display(), asks.replace('\'', "'\\''")));
        let changed: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        assert_eq!((before.len(), after.len()), (after.len(), before.len()), "{shell}");
        assert!(before.len() > 200, "{shell}: {before:?}");
        assert!(changed.iter().all(|(before, _)| before.starts_with("aws\n")), "{shell}: {changed:#?}");
    }
    // Nothing but aws is behind a word, either.
    let words: Vec<_> =
        fs::read_dir(home.join("words")).unwrap().flatten().map(|word| word.file_name()).collect();
    assert_eq!(words, ["aws"]);
    assert!(!home.join("reach").exists());
}

#[test]
fn what_is_unlinked_is_the_tool_itself_in_shells_that_run() {
    for shell in ["bash", "zsh", "fish"].into_iter().filter(|shell| installed(shell)) {
        let sandbox = python_project();
        let activate = if shell == "fish" { "" } else { ". .venv/bin/activate\n" };
        let calls: &[&str] = match shell {
            "fish" => &["uv x true"],
            _ => &[
                "pytest x",
                "python -m pytest",
                ".venv/bin/pytest x",
                "timeout 9 pytest x",
                "env A=1 pytest x",
                "uv x true",
            ],
        };
        for call in calls {
            let home = sandbox.toto_home();
            run(&mut sandbox.toto(["link", "pytest", "uv"])).ok();
            let files = contents(files_below(&home));
            let line = format!(
                "{activate}{call}; true\necho cut >>\"$LOG\"\n'{}' unlink pytest uv\n{call}; true",
                home.join("toto").display()
            );
            let (log, outcome) = played(&sandbox, shell, &line, true);
            let (before, after) = log.split_once("cut\n").unwrap();
            assert!(is_seen(before), "{shell}: {call}: {log}{}", outcome.err());
            assert!(
                !after.is_empty() && !after.contains("seen") && !after.contains("captured"),
                "{shell}: {call}: {log}{}",
                outcome.err()
            );
            // And listed again, all is as it was.
            run(&mut sandbox.toto(["link", "pytest", "uv"])).ok();
            assert_eq!(contents(files_below(&home)), files, "{shell}: {call}");
        }
    }
}

#[test]
fn a_bash_that_has_met_a_link_looks_again_when_it_is_gone() {
    let sandbox = python_project();
    let line = format!(
        ". \"$HOME/.toto/env\"\nuv x true\n'{}' unlink uv\nuv x true\nexit\n",
        sandbox.toto_home().join("toto").display()
    );
    let log = sandbox.root().join("log");
    let mut command = sandbox.command("setsid");
    command.args(["-w", "bash", "--norc", "-i"]).env("TOTO_AGENT", "1").env("LOG", &log);
    let outcome = run_with(&mut command, line.as_bytes());
    let log = fs::read_to_string(log).unwrap().replace("uv was captured\n", "");
    assert_eq!(log, "uv seen\nuv \n", "{}", outcome.err());
}

#[test]
fn what_links_add_unlinking_takes_away() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "");
    run(&mut sandbox.toto(["setup", "aws", "--no-modify-path"])).ok();
    let files = || {
        let all = files_below(&sandbox.home());
        // Shells that run may know the words.
        contents(all.into_iter().filter(|path| !path.display().to_string().contains("/.toto/words/")))
    };
    let before = files();
    run(&mut sandbox.toto(["link", "pytest", "eslint", "gradlew", "terraform"])).ok();
    assert!(fs::read_to_string(sandbox.toto_home().join("agent.bash")).unwrap().contains("pytest"));
    run(&mut sandbox.toto(["unlink", "pytest", "eslint", "gradlew", "terraform"])).ok();
    assert_eq!(files(), before);
}

#[test]
fn a_word_of_the_agents_own_shell_is_met_by_no_script() {
    let sandbox = Sandbox::new();
    executable(&sandbox.tools().join("gradlew"), &report("gradlew"));
    run(&mut sandbox.toto(["setup", "gradlew", "--no-modify-path"])).ok();
    assert!(!sandbox.farm().join("gradlew").is_symlink());
    let script = sandbox.script("work/script", "#!/bin/sh\ngradlew x\n");
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        for (line, seen) in
            [("gradlew x; true", true), (script.to_str().unwrap(), false), ("sh -c 'gradlew x'", false)]
        {
            let (log, _) = played(&sandbox, shell, line, true);
            assert_eq!((is_seen(&log), log.is_empty()), (seen, false), "{shell}: {line}: {log}");
        }
    }
}

fn listed(sandbox: &Sandbox) -> Vec<Value> {
    serde_json::from_str(&run(&mut sandbox.toto(["list", "--json"])).ok().out()).unwrap()
}

#[test]
fn a_tool_that_is_not_on_path_is_listed_without_a_link_until_it_is_there() {
    let sandbox = Sandbox::new();
    run(&mut sandbox.toto(["setup", "--no-modify-path", "--yes"])).ok();
    let says = |args: &[&str]| run(&mut sandbox.toto(args)).ok().out();
    assert!(says(&["link", "mypy"]).starts_with("mypy: linked, for agents' own shells"));
    assert!(says(&["link", "mypy"]).starts_with("mypy: already linked"));
    let row = || listed(&sandbox).into_iter().find(|row| row["name"] == "mypy").unwrap();
    assert_eq!(row()["reached"], serde_json::json!(["shell", "environments"]));
    assert_eq!(row()["tool"], Value::Null);
    sandbox.tool("mypy", "");
    assert!(run(&mut sandbox.toto(["doctor"])).out().contains("mypy is on PATH now"));
    assert_eq!(says(&["link", "mypy"]), "mypy: linked\n");
    assert_eq!(row()["reached"], serde_json::json!(["farm", "shell", "environments"]));
    assert!(!sandbox.toto_home().join("reach/mypy").exists());
    assert_eq!(says(&["unlink", "mypy"]), "mypy: unlinked\n");
    assert!(!listed(&sandbox).iter().any(|row| row["name"] == "mypy"));
}

#[test]
fn links_of_earlier_versions_are_no_names_of_the_list() {
    let sandbox = Sandbox::new();
    let names = sandbox.toto_home().join("reach");
    fs::create_dir(&names).unwrap();
    for name in ["pytest", "python", "timeout"] {
        symlink("../toto", names.join(name)).unwrap();
    }
    assert!(listed(&sandbox).is_empty());
    run(&mut sandbox.toto(["setup", "cargo", "--no-modify-path"])).ok();
    assert!(!names.exists());
}

#[test]
fn setup_offers_what_is_here_with_its_calls_and_takes_it_when_told() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "");
    for tool in [".venv/bin/pytest", "node_modules/.bin/tsc", "gradlew", "bin/aws"] {
        executable(&sandbox.work().join(tool), "#!/bin/sh\n");
    }
    let session = include_str!("../../fixtures/transcripts/claude.jsonl");
    sandbox.home_file(".claude/projects/-home-dev-project/755e660d.jsonl", session);
    let outcome = run(&mut sandbox.toto(["setup", "--no-modify-path"])).ok();
    let out = outcome.out();
    let row = |name: &str| {
        let line = out.lines().find(|line| line.split(' ').next() == Some(name));
        line.unwrap_or_else(|| panic!("{name}: {out}")).split_whitespace().collect::<Vec<_>>()
    };
    let aws = sandbox.tools().join("aws");
    assert_eq!(row("aws")[..2], ["aws", aws.to_str().unwrap()]);
    assert!(row("aws")[2].parse::<u32>().unwrap() > 0, "{out}");
    assert_eq!(row("pytest"), ["pytest", ".venv/bin/pytest"]);
    assert_eq!(row("tsc"), ["tsc", "node_modules/.bin/tsc"]);
    assert_eq!(row("gradlew"), ["gradlew", "./gradlew"]);
    assert!(outcome.err().contains("--yes"), "{}", outcome.err());
    assert!(listed(&sandbox).is_empty(), "nobody was asked, so nothing is linked");
    run(&mut sandbox.toto(["setup", "--yes", "--no-modify-path"])).ok();
    let names: Vec<Value> = listed(&sandbox).iter().map(|row| row["name"].clone()).collect();
    assert!(
        ["aws", "pytest", "tsc", "gradlew"].iter().all(|name| names.contains(&Value::from(*name))),
        "{names:?}"
    );
    assert!(!sandbox.farm().join("pytest").is_symlink() && sandbox.farm().join("aws").is_symlink());
}

#[test]
fn doctor_says_what_of_the_list_a_path_misses() {
    let sandbox = Sandbox::new();
    let (aws, _) = (sandbox.tool("aws", ""), sandbox.tool("gh", ""));
    run(&mut sandbox.toto(["link", "aws", "gh", "mypy"])).ok();
    let doctor = |path: &str| run(&mut sandbox.toto(["doctor", "--path", path]));
    let (farm, tools) = (sandbox.farm(), sandbox.tools());
    let (farm, tools) = (farm.display(), tools.display());
    let out = doctor(&format!("{farm}:{tools}")).ok().out();
    assert!(out.contains("that PATH reaches 2 shims\n") && out.contains("own shells: mypy"), "{out}");
    let out = doctor(&format!("{tools}:{farm}")).exits(1).out();
    assert!(out.contains(&format!("that PATH misses aws ({} comes first), gh (", aws.display())), "{out}");
    assert!(doctor("/nowhere").exits(1).out().contains("that PATH misses aws, gh\n"));
}

#[test]
fn why_begins_with_the_way() {
    let sandbox = python_project();
    sandbox.tool("make", "");
    let why =
        |call: &str| format!("'{}' why -- {call} | head -1", sandbox.toto_home().join("toto").display());
    let says = |shell: &str, call: &str, agent: bool| {
        let (_, outcome) = played(&sandbox, shell, &format!(". .venv/bin/activate\n{}", why(call)), agent);
        outcome.out()
    };
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        for call in ["pytest -q", "python -m pytest", ".venv/bin/pytest", "timeout 5 pytest"] {
            let word = call.split(' ').next().unwrap();
            assert_eq!(
                says(shell, call, true),
                format!("reached: {word} is a word of this agent's own shell\n"),
                "{shell}"
            );
            assert!(
                says(shell, call, false).contains("is a word only of agents' own shells"),
                "{shell}: {call}"
            );
        }
        let uv = sandbox.farm().join("uv");
        for agent in [true, false] {
            assert_eq!(
                says(shell, "timeout 5 uv run x", agent),
                format!("reached: {} stands first on PATH\n", uv.display()),
                "{shell}: what timeout starts, PATH finds"
            );
        }
        assert_eq!(
            says(shell, "uv run x", false),
            format!("reached: {} stands first on PATH\n", uv.display())
        );
        assert_eq!(says(shell, "make", true), "not reached: make is not on the list (toto link make)\n");
        assert_eq!(
            says(shell, "python -m mypy", true),
            "not reached: mypy is not on the list (toto link mypy)\n"
        );
    }
    fs::copy(sandbox.tools().join("uv"), sandbox.work().join(".venv/bin/uv")).unwrap();
    assert!(
        says("bash", "uv run x", false).ends_with(".venv/bin/uv stands in front of the farm on this PATH\n")
    );
}

#[test]
fn what_an_interpreter_or_a_wrapper_runs_is_the_tools_call() {
    let sandbox = python_project();
    for call in ["python -m pytest", "timeout 9 pytest x", "pytest x"] {
        let line = format!(". .venv/bin/activate; export TOTO=on; {call}");
        let (_, outcome) = played(&sandbox, "bash", &line, true);
        assert!(outcome.out().contains("output of"), "{call}: {}", outcome.err());
    }
    let rows = listed(&sandbox);
    let calls = |name: &str| rows.iter().find(|row| row["name"] == name).map(|row| row["calls"].clone());
    assert_eq!((calls("pytest"), calls("uv")), (Some(3.into()), Some(0.into())), "{rows:?}");
    let by_tool = run(&mut sandbox.toto(["gain", "--by-tool", "--csv"])).ok().out();
    assert!(!by_tool.contains("python") && !by_tool.contains("timeout"), "{by_tool}");
}

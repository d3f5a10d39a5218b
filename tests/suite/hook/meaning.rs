//! A line and its rewritten form, both run: the same arguments, environment, input, output, files and status.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::super::harness::{Outcome, Sandbox, executable, installed, run_with, toto_binary};
use super::{cases, line, made_of};
use llm_toto::hook::line::{pipeline, value};
use llm_toto::hook::rules::Rules;
use llm_toto::words::quote;

/// A tool that writes down how it was called, and answers with something that depends on that.
///
/// It uses the shell's builtins alone: the private PATH holds a `grep` and a `find` of this kind.
const TOOL: &str = "#!/bin/sh
printf '<%s>' \"$0\" \"$@\"; echo; pwd; export -p
IFS= read -r input; echo \"$input\"
printf '<%s>' \"$#\" \"$@\" >> log
echo trouble >&2
exit $((($# + 3) % 7))";

/// A world in which these tools exist, by name or by path.
fn world(tools: &BTreeSet<String>) -> Sandbox {
    let sandbox = Sandbox::new();
    for tool in tools {
        let relative = tool.contains('/') && !tool.starts_with('/');
        if relative {
            executable(&sandbox.work().join(tool), TOOL);
        } else if !tool.contains('/') {
            executable(&sandbox.tools().join(tool), TOOL);
        }
    }
    for file in ["a.txt", "b.txt", "ax"] {
        fs::write(sandbox.work().join(file), "x").unwrap();
    }
    sandbox
}

/// The effects of a run, with the path of its world taken out.
#[derive(Debug, PartialEq)]
struct Effects {
    status: i32,
    out: String,
    err: String,
    log: Option<String>,
    files: BTreeSet<String>,
}

fn effects(tools: &BTreeSet<String>, shell: &str, line: &str) -> Effects {
    let sandbox = world(tools);
    let outcome: Outcome = run_with(
        sandbox.shell(shell, line).env("VAR", "a b").env("BRACED", "c*").env("NS", "n").env("OTHER", "*.txt"),
        b"some input\n",
    );
    let place = sandbox.root().to_str().unwrap().to_owned();
    let number = regex::Regex::new("[0-9]{3,}").unwrap();
    // The process id in `$$` is another each time.
    let plain = |text: String| number.replace_all(&text.replace(&place, "@"), "N").into_owned();
    // Variables that the shell sets for each program that it starts, whatever it was asked to hand down.
    let own = |line: &&str| {
        !["export _=", "export SHLVL=", "export OLDPWD", "export _TOTO_GUARD="]
            .iter()
            .any(|own| line.starts_with(own))
    };
    let handed_down = |text: String| text.lines().filter(own).collect::<Vec<_>>().join("\n");
    let files =
        fs::read_dir(sandbox.work()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    Effects {
        status: outcome.code(),
        out: handed_down(plain(outcome.out())),
        err: plain(outcome.err()),
        log: fs::read_to_string(sandbox.work().join("log")).ok().map(plain),
        files: files.collect(),
    }
}

fn name_of(line: &str) -> String {
    let stages = pipeline(line).unwrap();
    value(stages[0].word(0)).unwrap()
}

fn with_program(made: &str) -> String {
    made.replace("toto shim --", &format!("{} shim --", toto_binary().display()))
}

/// The difference between a line and its rewritten form, if any.
fn difference(shell: &str, line: &str, made: &str) -> Option<String> {
    let tools = BTreeSet::from([name_of(line)]);
    let (before, after) = (effects(&tools, shell, line), effects(&tools, shell, &with_program(made)));
    (before != after).then(|| format!("{shell}: {line:?}\n{before:#?}\n{after:#?}"))
}

fn shells() -> Vec<&'static str> {
    ["bash", "dash", "zsh"].into_iter().filter(|shell| installed(shell)).collect()
}

#[test]
fn every_rewritten_command_of_the_list_does_the_same() {
    let lines: Vec<String> = cases().rewritten.iter().map(|marked| marked.replace('«', "")).collect();
    let differences = |lines: &[String]| -> Vec<String> {
        let pairs = lines.iter().flat_map(|line| ["bash", "dash"].map(|shell| (shell, line)));
        pairs
            .filter_map(|(shell, line)| difference(shell, line, &made_of(line, &Rules::default())?))
            .collect()
    };
    let found: Vec<String> = thread::scope(|scope| {
        let chunks = lines.chunks(lines.len().div_ceil(4));
        let runs: Vec<_> = chunks.map(|lines| scope.spawn(|| differences(lines))).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(found.is_empty(), "{} differ\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_tool_was_really_called() {
    let tools = BTreeSet::from(["aws".to_owned()]);
    let seen = effects(&tools, "bash", &with_program("A=1 toto shim -- aws 'x y' \"$VAR\" $VAR"));
    assert_eq!(seen.log.as_deref(), Some("<4><x y><a b><a><b>"));
    assert_eq!(seen.status, 0);
    assert!(seen.out.contains("\nexport A='1'\n") && seen.out.ends_with("\nsome input"), "{}", seen.out);
}

/// Words that shells read in their own ways.
#[rustfmt::skip]
const ODD_WORDS: &[&str] = &[
    "x", "'a b'", "\"$VAR\"", "$OTHER", "\\ y", "\\\n", "#c", "a#b", "*.txt", "{a,b}", "~", "a=~", "=z",
    "!", "!!", "[a", "2>&1", "2", "%", "^a", "$'\\t'", "\"\\\"\"", "''", "$", "$$x", "\n", "# c", "\r", "é",
    "${VAR:-d}", "-", "--", "\"a\nb\"", "'\\'", "\\'", "A=1", "}", "{",
];

/// Odd lines, most of them not rewritten: those that are must mean the same in every shell.
#[test]
fn odd_lines_that_are_rewritten_do_the_same() {
    let shells = shells();
    let word = prop::sample::select(ODD_WORDS);
    let lines = (
        prop::sample::select(vec!["", " ", "A=1 ", "# c\n", "\\\n", "A='b c' B=\\\n2 "]),
        prop::collection::vec(word, 0..7),
    )
        .prop_map(|(before, words)| format!("{before}aws {}", words.join(" ")));
    let strategy = prop_oneof![3 => lines, 1 => line()];
    let mut runner = TestRunner::new(ProptestConfig { cases: 24, ..ProptestConfig::default() });
    runner
        .run(&strategy, |line| {
            if let Some(made) = made_of(&line, &Rules::default()) {
                for shell in &shells {
                    let found = difference(shell, &line, &made);
                    prop_assert!(found.is_none(), "{}", found.unwrap_or_default());
                }
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_path_that_is_quoted_is_found_by_the_shell() {
    let sandbox = world(&BTreeSet::from(["aws".to_owned()]));
    let odd = sandbox.root().join("it's a \"place\"");
    fs::create_dir(&odd).unwrap();
    let program = odd.join("toto");
    super::super::harness::copy_executable(toto_binary(), &program);
    let line = format!("{} shim -- aws x", quote(program.to_str().unwrap()));
    let outcome = run_with(&mut sandbox.shell("dash", &line), b"");
    assert_eq!(outcome.code(), 4, "{}", outcome.err());
    assert!(Path::new(&sandbox.work()).join("log").exists());
}

//! Who reads? Simulated agents run the lines of `tests/fixtures/consumer/commands.toml` in every installed shell and by
//! every kind of stream. The tool itself reports how it was run: captured when its parent is toto, raw when toto
//! became it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::harness::{Outcome, Sandbox, installed, run};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/consumer");
const SHELLS: [&str; 6] = ["bash", "dash", "zsh", "busybox", "mksh", "fish"];

/// One line of `commands.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    run: String,
    #[serde(default)]
    agent: String,
    #[serde(default)]
    program: String,
    r#in: Vec<String>,
    #[serde(default)]
    core: bool,
    #[serde(default)]
    bare: bool,
    needs: Option<String>,
}

/// One table of `worlds.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct World {
    name: String,
    process: String,
    #[serde(default)]
    script: bool,
    #[serde(default)]
    marks: String,
    #[serde(default)]
    own: String,
    kind: String,
    commands: String,
    read_by: Reader,
    #[serde(default)]
    untraced: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Reader {
    Agent,
    Program,
}

/// One table of `single.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Single {
    name: String,
    process: String,
    #[serde(default)]
    marks: String,
    #[serde(default)]
    own: String,
    kind: String,
    run: String,
    #[serde(default)]
    agent: String,
    #[serde(default)]
    program: String,
}

static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| table("commands.toml", "command"));
static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| table("worlds.toml", "world"));

fn table<T: for<'a> Deserialize<'a>>(file: &str, key: &str) -> Vec<T> {
    let text = fs::read_to_string(format!("{FIXTURES}/{file}")).unwrap();
    let mut tables: BTreeMap<String, Vec<T>> = toml::from_str(&text).unwrap();
    tables.remove(key).unwrap()
}

/// A sandbox with the tools and the players.
struct Stage {
    sandbox: Sandbox,
    python: PathBuf,
    next: AtomicUsize,
}

/// What became of one run.
struct Played {
    /// The player's whole output.
    outcome: Outcome,
    /// By tool: how each of its runs went.
    runs: BTreeMap<char, Vec<String>>,
}

/// What the tools print: worth compressing, and not to be mistaken for its compressed form, which has no `note`.
fn document() -> String {
    let instance =
        |n| format!(r#"{{"id": "i-{n}", "state": "running", "zone": "eu-1", "note": null, "tags": []}}"#);
    format!(r#"{{"instances": [{}]}}"#, (1..=12).map(instance).collect::<Vec<_>>().join(", "))
}

impl Stage {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.root().to_path_buf();
        for folder in ["log", "private", "players"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let report = format!(
            "case $(readlink /proc/$PPID/exe) in */toto) how=captured ;; *) how=raw ;; esac\n\
             echo \"$2 $how\" >> '{}'/\"$1\"",
            root.join("log").display()
        );
        let say = format!("printf '%s\\n' '{}'; echo warning >&2", document());
        sandbox.tool("aws", &format!("{report}\n{say}"));
        let nested = "case $3 in captures) x=$(aws \"$1\" A) ;; inherits) aws \"$1\" A ;; esac";
        sandbox.tool("kubectl", &format!("{report}\n{nested}\n{say}"));
        sandbox.link("aws");
        sandbox.link("kubectl");
        let private = |name: &str, text: &str| fs::write(root.join("private").join(name), text).unwrap();
        private("plain.sh", "aws $1 a\n");
        private("captures.sh", "X=$(aws $1 a)\necho ${#X}\naws $1 b\n");
        private("makefile", "OUT := $(shell aws $(ID) a)\nall:\n\t@aws $(ID) b\n\t@echo $(words $(OUT))\n");
        private("parse.py", "import json, sys\njson.load(sys.stdin)\nprint('PARSED')\n");
        private(
            "deploy.py",
            "import json, subprocess, sys\n\
             json.loads(subprocess.run(['aws', sys.argv[1], 'a'], capture_output=True).stdout)\n\
             json.loads(subprocess.check_output('aws %s b' % sys.argv[1], shell=True))\n\
             print('PARSED')\n",
        );
        let python = run(sandbox.command("python3").args(["-c", "import sys; print(sys.executable)"])).ok();
        let python = fs::canonicalize(python.out().trim()).unwrap();
        Self { sandbox, python, next: AtomicUsize::new(0) }
    }

    /// The player of this world's agent or program, ready for its kind, shell and command line.
    fn player(&self, process: &str, script: bool) -> Command {
        let play = format!("{FIXTURES}/agent.py");
        let named = self.sandbox.root().join("players").join(process);
        if !named.exists() {
            // Several threads may make it at once; one of them wins.
            if script {
                fs::copy(&play, &named).unwrap();
            } else {
                let _ = std::os::unix::fs::symlink(&self.python, &named);
            }
        }
        let mut command = self.sandbox.command(if script { &self.python } else { &named });
        command.arg(if script { named.as_os_str() } else { play.as_ref() });
        command
            .env("T", self.sandbox.root().join("private"))
            .env("PLAY", play)
            .env("PLAYERS", self.sandbox.root().join("players"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("TERM", "xterm")
            .env("SHELL", "/bin/bash");
        command
    }

    /// Runs `line` in the world and waits until each of the `wanted` tools has reported.
    fn play(&self, world: &World, shell: &str, line: &str, wanted: &str) -> Played {
        let id = format!("K{}", self.next.fetch_add(1, Ordering::Relaxed));
        let mut text = line.replace("@ID", &id);
        for tool in ['a', 'b', 'c', 'd'] {
            text = text.replace(&format!("@{tool}"), &format!("aws {id} {tool}"));
        }
        let mut command = self.player(&world.process, world.script);
        command.args([&world.kind, shell, &text]).env("PLAY_MARKS", &world.marks);
        for mark in world.own.split(',').filter(|mark| !mark.is_empty()) {
            let (name, value) = mark.split_once('=').unwrap();
            command.env(name, value);
        }
        let outcome = run(&mut command);
        let log = self.sandbox.root().join("log").join(&id);
        let start = Instant::now();
        loop {
            let runs = reports(&log);
            if wanted.chars().all(|tool| runs.contains_key(&tool)) || start.elapsed() > Duration::from_secs(5)
            {
                return Played { outcome, runs };
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn reports(log: &Path) -> BTreeMap<char, Vec<String>> {
    let mut runs: BTreeMap<char, Vec<String>> = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap_or_default().lines() {
        let (tool, how) = line.split_once(' ').unwrap();
        runs.entry(tool.chars().next().unwrap()).or_default().push(how.to_owned());
    }
    runs
}

/// What is wrong with a run, if anything.
fn verdict(world: &World, shell: &str, line: &Line, played: &Played) -> Option<String> {
    let agent_reads = world.read_by == Reader::Agent;
    let either = line.bare && world.untraced.iter().any(|name| name == shell);
    let mut complaints = Vec::new();
    for (tools, captured) in [(&line.agent, agent_reads), (&line.program, false)] {
        for tool in tools.chars() {
            let runs = played.runs.get(&tool).map_or(&[][..], Vec::as_slice);
            let expected = if captured { "captured" } else { "raw" };
            let fits = |how: &String| how == expected || (captured && either);
            if runs.is_empty() || !runs.iter().all(fits) {
                complaints.push(format!("{tool} was {runs:?}, not {expected}"));
            }
        }
    }
    let out = played.outcome.out();
    let nobody_compresses = !agent_reads || line.agent.is_empty();
    if nobody_compresses && out.contains("[toto]") {
        complaints.push("a receipt in raw output".into());
    }
    if agent_reads && line.program.is_empty() && !either && out.contains(r#"note\": null"#) {
        complaints.push("the agent got the tool's own document".into());
    }
    if (line.run.contains("parse.py") || line.run.contains("deploy.py")) && !out.contains("PARSED") {
        complaints.push("the program could not read it".into());
    }
    (!complaints.is_empty()).then(|| {
        format!(
            "{} / {} / {shell}: {}\n  {}\n  {out}",
            world.name,
            line.name,
            complaints.join("; "),
            line.run
        )
    })
}

/// Runs all lines that fit in these worlds, some at a time, and fails with every complaint.
fn play_all(select: impl Fn(&World, &str, &Line) -> bool) {
    let shells: Vec<&str> = SHELLS.into_iter().filter(|shell| installed(shell)).collect();
    let fits = |world: &World, shell: &str, line: &Line| {
        line.r#in.iter().any(|name| name == shell)
            && match world.commands.as_str() {
                "all" => true,
                "bash" => shell == "bash",
                "core" => shell == "bash" && line.core,
                other => panic!("{}: commands = {other:?}", world.name),
            }
            && line.needs.as_deref().is_none_or(installed)
            && select(world, shell, line)
    };
    let mut cases = Vec::new();
    for world in WORLDS.iter() {
        for shell in &shells {
            cases.extend(
                LINES.iter().filter(|line| fits(world, shell, line)).map(|line| (world, *shell, line)),
            );
        }
    }
    assert!(!cases.is_empty(), "nothing was selected");
    let stage = Stage::new();
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some((world, shell, line)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let played = stage.play(world, shell, &line.run, &format!("{}{}", line.agent, line.program));
            complaints.lock().unwrap().extend(verdict(world, shell, line, &played));
        }
    };
    let threads = thread::available_parallelism().map_or(2, |n| n.get().clamp(2, 8));
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(worker))));
    let complaints = complaints.into_inner().unwrap();
    assert!(
        complaints.is_empty(),
        "{} of {} wrong:\n{}",
        complaints.len(),
        cases.len(),
        complaints.join("\n")
    );
}

#[test]
fn every_line_in_every_shell() {
    play_all(|world, _, _| world.commands == "all");
}

#[test]
fn every_line_over_an_agents_output_file() {
    play_all(|world, _, _| world.commands == "bash" && world.read_by == Reader::Agent);
}

#[test]
fn every_line_of_a_program() {
    play_all(|world, _, _| world.commands == "bash" && world.read_by == Reader::Program);
}

#[test]
fn every_kind_of_stream() {
    play_all(|world, _, _| world.commands == "core" && world.read_by == Reader::Agent);
}

#[test]
fn what_looks_like_an_agents_and_is_not() {
    play_all(|world, _, _| world.commands == "core" && world.read_by == Reader::Program);
}

#[test]
fn single_cases() {
    let stage = Stage::new();
    stage.player("goose", false); // for those that start it themselves
    let mut complaints = Vec::new();
    for single in table::<Single>("single.toml", "single") {
        let world = World {
            name: single.name,
            own: single.own,
            ..world(&single.process, &single.marks, &single.kind)
        };
        let line = Line {
            name: "single".into(),
            run: single.run,
            agent: single.agent,
            program: single.program,
            r#in: Vec::new(),
            core: false,
            bare: false,
            needs: None,
        };
        let played = stage.play(&world, "bash", &line.run, &format!("{}{}", line.agent, line.program));
        complaints.extend(verdict(&world, "bash", &line, &played));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A world without a table.
fn world(process: &str, marks: &str, kind: &str) -> World {
    World {
        name: String::new(),
        process: process.into(),
        script: false,
        marks: marks.into(),
        own: String::new(),
        kind: kind.into(),
        commands: String::new(),
        read_by: Reader::Agent,
        untraced: Vec::new(),
    }
}

#[test]
fn a_pipeline_that_the_agent_wires_itself_gets_raw_bytes_on_the_second_look() {
    let stage = Stage::new();
    // The agent holds the read end for .3 s, until its second process runs; the tool takes longer.
    let tool = stage.sandbox.tools().join("aws");
    fs::write(&tool, fs::read_to_string(&tool).unwrap() + "sleep 1\n").unwrap();
    let played = stage.play(&world("somebody", "TOTO_AGENT=1", "own_pipeline"), "bash", "@a", "a");
    assert_eq!(played.runs[&'a'], ["captured"], "the first look cannot know");
    let got: serde_json::Value = serde_json::from_slice(&played.outcome.out).unwrap();
    assert_eq!(got["out"], document() + "\n");
}

#[test]
fn a_script_of_the_models_gets_json() {
    let stage = Stage::new();
    for (call, is_json) in [("exec-1", true), ("call-1", false)] {
        let marks = format!("CODEX_THREAD_ID=t,CODEX_TOOL_CALL_ID={call}");
        let played = stage.play(&world("codex", &marks, "pipes"), "bash", "@a; true", "a");
        assert_eq!(played.runs[&'a'], ["captured"]);
        let got: serde_json::Value = serde_json::from_slice(&played.outcome.out).unwrap();
        let out = got["out"].as_str().unwrap();
        let parsed = serde_json::Deserializer::from_str(out).into_iter::<serde_json::Value>().next().unwrap();
        assert_eq!(parsed.is_ok_and(|value| value.is_object()), is_json, "{out}");
    }
}

#[test]
fn a_command_whose_shell_has_ended_is_still_read() {
    let stage = Stage::new();
    let adopted = "(sleep .1; exec grep PPid /proc/self/status) & exit";
    let adopter = run(&mut stage.sandbox.shell("bash", adopted)).ok().out();
    if adopter.split_whitespace().last() != Some("1") {
        return; // another process than pid 1 adopts orphans here: its name would have to be known
    }
    let orphan = "(sleep .3; exec @a) & exit 0";
    let played = stage.play(&world("goose", "GOOSE_TERMINAL=1", "pipes"), "bash", orphan, "a");
    assert_eq!(played.runs[&'a'], ["captured"]);
    let played = stage.play(&world("somebody", "TOTO_AGENT=1", "pipes"), "bash", orphan, "a");
    assert_eq!(played.runs[&'a'], ["raw"], "a mark alone does not find an agent that is no ancestor");
}

#[test]
fn without_proc_only_what_was_handed_down_proves_a_reader() {
    let stage = Stage::new();
    let hidden = "bwrap --dev-bind / / --tmpfs /proc bash -c";
    let usable = run(&mut stage.sandbox.shell("bash", &format!("{hidden} true"))).code() == 0;
    if !usable {
        return; // no bubblewrap here, or no user namespaces
    }
    let got = |line: &str| {
        let played = stage.play(&world("somebody", "TOTO_AGENT=1", "pipes"), "bash", line, "a");
        let got: serde_json::Value = serde_json::from_slice(&played.outcome.out).unwrap();
        got["out"].as_str().unwrap().to_owned()
    };
    assert_eq!(got(&format!("{hidden} '@a; true'")), document() + "\n");
    let handed = "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1);";
    let compressed = got(&format!("{handed} {hidden} '@a; true'"));
    assert!(!compressed.contains("note"), "{compressed}");
    assert_eq!(got(&format!("{handed} {hidden} '@a | cat'")), document() + "\n");
}

#[test]
fn why_tells_the_steps_of_the_decision() {
    let stage = Stage::new();
    let why = |process: &str, line: &str| {
        let mut command = stage.player(process, false);
        let line = line.replace("toto", &crate::harness::toto_binary().display().to_string());
        let outcome = run(command.args(["pipes", "bash", &line])).ok();
        let got: serde_json::Value = serde_json::from_slice(&outcome.out).unwrap();
        got["out"].as_str().unwrap().to_owned()
    };
    let report: serde_json::Value =
        serde_json::from_str(&why("goose", "toto why --json -- aws x; true")).unwrap();
    assert_eq!(report["compressed"], true);
    assert_eq!(report["stderr"], "separate");
    assert_eq!(report["agent"], "goose");
    assert_eq!(report["tool"], stage.sandbox.tools().join("aws").display().to_string());
    assert_eq!(report["streams"][0]["fd"], 1);
    assert_eq!(report["streams"][0]["reader"], "agent");
    let subjects = report["streams"][0]["steps"].to_string();
    assert!(subjects.contains("bash[") && subjects.contains("goose["), "{subjects}");

    let text = why("goose", "toto why | cat");
    assert!(text.starts_with("raw: the reader is a program\n"), "{text}");
    assert!(text.contains("goose[") && text.contains("Goose, by its name"), "{text}");
    let text = why("goose", "toto why -- aws logs tail x --follow; true");
    assert!(text.starts_with("raw: this call is passed straight on"), "{text}");
    let text = why("somebody", "TOTO=on toto why");
    assert!(text.starts_with("compressed for an agent"), "{text}");
}

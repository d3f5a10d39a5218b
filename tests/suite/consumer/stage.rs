//! The stage for `consumer.rs`: the tables of cases, fake tools that report how they were run, and the players.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::harness::{Outcome, Sandbox, run};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/consumer");

/// Longest wait for a tool's report: on a busy machine a tool in the background takes its time.
const REPORTS: Duration = Duration::from_secs(20);

/// One line of `commands.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub name: String,
    pub run: String,
    #[serde(default)]
    pub agent: String,
    #[serde(default)]
    pub program: String,
    pub r#in: Vec<String>,
    #[serde(default)]
    pub core: bool,
    #[serde(default)]
    pub bare: bool,
    pub needs: Option<String>,
}

/// One table of `worlds.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    pub name: String,
    pub process: String,
    #[serde(default)]
    pub script: bool,
    #[serde(default)]
    pub marks: String,
    #[serde(default)]
    pub own: String,
    pub kind: String,
    pub commands: String,
    pub read_by: Reader,
    #[serde(default)]
    pub untraced: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reader {
    Agent,
    Program,
}

/// One table of `single.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Single {
    pub name: String,
    pub process: String,
    #[serde(default)]
    pub marks: String,
    #[serde(default)]
    pub own: String,
    pub kind: String,
    pub run: String,
    #[serde(default)]
    pub agent: String,
    #[serde(default)]
    pub program: String,
}

pub static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| table("commands.toml", "command"));
pub static WORLDS: LazyLock<Vec<World>> = LazyLock::new(|| table("worlds.toml", "world"));

pub fn table<T: for<'a> Deserialize<'a>>(file: &str, key: &str) -> Vec<T> {
    let text = fs::read_to_string(format!("{FIXTURES}/{file}")).unwrap();
    let mut tables: BTreeMap<String, Vec<T>> = toml::from_str(&text).unwrap();
    tables.remove(key).unwrap()
}

/// A sandbox with the tools and the players.
pub struct Stage {
    pub sandbox: Sandbox,
    pub python: PathBuf,
    pub next: AtomicUsize,
    /// `_TOTO_FAULT` of the shims.
    pub fault: &'static str,
    /// Variables that an agent sets for its commands.
    pub sets: Vec<(&'static str, String)>,
}

/// The result of one run.
pub struct Played {
    /// The player's whole output.
    pub outcome: Outcome,
    /// By tool: how each of its runs went.
    pub runs: BTreeMap<char, Vec<String>>,
}

/// The document that the tools print: worth compressing, and not to be mistaken for its compressed form, which has no
/// `note`.
pub fn document() -> String {
    let instance =
        |n| format!(r#"{{"id": "i-{n}", "state": "running", "zone": "eu-1", "note": null, "tags": []}}"#);
    format!(r#"{{"instances": [{}]}}"#, (1..=12).map(instance).collect::<Vec<_>>().join(", "))
}

impl Stage {
    pub fn new() -> Self {
        let sandbox = Sandbox::new();
        let root = sandbox.root().to_path_buf();
        for folder in ["log", "private", "players"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        // A shim that passes bytes on ignores SIGPIPE (signal 13); a shim that captures does not.
        let report = format!(
            "case $(readlink /proc/$PPID/exe) in */toto) how=captured ;; *) how=raw ;; esac\n\
             [ $how = captured ] && grep -q 'SigIgn:.*[13579bdf]...$' /proc/$PPID/status && how=passed\n\
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
        Self { sandbox, python, next: AtomicUsize::new(0), fault: "", sets: Vec::new() }
    }

    /// The player of this world's agent or program, ready for its kind, shell and command line.
    pub fn player(&self, process: &str, script: bool) -> Command {
        let play = format!("{FIXTURES}/agent.py");
        let named = self.sandbox.root().join("players").join(process);
        if !named.exists() {
            // Several threads may make the file at once; one of them wins.
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
            .env("_TOTO_FAULT", self.fault)
            .env("TERM", "xterm")
            .env("SHELL", "/bin/bash")
            .envs(self.sets.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs `line` in the world and waits until each of the `wanted` tools has reported.
    pub fn play(&self, world: &World, shell: &str, line: &str, wanted: &str) -> Played {
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
            if wanted.chars().all(|tool| runs.contains_key(&tool)) || start.elapsed() > REPORTS {
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

/// A run compared with what it should have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    Right,
    /// Raw where an agent reads: a saving less.
    Missed,
    /// Compressed where a program reads.
    Dangerous,
}

/// Compares a run with what it should have been.
pub fn rating(world: &World, shell: &str, line: &Line, played: &Played) -> Rating {
    let agent_reads = world.read_by == Reader::Agent;
    let either = line.bare && world.untraced.iter().any(|name| name == shell);
    let runs = |tool: char| played.runs.get(&tool).map_or(&[][..], Vec::as_slice);
    let captured = |tool: char| runs(tool).iter().any(|how| how == "captured");
    let raw = |tool: char| runs(tool).iter().any(|how| how == "raw");
    let out = played.outcome.out();
    let parses = line.run.contains("parse.py") || line.run.contains("deploy.py");
    if line.program.chars().any(captured)
        || !agent_reads && line.agent.chars().any(captured)
        || parses && !out.contains("PARSED")
        || (!agent_reads || line.agent.is_empty()) && out.contains("[toto]")
    {
        Rating::Dangerous
    } else if agent_reads && !either && line.agent.chars().any(raw) {
        Rating::Missed
    } else {
        Rating::Right
    }
}

/// What is wrong with a run, if anything.
pub fn verdict(world: &World, shell: &str, line: &Line, played: &Played) -> Option<String> {
    let agent_reads = world.read_by == Reader::Agent;
    let either = line.bare && world.untraced.iter().any(|name| name == shell);
    let mut complaints = Vec::new();
    for (tools, captured) in [(&line.agent, agent_reads), (&line.program, false)] {
        for tool in tools.chars() {
            let runs = played.runs.get(&tool).map_or(&[][..], Vec::as_slice);
            let expected = if captured { "captured" } else { "raw" };
            // When the shim looks, a shell may not have become the reader of the pipe yet: the bytes then pass through.
            let laid = [" | ", "<(", "$("].iter().any(|sign| line.run.contains(sign)) || shell == "fish";
            let passes = captured || agent_reads && laid; // a script of Python's inherits an ignored SIGPIPE
            let fits = |how: &String| how == expected || (captured && either) || (passes && how == "passed");
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

/// A world that is in no table.
pub fn world(process: &str, marks: &str, kind: &str) -> World {
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

//! The tools that agents really call: does toto see them? The command lines of `tests/fixtures/reach.toml` run in real
//! shells with fake tools, which report whether a shim started them. docs/reach.md is written from the same table.

mod bsd;
mod environments;
mod opt_in;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::harness::{Sandbox, executable, installed, run, side_by_side};

const TABLE: &str = include_str!("../fixtures/reach.toml");

/// One command line and what is known of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the table's columns")]
pub struct Line {
    pub ecosystem: String,
    pub repository: String,
    pub file: String,
    pub run: String,
    pub calls: Vec<String>,
    #[serde(default)]
    pub tools: Vec<String>,
    #[serde(default)]
    pub venv: bool,
    #[serde(default)]
    pub own: bool,
    pub script: Option<String>,
    pub inside: Option<String>,
    pub farm: bool,
    pub agents: bool,
    pub why: Option<String>,
}

pub fn lines() -> Vec<Line> {
    let mut table: BTreeMap<String, Vec<Line>> = toml::from_str(TABLE).unwrap();
    table.remove("line").unwrap()
}

/// What a fake tool does: it notes whether a shim started it, or what it was started by.
fn report(name: &str) -> String {
    format!(
        "#!/bin/sh\ncase $(readlink /proc/$PPID/exe) in */toto)\n\
         # A shim through which bytes pass to a viewer ignores SIGPIPE, bit 13; one that captures does not.\n\
         grep -q 'SigIgn:.*[13579bdf]...$' /proc/$PPID/status || echo \"{name} was captured\" >> \"$LOG\" ;;\n\
         esac\n\
         echo \"{name} ${{_TOTO_GUARD:+seen}}\" >> \"$LOG\"\n"
    )
}

/// A home with the tools of all lines, set up as a user would in a project that has what is not on PATH: a tool that is
/// only called in activated environments is in these alone.
fn stage(lines: &[Line]) -> Sandbox {
    let sandbox = Sandbox::new();
    for line in lines {
        project(&sandbox.work(), line);
        for name in line.calls.iter().filter(|name| !line.venv && !name.contains('/')) {
            executable(&sandbox.tools().join(name), &report(name));
        }
    }
    run(&mut sandbox.toto(["setup", "--yes", "--no-modify-path"])).ok();
    sandbox
}

/// The list that a user gets there, without what else this machine has.
pub fn listed(lines: &[Line]) -> Vec<String> {
    let sandbox = stage(lines);
    let text = run(&mut sandbox.toto(["list", "--json"])).ok().out();
    let list: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let tools = lines.iter().flat_map(|line| line.calls.iter().chain(&line.tools));
    let is_of = |tool: &str, row: &serde_json::Value| {
        // `./src/redis-cli` of a project is no reason to list the redis-cli that a machine may have.
        let above = tool.strip_suffix(row["name"].as_str().unwrap());
        above.is_some_and(|above| above.is_empty() || above.ends_with('/') && !above.ends_with("/src/"))
    };
    let names = list.iter().filter(|row| tools.clone().any(|tool| is_of(tool, row)));
    names.map(|row| row["name"].as_str().unwrap()).map(str::to_owned).collect()
}

/// A project of this line's: its environment, its scripts, the tools that it has by a path.
fn project(root: &Path, line: &Line) {
    fs::create_dir_all(root.join(".ci-temp")).unwrap(); // a line writes there
    for name in line.calls.iter().chain(&line.tools) {
        if name.contains('/') {
            assert!(Path::new(name).is_relative(), "{name}: outside the project");
            executable(&root.join(name), &report(name));
        } else if line.venv {
            executable(&root.join(".venv/bin").join(name), &report(name));
        }
    }
    if line.venv {
        fs::write(root.join(".venv/bin/activate"), ACTIVATE).unwrap();
    }
    if let (Some(script), Some(inside)) = (&line.script, &line.inside) {
        executable(&root.join(script), &format!("#!/bin/sh\n{inside}\n"));
    }
}

/// What `python -m venv` writes, as far as it is about PATH.
const ACTIVATE: &str = "deactivate () { PATH=\"$_OLD_VIRTUAL_PATH\"; export PATH; hash -r 2> /dev/null; }\n\
    VIRTUAL_ENV=\"$PWD/.venv\"\nexport VIRTUAL_ENV\n_OLD_VIRTUAL_PATH=\"$PATH\"\nPATH=\"$VIRTUAL_ENV/bin:$PATH\"\n\
    export PATH\nhash -r 2> /dev/null\n";

/// Does toto see every call of the line, in this shell?
///
/// # Errors
/// One of them did not run, or was captured where it is to be passed on.
fn sees(sandbox: &Sandbox, root: &Path, line: &Line, shell: &str, set_up: bool) -> Result<bool, String> {
    project(root, line);
    let activate = if line.venv { ". .venv/bin/activate\n" } else { "" };
    // Of an interpreter's own program nothing is to be seen: the shell is asked for its word.
    let ask: String = line
        .calls
        .iter()
        .filter(|_| line.own)
        .map(|call| {
            format!("case $(alias {call} 2>/dev/null) in */words/*) echo {call} seen >>\"$LOG\" ;; esac\n")
        })
        .collect();
    let text = format!("{activate}{ask}{}\nwait", line.run);
    let agent_file = sandbox.toto_home().join("agent.sh");
    let mut command = match (shell, set_up) {
        ("zsh", true) => {
            let quoted = text.replace('\'', "'\\''");
            sandbox.shell(shell, &format!("setopt no_nomatch\n. {}\neval '{quoted}'", agent_file.display()))
        }
        _ => sandbox.shell(shell, &text),
    };
    if set_up && shell == "bash" {
        command.env("BASH_ENV", agent_file);
    }
    let log = root.join("log");
    command.current_dir(root).env("TOTO_AGENT", "1").env("LOG", &log);
    for (name, value) in
        [("GITHUB_OUTPUT", "/dev/null"), ("GITHUB_STEP_SUMMARY", "/dev/null"), ("RUNNER_TEMP", ".")]
    {
        command.env(name, value);
    }
    let outcome = run(&mut command);
    let log = fs::read_to_string(log).unwrap_or_default();
    let calls = line.calls.iter().map(|call| {
        let asked = log.lines().any(|report| line.own && report == format!("{call} seen"));
        let reports: Vec<&str> = log
            .lines()
            .filter(|report| report.split(' ').next() == Some(call) && !report.ends_with(" was captured"))
            .collect();
        let ran = reports.len() > usize::from(asked);
        ran.then(|| asked || reports.iter().all(|report| report.ends_with(" seen")))
    });
    let seen = calls.collect::<Option<Vec<bool>>>().map(|seen| seen.iter().all(|seen| *seen));
    if line.own && log.contains(" was captured") {
        return Err("an own program was captured".into());
    }
    seen.ok_or_else(|| format!("did not run: {log}{}{}", outcome.out(), outcome.err()))
}

#[test]
fn every_line_of_the_table_is_seen_as_it_says() {
    let lines = lines();
    let sandbox = stage(&lines);
    let zsh = installed("zsh");
    let complaints = side_by_side(lines.iter().enumerate(), |(number, line)| {
        let place = |how: &str| sandbox.work().join(format!("{number}-{how}"));
        let farm = sees(&sandbox, &place("farm"), line, "bash", false);
        let agents = sees(&sandbox, &place("agents"), line, "bash", true);
        let by_zsh = if zsh { sees(&sandbox, &place("zsh"), line, "zsh", true) } else { agents.clone() };
        let ways = [
            ("the farm", farm, line.farm),
            ("agents setup", agents, line.agents),
            ("zsh", by_zsh, line.agents),
        ];
        let wrong = ways.into_iter().filter(|(_, seen, expected)| *seen != Ok(*expected));
        wrong
            .map(|(how, seen, _)| format!("{}: {}: {how}: {seen:?}", line.repository, line.run))
            .collect::<Vec<_>>()
    });
    let complaints = complaints.concat();
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), lines.len(), complaints.join("\n"));
}

#[test]
fn enough_is_seen_and_the_rest_has_its_reason() {
    let lines = lines();
    let share =
        |test: &dyn Fn(&Line) -> bool| lines.iter().filter(|line| test(line)).count() * 100 / lines.len();
    let projects: std::collections::BTreeSet<_> = lines.iter().map(|line| &line.repository).collect();
    let ecosystems: std::collections::BTreeSet<_> = lines.iter().map(|line| &line.ecosystem).collect();
    assert!(lines.len() >= 300 && projects.len() >= 60 && ecosystems.len() >= 10);
    assert!(share(&|line| line.farm) >= 75, "{}", share(&|line| line.farm));
    assert!(share(&|line| line.agents) >= 95, "{}", share(&|line| line.agents));
    for line in &lines {
        assert_eq!(line.agents, line.why.is_none(), "{}: {}", line.repository, line.run);
    }
}

//! The same cases where processes are seen otherwise: as a Mac's kernel shows them, and not at all, with the streams
//! that an agent's shell hands down (`TOTO_EYES`). Then attempts to have an old value of `TOTO_EYES` prove something.

use std::collections::BTreeMap;
use std::fs;

use super::stage::{LINES, Line, Played, Rating, Reader, Stage, WORLDS, World, document, rating, world};
use crate::harness::{installed, run, side_by_side};

/// Plays every line in one world, and the core lines in all worlds, in this shell. Returns the number of cases by
/// rating, and those that were not right. The second stage is for worlds where a program reads.
#[expect(clippy::print_stdout, reason = "the numbers, for --nocapture")]
fn matrix(
    stages: [&Stage; 2],
    shell: &str,
    select: impl Fn(&World, &Line) -> bool,
) -> (BTreeMap<String, usize>, Vec<String>) {
    let mut cases = Vec::new();
    for world in WORLDS.iter() {
        let fits = |line: &&Line| {
            line.r#in.iter().any(|name| name == shell)
                && (world.name == "an agent by TOTO_AGENT" || line.core)
                && line.needs.as_deref().is_none_or(installed)
                && select(world, line)
        };
        cases.extend(LINES.iter().filter(fits).map(|line| (world, line)));
    }
    assert!(cases.len() > 100, "{}", cases.len());
    let ratings = side_by_side(&cases, |(world, line)| {
        let stage = stages[usize::from(world.read_by == Reader::Program)];
        let played = stage.play(world, shell, &line.run, &format!("{}{}", line.agent, line.program));
        (rating(world, shell, line, &played), format!("{} / {}: {}", world.name, line.name, line.run))
    });
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for (rating, case) in ratings {
        *counts.entry(format!("{rating:?}")).or_default() += 1;
        if rating != Rating::Right {
            wrong.push(format!("{rating:?}: {case}"));
        }
    }
    wrong.sort();
    println!("{} cases: {counts:?}\n{}", cases.len(), wrong.join("\n"));
    (counts, wrong)
}

/// Worlds of which a Mac's kernel does not tell enough: it has no kcmp(2), and only an offset other than 0 tells one
/// open file from two. Raw there.
const NOT_TOLD: [&str; 2] = ["a file in memory", "a file that the agent keeps open"];

#[test]
fn as_a_macs_kernel_shows_processes() {
    let stage = Stage { fault: "macos", ..Stage::new() };
    let (counts, mut wrong) = matrix([&stage, &stage], "bash", |_, _| true);
    wrong.retain(|line| !NOT_TOLD.iter().any(|world| line.starts_with(&format!("Missed: {world} /"))));
    assert!(wrong.is_empty(), "{counts:?}\n{}", wrong.join("\n"));
}

/// A stage whose agent's shells read the files that `toto setup` wrote for them.
fn with_eyes(fault: &'static str) -> Stage {
    let mut stage = Stage { fault, ..Stage::new() };
    run(&mut stage.sandbox.toto(["setup", "aws", "kubectl", "--no-modify-path"])).ok();
    let home = stage.sandbox.toto_home();
    let file = home.join("agent.sh");
    if fault == "blind" {
        // bash, too, sees no more of its parent than the shim does.
        let bash = home.join("agent.bash");
        let text = fs::read_to_string(&bash).unwrap();
        assert!(text.contains("-r /proc/$PPID/fd "));
        fs::write(bash, text.replace("-r /proc/$PPID/fd ", "-r /nowhere ")).unwrap();
    }
    stage.sandbox.home_file("zsh/.zshenv", format!(". {}\n", file.display()));
    stage.sets.push(("BASH_ENV", file.display().to_string()));
    stage.sets.push(("ZDOTDIR", stage.sandbox.home().join("zsh").display().to_string()));
    stage
}

#[test]
fn with_processes_hidden_and_eyes_from_the_shell() {
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        let (eyes, plain) = (with_eyes("blind"), Stage { fault: "blind", ..Stage::new() });
        let (counts, wrong) = matrix([&eyes, &plain], shell, |_, _| true);
        assert!(wrong.is_empty(), "{shell}: {counts:?}\n{}", wrong.join("\n"));
    }
}

#[test]
fn a_shells_word_counts_where_its_session_began_outside_of_its_namespace() {
    let stage = with_eyes("blind");
    let inside = "bwrap --dev-bind / / --unshare-pid --proc /proc bash -c";
    if run(&mut stage.sandbox.shell("bash", &format!("{inside} true"))).code() != 0 {
        return; // no bubblewrap here, or no user namespaces
    }
    let played = stage.play(
        &world("somebody", "", "pipes"),
        "bash",
        &format!("{inside} 'sh -c \"@a; true\"; true'"),
        "a",
    );
    assert_eq!(how(&played), "captured");
}

#[test]
fn an_agents_hook_that_reads_bash_env_too_is_no_command_of_the_models() {
    for fault in ["", "blind"] {
        let stage = with_eyes(fault);
        for (marks, expected) in [("", "raw"), ("TOTO_AGENT=1", "captured")] {
            let played = stage.play(&world("somebody", marks, "fed"), "bash", "@a; true", "a");
            assert_eq!(how(&played), expected, "{fault}: {marks}");
        }
    }
}

#[test]
fn whoever_attaches_to_tmux_looks_at_its_terminal() {
    for shell in ["bash", "zsh"].into_iter().filter(|shell| installed(shell)) {
        let mut stage = with_eyes("blind");
        let how = |stage: &Stage| {
            let played = stage.play(&world("somebody", "", "terminal"), shell, "@a; true", "a");
            how(&played).to_owned()
        };
        assert_eq!(how(&stage), "captured", "{shell}");
        stage.sets.push(("TMUX", "/tmp/tmux-0/default,1,0".into()));
        assert_eq!(how(&stage), "raw", "{shell}");
    }
}

#[test]
fn a_shell_that_reads_its_commands_is_told_from_a_script() {
    let stage = with_eyes("blind");
    let played = stage.play(&world("somebody", "", "persistent"), "bash", "@a; true", "a");
    assert_eq!(how(&played), "captured");
    let script =
        stage.sandbox.script("work/commands", "#!/bin/bash\necho ${TOTO_EYES-none} ${_toto_word-none}\n");
    let file = stage.sandbox.toto_home().join("agent.sh");
    assert_eq!(run(stage.sandbox.command(&script).env("BASH_ENV", file)).out(), "none none\n");
}

fn how(played: &Played) -> &str {
    played.runs[&'a'].first().map_or("", String::as_str)
}

#[test]
fn an_agent_that_nobody_has_described_is_proved_by_its_shell() {
    let stage = with_eyes("");
    let unknown = |kind: &str| world("somebody", "", kind);
    // bash tells no more of a terminal than that it is one.
    let shells =
        [("bash", "pipes"), ("bash", "sockets"), ("zsh", "pipes"), ("zsh", "sockets"), ("zsh", "terminal")];
    for (shell, kind) in shells.into_iter().filter(|(shell, _)| installed(shell)) {
        for (line, expected) in [
            ("@a; true", "captured"),
            ("@a | cat; true", "raw"),
            ("X=$(@a); true", "raw"),
            ("@a > f; true", "raw"),
        ] {
            let played = stage.play(&unknown(kind), shell, line, "a");
            let how = how(&played).replace("passed", "raw"); // a viewer's: the bytes are the tool's own
            assert_eq!(how, expected, "{shell}, {kind}: {line}");
        }
    }
}

#[test]
fn a_hosts_word_for_its_own_command_is_taken() {
    let handed = "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1),$(stat -Lc %d:%i /proc/$$/fd/2);";
    for fault in ["", "blind"] {
        // A host's word counts with the agent's file for its shell and without it.
        for stage in [with_eyes(fault), Stage { fault, ..Stage::new() }] {
            for (line, expected) in [
                ("@a; true", "captured"),
                ("bash -c '@a; true'", "captured"),
                ("setsid -w sh -c '@a; true'", "captured"),
                ("@a | tee f; true", "raw"),
                ("X=$(@a); true", "raw"),
                ("@a > f; true", "raw"),
            ] {
                let line = format!("{handed} {line}");
                let played = stage.play(&world("somebody", "", "pipes"), "bash", &line, "a");
                assert_eq!(how(&played).replace("passed", "raw"), expected, "{fault}: {line}");
            }
        }
    }
}

/// Each attack has a value of `TOTO_EYES` prove a stream that it is not about, with processes seen and without.
#[test]
fn a_value_that_is_stale_or_stolen_proves_nothing() {
    for fault in ["", "blind"] {
        let stage = with_eyes(fault);
        let plain = Stage { fault, ..Stage::new() };
        let marks = "TOTO_AGENT=1";
        let attacks = [
            // An empty process, a dead one, pid 1, another session's.
            ("no process", "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@; setsid -w sh -c '@a'; true"),
            (
                "a process that has ended",
                "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$(sh -c 'echo $$'); setsid -w sh -c '@a'; true",
            ),
            ("process 1", "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@1; setsid -w sh -c '@a'; true"),
            (
                "another session, as in tmux",
                "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$$; setsid -w sh -c '(@a); true'; true",
            ),
            // The descriptor is another stream by now.
            (
                "a closed and reused descriptor",
                "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$$; exec > other; @a; true",
            ),
            (
                "a file made since",
                "echo > old; export TOTO_EYES=$(stat -Lc %d:%i old)@$$+$(date +%s%6N); rm old; sleep .1; @a > old; true",
            ),
            // Another reader, below a shell with the same value.
            (
                "a program in the command",
                "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$$; python3 -c 'import subprocess; subprocess.check_output([\"sh\", \"-c\", \"@a\"])'; true",
            ),
            (
                "a coprocess",
                "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$$; coproc cat; @a >&${COPROC[1]}; true",
            ),
        ];
        for (name, line) in attacks {
            // Only the value says that there is an agent.
            let played = plain.play(&world("somebody", "", "pipes"), "bash", line, "a");
            // The bytes may have been passed on: a process that may yet become a viewer is waited for, and gets the
            // tool's own bytes.
            assert_ne!(how(&played), "captured", "{name} ({fault}): {line}: {}", played.outcome.out());
        }
        // A daemon of an earlier command has the value of a shell that is gone.
        let daemon = "(exec </dev/null >/dev/null 2>&1; while kill -0 $$; do sleep .01; done; @a | cat; X=$(@a)) & true";
        assert_eq!(
            how(&stage.play(&world("somebody", marks, "pipes"), "bash", daemon, "a")),
            "raw",
            "{fault}"
        );
        // A second agent, inside: its own streams are not the outer one's.
        let inner = "python3 \"$PLAY\" pipes bash 'X=$(@a)'; true";
        assert_eq!(
            how(&stage.play(&world("somebody", marks, "pipes"), "bash", inner, "a")),
            "raw",
            "{fault}"
        );
        let read_by_program = "python3 -c 'import subprocess, sys; sys.stdout.write(str(len(subprocess.check_output([\"bash\", \"-c\", \"@a; true\"]))))'; true";
        let played = stage.play(&world("somebody", marks, "pipes"), "bash", read_by_program, "a");
        assert_eq!(how(&played), "raw", "a script's own bash reads BASH_ENV, too ({fault})");
        assert!(
            played.outcome.out().contains(&(document().len() + 1).to_string()),
            "{}",
            played.outcome.out()
        );
    }
}

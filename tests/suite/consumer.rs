//! Who reads? Simulated agents run the lines of `tests/fixtures/consumer/commands.toml` in every installed shell and by
//! every kind of stream. The tool itself reports how it was run: captured when its parent is toto, raw when toto's
//! process has become the tool.

mod eyes;
mod stage;
mod viewers;
mod words;

use std::fs;

use crate::harness::{installed, run, side_by_side};
use stage::{LINES, Line, Reader, Single, Stage, WORLDS, World, document, table, verdict, world};

const SHELLS: [&str; 6] = ["bash", "dash", "zsh", "busybox", "mksh", "fish"];

/// Plays all selected lines in the worlds that they fit, several at a time, and fails with all complaints.
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
    let verdicts = side_by_side(&cases, |(world, shell, line)| {
        let played = stage.play(world, shell, &line.run, &format!("{}{}", line.agent, line.program));
        verdict(world, shell, line, &played)
    });
    let complaints: Vec<String> = verdicts.into_iter().flatten().collect();
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
    stage.player("goose", false); // for cases that start the player themselves
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

#[test]
fn a_pipeline_that_the_agent_wires_itself_gets_raw_bytes_on_the_second_look() {
    let stage = Stage::new();
    // The agent holds the read end until the tool has begun; the tool ends when the second process has it.
    let [begun, wired] = ["begun", "wired"].map(|name| stage.sandbox.root().join(name));
    let (show, wait) = (
        format!("touch {}", begun.display()),
        format!("until [ -e {} ]; do sleep .05; done", wired.display()),
    );
    let tool = stage.sandbox.tools().join("aws");
    crate::harness::executable(&tool, &format!("{}{show}\n{wait}\n", fs::read_to_string(&tool).unwrap()));
    let mut stage = stage;
    stage.sets.push(("PLAY_BEGUN", begun.display().to_string()));
    stage.sets.push(("PLAY_WIRED", wired.display().to_string()));
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
        let parsed = serde_json::from_str::<serde_json::Value>(out);
        assert_eq!(parsed.is_ok_and(|value| value.is_object()), is_json, "{out}");
        // Codex hands its scripts both streams as one string, which a receipt would make unreadable.
        assert_eq!(got["err"].as_str().unwrap().contains("[toto]"), !is_json, "{got}");
    }
}

#[test]
fn a_command_whose_shell_has_ended_is_still_read() {
    let stage = Stage::new();
    let adopted = r#"(while grep -q "PPid:.$$\$" /proc/$BASHPID/status; do sleep .01; done; exec grep PPid /proc/self/status) & exit"#;
    let adopter = run(&mut stage.sandbox.shell("bash", adopted)).ok().out();
    if adopter.split_whitespace().last() != Some("1") {
        return; // another process than pid 1 adopts orphans here: its name would have to be known
    }
    let orphan = "(until grep -q 'PPid:.1$' /proc/$BASHPID/status; do sleep .01; done; exec @a) & exit 0";
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
    let handed = "export TOTO_EYES=$(stat -Lc %d:%i /proc/$$/fd/1)@$$;";
    let compressed = got(&format!("{handed} {hidden} '@a; true'"));
    assert!(compressed.starts_with("instances[12]{id}:\n"), "{compressed}");
    // A key that is null in every row is named where that is said, and nowhere else.
    assert!(compressed.contains("\n(24 null/empty (note, tags) left out: "), "{compressed}");
    assert_eq!(compressed.matches("note").count(), 1, "{compressed}");
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

    let text = why("goose", "toto why | tee /dev/null");
    assert!(text.starts_with("raw: the reader is a program\n"), "{text}");
    let text = why("goose", "toto why | cat | tail -n 99; true");
    assert!(text.starts_with("raw, for Goose through cat and tail: "), "{text}");
    assert!(text.contains("goose[") && text.contains("Goose, by its name"), "{text}");
    let text = why("goose", "toto why -- aws logs tail x --follow; true");
    assert!(
        text.starts_with("reached: ") && text.contains("\nraw: this call is passed straight on"),
        "{text}"
    );
    let text = why("somebody", "TOTO=on toto why");
    assert!(text.starts_with("compressed for an agent"), "{text}");
}

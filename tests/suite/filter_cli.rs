//! `toto filter …` and `toto trust` as their users meet them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::harness::{Sandbox, run};

const GIT: &str = "command = \"mytool build\"\nskip = ['^Loading']\n";

/// A tool that prints enough for a filter to be worth its while.
fn with_tool() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "mytool",
        "for n in 1 2 3 4 5 6 7 8 9; do echo \"Loading the plugin number $n of the tool\"; done; echo built all; exit ${1#*=}",
    );
    sandbox
}

/// A project's filter in the working directory.
fn project_file(sandbox: &Sandbox, name: &str, text: &str) -> PathBuf {
    let path = sandbox.work().join(".toto/filters").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_mistake_is_told_with_its_place() {
    let sandbox = Sandbox::new();
    let text = "command = \"x\"\nskip = ['(', '[']\nkeeep = []\n[[fold]]\nmatch = '*'\nas = \"y\"\n[on_success]\n\
                output = \"{a | jion: 1}\"\n[[match_output]]\noutput = \"never\"\n";
    let file = sandbox.home_file("f.toml", text);
    for command in [&["filter", "check"][..], &["check"]] {
        let outcome = run(sandbox.toto(command).arg(&file)).exits(1);
        let places: Vec<String> = outcome
            .err()
            .lines()
            .map(|line| {
                line.split("f.toml:").nth(1).unwrap().splitn(3, ':').take(2).collect::<Vec<_>>().join(":")
            })
            .collect();
        assert_eq!(places, ["2:9", "2:14", "3:1", "5:9", "8:10", "10:10"], "{}", outcome.err());
    }
    let missing = run(&mut sandbox.toto(["check", "nowhere.toml"])).exits(1);
    assert!(missing.err().starts_with("toto: nowhere.toml: "), "{}", missing.err());
}

#[test]
fn a_new_filter_passes_its_test_and_is_used() {
    let sandbox = with_tool();
    let made = run(&mut sandbox.toto(["filter", "new", "mytool", "--", "mytool"])).ok();
    let file = sandbox.home().join(".config/toto/filters/mytool.toml");
    assert!(made.out().starts_with(&file.display().to_string()), "{}", made.out());
    assert!(
        fs::read_to_string(file.with_file_name("mytool_test/first.txt")).unwrap().ends_with("built all\n")
    );
    let tested = run(sandbox.toto(["test"]).arg(&file)).ok();
    assert!(tested.out().contains("what it printed once"), "{}", tested.out());
    run(sandbox.toto(["check"]).arg(&file)).ok();
    let out = run(&mut sandbox.toto(["run", "--", "mytool"])).ok().out();
    assert!(out.starts_with("… 9 lines of Loading\nbuilt all\n"), "{out}");
    let again = run(&mut sandbox.toto(["filter", "new", "mytool", "--", "mytool"])).exits(2);
    assert!(again.err().contains("is there already"), "{}", again.err());
    let wrong = run(&mut sandbox.toto(["filter", "new", "other", "--", "mytool", "build"])).exits(2);
    assert!(wrong.err().contains("call it mytool-build or mytool"), "{}", wrong.err());
}

#[test]
fn a_fixture_is_what_the_command_itself_prints() {
    let sandbox = with_tool();
    sandbox.link("mytool");
    run(sandbox.toto(["filter", "new", "mytool", "--", "mytool"]).env("TOTO", "on")).ok();
    let printed = run(&mut sandbox.command(sandbox.tools().join("mytool"))).ok().out();
    let fixture = sandbox.home().join(".config/toto/filters/mytool_test/first.txt");
    assert_eq!(fs::read_to_string(fixture).unwrap(), printed);
}

#[test]
fn tests_may_lie_beside_a_filter_and_a_difference_is_shown() {
    let sandbox = Sandbox::new();
    let file =
        sandbox.home_file("push.toml", "command = \"git push\"\n[on_success]\noutput = \"ok {output}\"\n");
    sandbox.home_file("push_test/case.txt", "main\nx\n");
    let case = "name = \"a case\"\nfixture = \"case.txt\"\nargs = [\"-f\"]\n[[expect]]\nequals = \"… ok main\\nx\"\n";
    sandbox.home_file("push_test/one.toml", case);
    run(sandbox.toto(["test"]).arg(&file)).ok();
    sandbox.home_file("push_test/one.toml", case.replace("ok main", "ok trunk"));
    let failed = run(sandbox.toto(["test", "--timing"]).arg(&file)).exits(1);
    assert!(failed.out().contains("     - … ok trunk\n     + … ok main\n       x\n"), "{}", failed.out());
    assert!(failed.err().starts_with("toto: read "), "{}", failed.err());
    sandbox.home_file("push_test/one.toml", "nmae = 1\n");
    let broken = run(sandbox.toto(["test"]).arg(&file)).exits(2);
    assert!(
        broken.err().contains("one.toml:1:1: unknown key `nmae`; did you mean `name`?"),
        "{}",
        broken.err()
    );
}

#[test]
fn a_broken_filter_costs_only_the_savings() {
    let sandbox = with_tool();
    for (text, reason) in [
        ("command = \"mytool\"\nskp = []\n", "2:1: unknown key `skp`; did you mean `skip`?"),
        ("command = \"mytool\"\nskip = ['(']\n", "2:9: `(`: unclosed group"),
        // It failed, or, on a machine that is busy, took longer than it may.
        ("command = \"mytool\"\npipeline.source = \"error('x')\"\n", "the filter's script "),
    ] {
        sandbox.home_file(".config/toto/filters/mytool.toml", text);
        let outcome = run(&mut sandbox.toto(["run", "--", "mytool", "exit=3"])).exits(3);
        assert!(outcome.out().contains("built all"), "{}", outcome.out());
        assert_eq!(
            outcome.err().lines().filter(|line| line.contains(reason)).count(),
            1,
            "{}",
            outcome.err()
        );
    }
}

#[test]
fn a_projects_filter_does_nothing_until_it_is_trusted() {
    let sandbox = with_tool();
    let file = project_file(&sandbox, "mytool.toml", &GIT.replace(" build", ""));
    let call = || run(&mut sandbox.toto(["run", "--receipt", "off", "--", "mytool"])).ok();
    let passed_over = call();
    assert!(passed_over.out().contains("Loading"), "{}", passed_over.out());
    assert_eq!(
        passed_over.err(),
        format!(
            "toto: the project's filter {} is not trusted and was passed over (toto trust shows it)\n",
            file.canonicalize().unwrap().display()
        )
    );
    // Told once an hour: nothing of it is news to the next call. Where that cannot be noted it is told again.
    assert!(call().err().is_empty() && call().out().contains("Loading"));
    let stamps = sandbox.home().join(".local/state/toto/told");
    fs::remove_dir_all(&stamps).unwrap();
    fs::write(&stamps, "").unwrap();
    assert!((0..2).all(|_| call().err().contains("is not trusted")));
    fs::remove_file(&stamps).unwrap();
    // Nobody is there to ask.
    let refused = run(&mut sandbox.toto(["trust"])).exits(2);
    assert!(refused.out().contains("skip = ['^Loading']"), "{}", refused.out());
    assert!(refused.err().contains("--yes"), "{}", refused.err());
    assert!(call().out().contains("Loading"));

    run(&mut sandbox.toto(["trust", "--yes"])).ok();
    let used = call();
    assert!(
        used.out().starts_with("built all\n(9 lines left out") && used.err().is_empty(),
        "{}",
        used.out()
    );
    let listed = run(&mut sandbox.toto(["trust", "--list"])).ok();
    assert_eq!(listed.out(), format!("{}\n", file.canonicalize().unwrap().display()));
    // Below a file there is no list.
    run(sandbox.toto(["trust", "--list"]).env("XDG_DATA_HOME", &file)).ok();

    // From a directory below, up to the repository's root.
    fs::create_dir_all(sandbox.work().join(".git")).unwrap();
    fs::create_dir_all(sandbox.work().join("deep/er")).unwrap();
    let below = run(sandbox.toto(["run", "--", "mytool"]).current_dir(sandbox.work().join("deep/er"))).ok();
    assert!(below.out().starts_with("built all\n"), "{}", below.out());

    fs::write(&file, GIT.replace(" build", "").replace("Loading", "L")).unwrap();
    let changed = call();
    assert!(changed.out().contains("Loading"), "{}", changed.out());
    assert!(changed.err().contains("has changed since it was trusted"), "{}", changed.err());
    let shown = run(&mut sandbox.toto(["trust"])).exits(2);
    assert!(shown.out().starts_with("── changed: "), "{}", shown.out());

    run(&mut sandbox.toto(["trust", "--remove"])).ok();
    assert!(run(&mut sandbox.toto(["trust", "--list"])).ok().out().is_empty());
}

#[test]
fn a_hostile_project_gets_nowhere() {
    let sandbox = with_tool();
    let outside = sandbox.home_file("outside.toml", "command = \"mytool\"\nskip = ['.']\n");
    let linked = sandbox.work().join(".toto/filters/mytool.toml");
    fs::create_dir_all(linked.parent().unwrap()).unwrap();
    symlink(&outside, &linked).unwrap();
    let hidden = project_file(&sandbox, "hidden.toml", "command = \"x\" #\u{1b}[2K\u{202e}\n");
    let shown = run(&mut sandbox.toto(["trust", "--yes"])).exits(2);
    assert!(shown.out().contains("#<U+001B>[2K<U+202E>"), "{}", shown.out());
    assert!(!shown.out().contains("mytool.toml"), "a link is not trusted: {}", shown.out());
    let out = run(&mut sandbox.toto(["run", "--", "mytool"])).ok();
    assert!(out.out().contains("built all") && out.err().contains("is not trusted"), "{}", out.err());

    // A script beside a trusted filter is trusted by itself.
    fs::remove_file(&linked).unwrap();
    fs::remove_file(&hidden).unwrap();
    project_file(&sandbox, "mytool.toml", "command = \"mytool\"\npipeline.file = \"s.luau\"\n");
    let script = project_file(&sandbox, "s.luau", "return 'made'\n");
    run(&mut sandbox.toto(["trust", "--yes"])).ok();
    assert!(run(&mut sandbox.toto(["run", "--", "mytool"])).ok().out().starts_with("… made\n"));
    fs::write(script, "return 'other'\n").unwrap();
    let out = run(&mut sandbox.toto(["run", "--", "mytool"])).ok();
    assert!(out.out().contains("built all"), "{}", out.out());
    assert!(out.err().contains("script s.luau: has changed since it was trusted"), "{}", out.err());
}

#[test]
fn a_variant_is_another_filter() {
    let sandbox = with_tool();
    let parent = "command = \"mytool\"\n[[variant]]\nname = \"a\"\ndetect.files = [\"special.cfg\"]\nfilter = \"other/inner\"\n\
                  [[variant]]\nname = \"b\"\ndetect.args_pattern = '--quiet'\nfilter = \"quiet\"\n";
    sandbox.home_file(".config/toto/filters/mytool.toml", parent);
    sandbox.home_file(".config/toto/filters/other/inner.toml", "command = \"inner\"\nkeep = ['built']\n");
    sandbox.home_file(".config/toto/filters/quiet.toml", "command = \"inner\"\nhead = 1\n");
    let call = |args: &[&str]| {
        let mut words = vec!["run", "--", "mytool"];
        words.extend(args);
        run(&mut sandbox.toto(words)).ok().out()
    };
    assert!(call(&[]).contains("Loading"));
    assert!(
        call(&["exit=0", "--quiet"]).starts_with("Loading the plugin number 1 of the tool\n… 9 more lines\n")
    );
    fs::write(sandbox.work().join("special.cfg"), "").unwrap();
    assert!(call(&[]).starts_with("built all\n(9 lines left out"));
}

#[test]
fn a_filter_may_read_json() {
    let sandbox = Sandbox::new();
    let items: Vec<String> = (0..20).map(|n| format!(r#"{{"name": "node-{n}", "state": "up"}}"#)).collect();
    sandbox.home_file("nodes.json", format!(r#"{{"items": [{}]}}"#, items.join(", ")));
    sandbox.tool("nodes", "cat \"$HOME/nodes.json\"");
    let call = || run(&mut sandbox.toto(["run", "--", "nodes"])).ok().out();
    let without = call();
    assert!(without.contains("node-19"), "{without}");
    let filter = "command = \"nodes\"\njson.extract = [{ path = \"$.items[*]\", as = \"nodes\" }]\n[on_success]\n\
                  output = \"{nodes_count} nodes, the first {nodes | each: '{name}' | lines | keep: 'node-0$'}\"\n";
    sandbox.home_file(".config/toto/filters/nodes.toml", filter.replace('\'', "\\\""));
    assert!(call().starts_with("… 20 nodes, the first node-0\n"), "{}", call());
}

#[test]
fn filters_are_listed_where_they_are_found() {
    let sandbox = with_tool();
    sandbox.home_file(".config/toto/filters/mytool-build.toml", GIT);
    project_file(&sandbox, "mytool.toml", "command = \"mytool\"\n");
    let listed = run(&mut sandbox.toto(["ls", "mytool"])).ok().out();
    assert!(listed.contains("(not trusted: toto trust)") && listed.contains("mytool build"), "{listed}");
    let shown = run(&mut sandbox.toto(["filter", "show", "mytool", "build"])).ok();
    assert!(shown.out().contains(GIT) && shown.err().contains("is not trusted"), "{}", shown.err());
    let none = run(&mut sandbox.toto(["filter", "show", "nosuch"])).exits(2);
    assert!(none.err().contains("no filter for \"nosuch\""), "{}", none.err());
}

const RUNS: &str = "command = \"mytool\"\nrun = \"mytool --short {args}\"\n[[step]]\nrun = \"othertool 'a b'\"\nas = \"beside\"\n\
                    [on_success]\noutput = \"{output}\\nbeside: {beside}\"\n";

/// Two tools that say how they were called, and enough for a filter to be worth its while.
fn with_two_tools() -> Sandbox {
    let sandbox = Sandbox::new();
    let noise = "for n in xylophone quagmire zephyr jubilee wombat fjord pixie gazebo ukulele; do \
                 echo \"noise of the $n, which goes on and on\"; done";
    sandbox.tool("mytool", &format!("{noise}; echo \"mytool $*\"; case \"$*\" in *fail*) exit 4;; esac"));
    sandbox.tool("othertool", "echo \"othertool $# $1 $TOTO\"");
    sandbox
}

#[test]
fn a_users_filter_may_run_other_commands_and_says_so() {
    let sandbox = with_two_tools();
    let filter = RUNS.replace("[[step]]", "skip = ['^noise']\n[[step]]");
    let file = sandbox.home_file(".config/toto/filters/mytool.toml", &filter);
    run(sandbox.toto(["check"]).arg(&file)).ok();
    let call = |args: &[&str]| {
        let mut words = vec!["run", "--receipt", "off", "--"];
        words.extend(args);
        run(&mut sandbox.toto(words))
    };
    let out = call(&["mytool", "x y"]).ok().out();
    let note = out.lines().last().unwrap().to_owned();
    assert_eq!(
        out,
        format!(
            "… ran: mytool --short x y\n… ran: othertool 'a b'\nmytool --short x y\n… beside: othertool 1 a b off\n{note}\n"
        )
    );
    assert!(note.contains("lines left out: toto show "), "{note}");
    // What is saved is what was run; its exit status is the call's.
    let saved = run(&mut sandbox.toto(["show", "last"])).ok().out();
    assert!(saved.contains("noise of the zephyr") && saved.ends_with("mytool --short x y\n"), "{saved}");
    let failed = call(&["mytool", "fail"]).exits(4).out();
    assert!(
        failed.starts_with("… ran: mytool --short fail\n") && failed.contains("mytool --short fail\n"),
        "{failed}"
    );
    // Where no filter runs, the call is run as it was asked for; so is one that `run` has no place for.
    let whole =
        run(&mut sandbox.toto(["run", "--receipt", "off", "--level", "lossless", "--", "mytool"])).ok().out();
    assert!(whole.contains("noise of the zephyr") && whole.ends_with("mytool \n"), "{whole}");
    sandbox.home_file(".config/toto/filters/mytool.toml", filter.replace(" {args}", ""));
    let asked = call(&["mytool", "x"]).ok().out();
    assert!(asked.contains("\nmytool x\n") && !asked.contains("ran: "), "{asked}");
    assert!(call(&["mytool"]).ok().out().starts_with("… ran: mytool --short\n"));
}

#[test]
fn a_command_that_a_filter_names_and_that_is_not_there_costs_nothing_but_itself() {
    let sandbox = with_two_tools();
    sandbox.home_file(
        ".config/toto/filters/mytool.toml",
        RUNS.replace("mytool --short", "nowhere").replace("othertool", "nobody"),
    );
    let outcome = run(&mut sandbox.toto(["run", "--", "mytool", "x"])).ok();
    assert!(outcome.out().contains("\nmytool x\n") && !outcome.out().contains("ran: "), "{}", outcome.out());
    assert!(
        outcome.err().contains("the filter's `run`: nowhere: not found on PATH; run as it was asked for\n"),
        "{}",
        outcome.err()
    );
    // A loop of a filter that runs us ends at once.
    let us = crate::harness::toto_binary().display();
    let again = format!("command = \"mytool\"\nrun = \"sh -c '{us} run -- mytool x'\"\n");
    sandbox.home_file(".config/toto/filters/mytool.toml", again);
    let outcome = run(&mut sandbox.toto(["run", "--", "mytool"])).ok();
    assert!(outcome.out().contains("\nmytool x\n"), "{}", outcome.out());
    assert_eq!(outcome.out().matches("… ran: ").count(), 1, "{}", outcome.out());
}

#[test]
fn a_projects_filter_runs_nothing_until_it_is_trusted() {
    let sandbox = with_two_tools();
    project_file(&sandbox, "mytool.toml", &RUNS.replace("[[step]]", "skip = ['^noise']\n[[step]]"));
    let call = || run(&mut sandbox.toto(["run", "--", "mytool"])).ok().out();
    assert!(call().ends_with("mytool \n") && !call().contains("ran: "), "{}", call());
    let shown = run(&mut sandbox.toto(["trust", "--yes"])).ok().out();
    assert!(shown.contains("run = \"mytool --short {args}\""), "{shown}");
    assert!(call().starts_with("… ran: mytool --short\n… ran: othertool 'a b'\n"), "{}", call());
}

#[test]
fn the_shim_runs_what_a_filter_names() {
    let sandbox = with_two_tools();
    sandbox.link("mytool");
    sandbox.home_file(
        ".config/toto/filters/mytool.toml",
        "command = \"mytool\"\nrun = \"mytool --short\"\nskip = ['^noise']\n",
    );
    let shim = |asked: &str| run(sandbox.command("mytool").env("TOTO", asked)).ok().out();
    assert!(shim("on").starts_with("… ran: mytool --short\nmytool --short\n("), "{}", shim("on"));
    let raw = shim("off");
    assert!(raw.ends_with("mytool \n") && !raw.contains("ran: "), "a program's bytes are the tool's: {raw}");
}

#[test]
fn a_status_as_a_tree_under_a_header_written_anew() {
    let sandbox = Sandbox::new();
    let files =
        ["new/one.txt", "new/two.txt", "new/deep/three.txt", "new/deep/four.txt", "new/deep/five.txt"];
    let listed: String =
        files.map(|file| format!("echo '?? src/long/name/of/a/directory/{file}'; ")).concat();
    sandbox.tool(
        "vcs",
        &format!(
            "case \"$*\" in 'status --short') echo '## main...origin/main'; {listed};; *) echo prose;; esac"
        ),
    );
    let filter = "command = \"vcs status\"\nrun = \"vcs status --short\"\n\
                  [[replace]]\npattern = '^## (\\S+?)\\.\\.\\.\\S+$'\noutput = \"{1} [synced]\"\n\
                  [tree]\npattern = '^(.. )(.+)$'\nmin_files = 3\nstyle = \"indent\"\n";
    sandbox.home_file(".config/toto/filters/vcs/status.toml", filter);
    let out = run(&mut sandbox.toto(["run", "--receipt", "off", "--", "vcs", "status"])).ok().out();
    assert!(
        out.starts_with(
            "… ran: vcs status --short\n… main [synced]\n… 5 paths as a tree\nsrc/long/name/of/a/directory/new/\n  \
             ?? one.txt\n  ?? two.txt\n  deep/\n    ?? three.txt\n    ?? four.txt\n    ?? five.txt\n("
        ),
        "{out}"
    );
    let asked = run(&mut sandbox.toto(["run", "--receipt", "off", "--", "vcs", "status", "-v"])).ok().out();
    assert_eq!(asked, "prose\n");
}

#[test]
fn at_lossless_a_users_filter_says_nothing_of_an_empty_output() {
    let sandbox = Sandbox::new();
    sandbox.tool("theirs", "exit 0");
    sandbox
        .home_file(".config/toto/filters/theirs.toml", "command = \"theirs\"\non_empty = \"all is well\"\n");
    let out =
        |options: &[&str]| run(&mut sandbox.toto([&["run"], options, &["--", "theirs"]].concat())).ok().out();
    assert_eq!(out(&[]), "… all is well\n");
    for options in [["--level", "lossless"], ["--format", "raw"], ["--format", "json"]] {
        assert_eq!(out(&options), "", "{options:?}");
    }
}

/// tokf's `go build`, `cargo build`, `git push` and `npm test` as users bring them along: what they say of an empty
/// output, of a good one and of a call that did nothing was never given, and lines that they skip stayed.
#[test]
fn a_users_filter_gives_its_words() {
    let sandbox = Sandbox::new();
    let cases = [
        ("on_empty = \"✓ go build: ok\"", "exit 0", 0, "… ✓ go build: ok"),
        ("[on_success]\noutput = \"ok ✓ no warnings\"", "seq 40; exit 0", 0, "… ok ✓ no warnings\n"),
        (
            "skip = ['^Progress:', '^npm warn', '^=== RUN', '^@@']",
            "for n in 1 2 3 4 5 6; do echo \"Progress: resolved $n of 6\"; echo \"npm warn deprecated package-$n@1.0.0\"; \
             echo \"=== RUN   TestNumber$n\"; echo \"@@ -$n,7 +$n,7 @@ fn main\"; done; echo done",
            0,
            "done\n",
        ),
        (
            "[[match_output]]\ncontains = \"not a git repository\"\noutput = \"✗ no repository here\"",
            "seq 60; echo 'fatal: not a git repository (or any of the parent directories): .git'; exit 128",
            128,
            "… ✗ no repository here\nfatal: not a git repository",
        ),
    ];
    for (rules, script, status, words) in cases {
        sandbox.tool("theirs", script);
        sandbox.home_file(".config/toto/filters/theirs.toml", format!("command = \"theirs\"\n{rules}\n"));
        let out = run(&mut sandbox.toto(["run", "--", "theirs"])).exits(status).out();
        assert!(out.contains(words), "{rules}: {out}");
        assert!(
            !["Progress:", "npm warn", "=== RUN", "@@ "].iter().any(|noise| out.contains(noise)),
            "{out}"
        );
    }
}

/// A filter whose commands nobody could run as meant is named, and not used.
#[test]
fn a_filter_with_a_mistake_in_a_command_is_named_and_not_used() {
    let sandbox = with_tool();
    for text in [
        format!("{GIT}run = \"mytool | head\"\n"),
        format!("{GIT}[[step]]\nrun = \"a | b\"\nas = \"x\"\n"),
        "skip = ['^Loading']\n".to_owned(),
    ] {
        let file = sandbox.home_file(".config/toto/filters/mytool-build.toml", &text);
        let outcome = run(&mut sandbox.toto(["run", "--", "mytool", "build"]));
        assert!(outcome.err().contains("the filter is not used"), "{text}: {}", outcome.err());
        assert!(!outcome.out().contains("left out"), "{text}: {}", outcome.out());
        run(sandbox.toto(["check"]).arg(file)).exits(1);
    }
}

#[test]
fn a_script_that_does_not_compile_is_a_mistake() {
    let sandbox = Sandbox::new();
    for (script, said) in [
        ("source = \"return 1 +\"", "2:19: the filter's script failed: syntax error"),
        ("file = \"nosuch.luau\"", "2:17: the filter's script nosuch.luau: No such file"),
    ] {
        let file = sandbox.home_file("f.toml", format!("command = \"x\"\npipeline.{script}\n"));
        let outcome = run(sandbox.toto(["check"]).arg(file)).exits(1);
        assert!(outcome.err().contains(said), "{}", outcome.err());
    }
}

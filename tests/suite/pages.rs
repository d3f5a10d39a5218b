//! The rule of the page: an output that fits what a host shows of one call is given whole, a larger one in pages.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::harness::{Sandbox, run, run_with};
use crate::ledger::gain;

/// Agents, each with the limit of its host for one call: 10,000 tokens (by the host's own count of four bytes each),
/// 16 KB, 30,000 characters.
const HOSTS: [(&str, usize); 3] = [("tokens", 40_000), ("small", 16_384), ("claude", 30_000)];

/// The start of the line of this number, with the newline before it.
fn tag(line: usize) -> String {
    format!("\n{} ", line * 7919 % 10_007)
}

/// A shell command that prints `count` lines of words, all different, each with its [`tag`].
fn different_lines(count: usize) -> String {
    format!(
        "awk 'BEGIN {{ srand(7); for (i = 0; i < {count}; i++) {{ printf \"%d\", i * 7919 % 10007; n = 4 + rand() * 5; \
         for (k = 0; k < n; k++) {{ printf \" \"; m = 2 + rand() * 7; \
         for (j = 0; j < m; j++) printf \"%c\", 97 + rand() * 26 }} print \"\" }} }}'"
    )
}

/// A sandbox that describes an agent for each host but `claude`.
pub fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (id, limit) in HOSTS.iter().filter(|(id, _)| *id != "claude") {
        sandbox.home_file(
            format!(".config/toto/agents/{id}.toml"),
            format!("id = \"{id}\"\ntitle = \"{id}\"\noutput_limit = {limit}\n[process]\nnames = [\"{id}\"]\n[marks]\nnames = [\"{}_MARK\"]\n", id.to_uppercase()),
        );
    }
    sandbox
}

/// The output of `line` as an agent of the host `host` is given it.
pub fn seen(sandbox: &Sandbox, host: &str, line: &str) -> Vec<u8> {
    let mut agent = agent(sandbox, host);
    run(agent.arg(line)).out
}

/// A program of the host's name that runs a line in a shell, reads it by a pipe and prints what it read.
fn agent(sandbox: &Sandbox, host: &str) -> Command {
    let program = sandbox.root().join(host);
    if !program.exists() {
        // The interpreter itself: a version manager's script would not keep the name.
        let python = run(sandbox.command("python3").args(["-c", "import sys; print(sys.executable)"])).ok();
        std::os::unix::fs::symlink(fs::canonicalize(python.out().trim()).unwrap(), &program).unwrap();
    }
    let mark =
        if host == "claude" { "CLAUDECODE".to_owned() } else { format!("{}_MARK", host.to_uppercase()) };
    let script = sandbox.home_file(
        "agent.py",
        "import os, subprocess, sys\n\
         env = dict(os.environ)\nenv[sys.argv[1]] = '1'\n\
         done = subprocess.run(['/bin/sh', '-c', sys.argv[2]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=env)\n\
         sys.stdout.buffer.write(done.stdout)\n",
    );
    let mut command = sandbox.command(&program);
    command.env("CLAUDE_CONFIG_DIR", sandbox.home()).arg(script).arg(mark);
    command
}

fn which(name: &str) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|dir| dir.join(name)).find(|path| path.exists()).unwrap()
}

/// Makes a repository whose last commit is a patch of about so many bytes; returns the patch.
fn repository(sandbox: &Sandbox, bytes: usize) -> String {
    let files = bytes / 5_000 + 1;
    let write = |round: usize| {
        for file in 0..files {
            let line = |n: usize| {
                let changed = if n % 9 == 4 { format!(" changed in round {round}") } else { String::new() };
                format!("    let value_{n} = compute({n}, {});{changed}\n", (n * 7919 + file) % 997)
            };
            let text: String = (0..bytes / files / 42).map(line).collect();
            fs::write(sandbox.work().join(format!("file{file}.rs")), text).unwrap();
        }
    };
    let git = |line: &str| {
        let out = run(Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(sandbox.work())
            .env("HOME", sandbox.home())
            .env("GIT_CONFIG_NOSYSTEM", "1"))
        .ok();
        out.out()
    };
    git("rm -rf .git *.rs; git init -q . && git config user.email a@b.c && git config user.name n");
    write(0);
    git("git add -A && git commit -qm one");
    write(1);
    git("git add -A && git commit -qm two && git diff HEAD~1")
}

/// The hunks of a patch, whole.
fn hunks(patch: &str) -> Vec<String> {
    let mut hunks: Vec<String> = Vec::new();
    for line in patch.split_inclusive('\n') {
        if line.starts_with("@@ ") {
            hunks.push(String::new());
        }
        if let Some(hunk) = hunks.last_mut().filter(|_| !line.starts_with("diff ")) {
            hunk.push_str(line);
        }
    }
    hunks
}

#[test]
fn a_patch_comes_in_as_few_pages_as_can_be_and_nothing_of_it_is_lost() {
    let sandbox = sandbox();
    sandbox.link("git");
    sandbox.link("toto");
    let git = which("git");
    sandbox.tool("git", &format!("exec '{}' \"$@\"", git.display()));
    for bytes in [5_000, 20_000, 32_000, 100_000] {
        repository(&sandbox, bytes);
        for (host, limit) in HOSTS {
            for call in ["git diff HEAD~1", "git show HEAD", "git log -p -1"] {
                let whole = run_in(&sandbox, call);
                let mut parts = String::new();
                let mut next = call.to_owned();
                let mut calls = 0;
                loop {
                    let given = String::from_utf8(seen(&sandbox, host, &next)).unwrap();
                    assert!(given.len() <= limit, "{host}, {next}: {} bytes", given.len());
                    calls += 1;
                    let Some((page, footer)) =
                        given.rsplit_once("(page ").filter(|(_, footer)| footer.ends_with(")\n"))
                    else {
                        parts.push_str(&given);
                        break;
                    };
                    parts.push_str(page);
                    let Some((_, command)) = footer.split_once("; next: ") else { break };
                    next = command.trim_end_matches(")\n").to_owned();
                }
                let fewest = parts.len().div_ceil(limit - 300);
                assert_eq!(calls, fewest.max(1), "{host}, {call}: {} bytes in {calls} calls", parts.len());
                assert_eq!(hunks(&parts), hunks(&whole), "{host}, {call}");
            }
        }
    }
}

/// The threshold of tokens was taken for a page of so many bytes.
#[test]
fn what_is_within_the_page_and_the_tokens_is_not_rejected() {
    let sandbox = sandbox();
    sandbox.home_file(".config/toto/config.toml", "[overflow]\nmode = \"reject\"\n");
    sandbox.tool("text", &different_lines(600));
    sandbox.link("text");
    let given = String::from_utf8(seen(&sandbox, "tokens", "text; :")).unwrap();
    assert!(given.len() > 25_000 && given.contains(&tag(599)), "{given}");
    // What the host would cut is rejected, but not for its tokens.
    let given = String::from_utf8(seen(&sandbox, "small", "text; :")).unwrap();
    assert!(
        given.contains(" tokens) exceeds what is shown of one call. Ask the command for less"),
        "{given}"
    );
}

fn run_in(sandbox: &Sandbox, line: &str) -> String {
    run(sandbox.command("/bin/sh").args(["-c", line])).ok().out()
}

#[test]
fn two_commands_of_one_line_share_a_page() {
    let sandbox = sandbox();
    sandbox.tool("text", &different_lines(200));
    sandbox.link("text");
    let given = String::from_utf8(seen(&sandbox, "small", "text; text; :")).unwrap();
    assert!(given.len() <= 16_384, "{}", given.len());
    let (first, second) = given.split_once(&tag(199)).unwrap();
    assert!(first.starts_with("0 ") && second.contains("\n0 ") && !second.contains(&tag(199)), "{given}");
    assert!(given.contains("\n(page 1 of 2; next: toto show "), "{given}");
    // A call of its own has a page of its own.
    let again = String::from_utf8(seen(&sandbox, "small", "text; :")).unwrap();
    assert!(again.contains(&tag(199)) && !again.contains("(page "), "{again}");
}

/// What the host would have cut of a call is no saving, by however many tools.
#[test]
fn commands_of_one_line_share_what_they_would_have_shown() {
    let sandbox = sandbox();
    let pods: Vec<_> =
        (0..200).map(|at| json!({"name": format!("web-{at}"), "kind": "Pod", "phase": "Running"})).collect();
    let file = sandbox.home_file("pods.json", json!(pods).to_string());
    sandbox.tool("pods", &format!("cat {}", file.display()));
    sandbox.link("pods");
    seen(&sandbox, "small", "pods; pods; pods; :");
    let total = &gain(&sandbox).0["total"];
    let [printed, tokens, without] = ["bytes", "tokens", "without"].map(|name| total[name].as_u64().unwrap());
    assert!((tokens * 16_384 / printed).abs_diff(without) < 10 && printed > 20_000, "{total}");
}

#[test]
fn what_nobody_knows_is_content_and_a_failure_says_why_on_the_first_page() {
    let sandbox = Sandbox::new();
    let line = different_lines(1_000);
    sandbox.tool("unknown", &format!("{line}; echo 'fatal: no such table: users'; {line}; exit $1"));
    sandbox.link("unknown");
    let given = |status: &str| run(sandbox.command("unknown").arg(status).env("TOTO", "on")).out();
    let well = given("0");
    assert!(well.contains("0 ") && well.contains(&tag(1)) && !well.contains(&tag(999)), "{well}");
    assert!(well.contains("\n(page 1 of 3; next: toto show ") && !well.contains("fatal"), "{well}");
    let failed = given("7");
    assert!(
        failed.contains("\n… exit status 7; ") && failed.contains("\nfatal: no such table: users\n"),
        "{failed}"
    );
    let last = failed.lines().rev().nth(1).unwrap();
    assert!(last.starts_with(tag(999).trim_start()), "its last lines: {failed}");
}

#[test]
fn a_page_of_a_table_begins_with_the_tables_head() {
    let sandbox = Sandbox::new();
    let row = "printf '%-40s 1/1     Running   0          %sd\\n'";
    let rows = format!("for n in $(seq 1000 2600); do {row} deployment-web-frontend-6d4cf56db6-$n $n; done");
    let table = format!("printf '%-40s READY   STATUS    RESTARTS   AGE\\n' NAME; {rows}");
    // A table that is the whole output is data.
    sandbox.tool("kubectl", &format!("{table}; printf '\\nNAME   AGE\\nweb    5d\\napi    6d\\n'"));
    sandbox.link("kubectl");
    let first = run(sandbox.command("kubectl").args(["get", "pods"]).env("TOTO", "on")).ok().out();
    let head = "rows[1601]{NAME READY=1/1 STATUS=Running RESTARTS=0 AGE}";
    assert!(first.starts_with(&format!("{head}:\n deployment-")), "{}", &first[..200]);
    let page = run(&mut sandbox.toto(["show", "last", "--page", "2"])).ok().out();
    assert!(page.starts_with(&format!("{head}, continued:\n deployment-")), "{}", &page[..200]);
    fs::write(sandbox.work().join("page"), &first).unwrap();
    let refused = run(&mut sandbox.toto(["expand", "page"])).exits(2);
    assert!(refused.err().starts_with("toto: page: page 1 of "), "{}", refused.err());
    assert_eq!(refused.err().lines().count(), 1);
}

#[test]
fn a_page_that_is_not_there_is_one_line() {
    let sandbox = Sandbox::new();
    sandbox.tool("unknown", &different_lines(1_500));
    sandbox.link("unknown");
    run(sandbox.command("unknown").env("TOTO", "on")).ok();
    let shown = |page: &str| run(&mut sandbox.toto(["show", "last", "--page", page]));
    assert!(
        shown("2").ok().out().ends_with("(page 2 of 3; next: toto show ")
            || shown("2").out().contains("(page 2 of ")
    );
    let refused = shown("9").exits(2);
    assert_eq!(refused.err().lines().count(), 1, "{}", refused.err());
    assert!(refused.err().contains("so there is no page 9"), "{}", refused.err());
    run(&mut sandbox.toto(["show", "zzzzz", "--page", "1"])).exits(2);
    run(&mut sandbox.toto(["show", "last", "--page", "0"])).exits(2);
}

#[test]
fn no_answer_of_ours_is_longer_than_a_page() {
    let sandbox = sandbox();
    sandbox.link("toto");
    let text = run(sandbox.command("/bin/sh").args(["-c", &different_lines(3_000)])).ok().out();
    fs::write(sandbox.work().join("long"), &text).unwrap();
    fs::write(sandbox.work().join("one"), "word ".repeat(20_000)).unwrap();
    sandbox.tool("unknown", &format!("cat '{}'", sandbox.work().join("long").display()));
    sandbox.link("unknown");
    let given = |line: &str| String::from_utf8(seen(&sandbox, "small", line)).unwrap();
    given("unknown");
    for line in [
        "toto show last",
        "toto show last --raw",
        "toto show last --lines 1:",
        "toto show last --grep a",
        "toto read long",
        "toto read long --offset 5",
        "toto read one",
        "toto read one --page 3",
        "toto grep a",
    ] {
        let out = given(line);
        assert!(out.len() > 10_000 && out.len() <= 16_384, "{line}: {} bytes", out.len());
        assert!(out.trim_end().ends_with(')'), "{line} says how to go on: {}", &out[out.len() - 200..]);
    }
    // A program gets all of it.
    assert_eq!(given("toto show last | wc -c").trim(), text.len().to_string());
    assert_eq!(run_with(&mut sandbox.toto(["show", "last", "--raw"]), b"").ok().out(), text);
}

#[test]
fn the_rest_of_a_file_is_named_by_a_command_within_the_page_whatever_the_file_is_called() {
    let sandbox = sandbox();
    sandbox.link("toto");
    let text = run(sandbox.command("/bin/sh").args(["-c", &different_lines(3_000)])).ok().out();
    let given = |line: &str| String::from_utf8(seen(&sandbox, "small", line)).unwrap();
    for name in ["a 'b; c".to_owned(), "a".repeat(250)] {
        fs::write(sandbox.work().join(&name), &text).unwrap();
        for (line, shown) in [("toto read a*", "(page 2 of "), ("toto read a* --offset 5", "(up to line ")] {
            let first = given(line);
            let (_, next) = first.trim_end().trim_end_matches(')').rsplit_once("next: ").unwrap();
            let second = given(next);
            assert!(
                first.len() <= 16_384 && second.len() <= 16_384,
                "{} and {} bytes",
                first.len(),
                second.len()
            );
            assert!(second.lines().last().unwrap().starts_with(shown), "{next}: {second}");
        }
        let refused = run(&mut sandbox.toto(["read", &name])).exits(2);
        assert_eq!(refused.err().contains(r"toto read 'a '\''b; c' --page N"), name.contains(';'));
        fs::remove_file(sandbox.work().join(&name)).unwrap();
    }
    fs::write(sandbox.work().join("--all"), &text).unwrap();
    let refused = run(&mut sandbox.toto(["read", "--", "--all"])).exits(2);
    assert!(refused.err().contains("toto read ./--all --page N"), "{}", refused.err());
    let file = sandbox.home_file("data", format!("{{\"a b\": {{\"c\": \"{}\"}}}}\n", "word ".repeat(20_000)));
    sandbox.tool("data", &format!("cat '{}'", file.display()));
    sandbox.link("data");
    given("data");
    let part = given("toto show last --path 'a b'");
    assert!(part.ends_with(" --path 'a b' | jq …)\n"), "{}", part.lines().last().unwrap());
}

#[test]
fn a_document_is_given_whole_up_to_its_threshold_and_the_way_for_programs_is_named() {
    let sandbox = Sandbox::new();
    let rows = |count: usize| {
        let row = |n: usize| {
            format!(
                "{{\"id\": \"i-{:08x}\", \"size\": {}, \"name\": \"volume of {n}\"}}",
                n * 7919,
                n * 31 % 977
            )
        };
        format!("{{\"Volumes\": [\n{}\n]}}\n", (0..count).map(row).collect::<Vec<_>>().join(",\n"))
    };
    sandbox.tool("aws", "cat \"$HOME/$1\"");
    sandbox.link("aws");
    for count in [3, 120, 2000] {
        sandbox.home_file(count.to_string(), rows(count));
    }
    // jq cannot read a log, whatever it begins with.
    sandbox.home_file("log", format!("[INFO] volumes:\n{}[INFO] done\n", rows(2000)));
    let given = |count: &str| run(sandbox.command("aws").arg(count).env("TOTO", "on")).ok().out();
    assert!(!given("log").contains("| jq"), "{}", given("log"));
    assert!(!given("3").contains("toto show"), "{}", given("3"));
    let whole = given("120");
    let way = whole.lines().last().unwrap();
    assert!(
        way.starts_with("(as it came, for programs: toto show ") && way.ends_with(" --raw | jq …)"),
        "{way}"
    );
    let id = way.split(' ').nth(7).unwrap();
    assert_eq!(run(&mut sandbox.toto(["show", id, "--raw"])).ok().out(), rows(120));
    let expanded = run_with(&mut sandbox.toto(["expand"]), whole.as_bytes()).ok().out();
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(json(&expanded), json(&rows(120)));
    // A tool that takes its time has a live copy, which the way leads to.
    sandbox.tool("aws", "sleep 0.6; cat \"$HOME/$1\"; sleep 0.4");
    let slow = given("120");
    let id = slow.lines().last().unwrap().split(' ').nth(7).unwrap();
    assert_eq!(run(&mut sandbox.toto(["show", id, "--raw"])).ok().out(), rows(120), "{slow}");
    let outline = given("2000");
    assert!(
        outline.contains("\nVolumes[2000]\n") && outline.contains(" --raw | jq '.Volumes[]'"),
        "{outline}"
    );
}

#[test]
fn nothing_is_changed_for_a_pittance() {
    let sandbox = Sandbox::new();
    sandbox.tool("say", "printf '\\033[1mone\\033[0m\\n'; printf '{\"a\": [1,   2]}\\n'");
    sandbox.tool("json", "printf '{\"a\": [1,   2], \"b\": null}\\n'");
    for tool in ["say", "json"] {
        sandbox.link(tool);
        let as_it_is = run(&mut sandbox.command(tool)).ok().out();
        let as_it_is = as_it_is.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
        let outcome = run(sandbox.command(tool).env("TOTO", "on")).ok();
        assert_eq!(outcome.out(), as_it_is, "{tool}");
        assert_eq!(outcome.err(), "", "{tool}: no receipt");
    }
}

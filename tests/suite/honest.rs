//! What commands say of themselves: only what is true here.

use std::fs;

use crate::harness::{Sandbox, run};
use crate::large::{captured, sandbox};

/// Prints numbers that no shape is shorter than.
const NUMBERS: &str = "awk 'BEGIN { for (n = 0; n < 4000; n++) print rand(), rand() }'";

#[test]
fn the_demo_does_not_promise_what_it_does_not_keep() {
    let out = run(&mut Sandbox::new().toto(["demo"])).ok().out();
    assert!(!out.contains("toto show") || out.contains("of the demonstration nothing is kept"), "{out}");
}

#[test]
fn why_names_a_tool_that_has_no_shim() {
    let sandbox = Sandbox::new();
    sandbox.tool("make", "echo");
    let why = |args: &[&str]| run(sandbox.toto(["why"]).args(args).env("TOTO", "on")).ok().out();
    let line = "not reached: make is not on the list (toto link make)\nif it were:\ncompressed for ";
    assert!(why(&["--", "make"]).starts_with(line), "{}", why(&["--", "make"]));
    let link = sandbox.link("make");
    let line = format!("reached: {} stands first on PATH\ncompressed for ", link.display());
    assert!(why(&["--", "make"]).starts_with(&line), "{}", why(&["--", "make"]));
    assert!(why(&["--json", "--", "make"]).contains("\"linked\": true"));
}

#[test]
fn an_agent_that_setup_set_up_is_listed_so_with_the_greeting_and_without() {
    for options in [&["setup", "claude"][..], &["setup", "claude", "--no-note"]] {
        let sandbox = Sandbox::new();
        fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
        let listed = || run(&mut sandbox.toto(["agents", "--json"])).ok().out();
        let before = listed();
        run(sandbox.toto(["agents"]).args(options)).ok();
        let of = |text: &str| {
            let agents: serde_json::Value = serde_json::from_str(text).unwrap();
            let all = agents.as_array().or_else(|| agents["agents"].as_array()).unwrap().clone();
            all.into_iter().find(|agent| agent.to_string().contains("\"claude\"")).unwrap()
        };
        assert_ne!(of(&before), of(&listed()));
        assert!(
            run(&mut sandbox.toto(["agents"]))
                .ok()
                .out()
                .lines()
                .any(|line| { line.starts_with("claude") && line.contains("yes") })
        );
    }
}

#[test]
fn doctor_tells_a_tool_to_come_from_a_fault_and_names_a_broken_configuration() {
    let sandbox = Sandbox::new();
    sandbox.tool("gh", "echo");
    run(&mut sandbox.toto(["setup"])).ok();
    sandbox.link("gh");
    fs::remove_file(sandbox.tools().join("gh")).unwrap();
    let doctor = |value: &str| run(sandbox.toto(["doctor"]).env("TOTO", value)).out();
    let said = doctor("maybe");
    assert!(said.contains("note     gh: ") && said.contains("if gh is to be installed"), "{said}");
    assert!(said.contains("note     TOTO=maybe: expected one of on, off, raw"), "{said}");
    assert!(!said.contains("broken   gh") && !said.contains("config.toml"), "{said}");
    sandbox.home_file(".config/toto/config.toml", "levle = \"max\"\n");
    let said = doctor("");
    assert!(said.contains("config.toml") && said.contains("until then all output is raw"), "{said}");
    assert!(!said.contains("TOTO="), "{said}");
}

#[test]
fn a_new_filter_says_what_it_replaces_and_is_not_made_of_an_error() {
    let sandbox = Sandbox::new();
    sandbox.tool(
        "git",
        "[ \"$1\" = log ] && echo 'commit 1' && exit; echo 'fatal: no such thing' >&2; exit 128",
    );
    let new = |args: &[&str]| run(sandbox.toto(["filter", "new"]).args(args));
    let wrong = new(&["git-status", "--", "git", "status"]).exits(2);
    assert!(wrong.err().contains("failed with status 128 (fatal: no such thing)"), "{}", wrong.err());
    assert!(!sandbox.home().join(".config/toto/filters").exists());
    new(&["git-status", "--failing", "--", "git", "status"]).ok();
    let made = new(&["git-log", "--", "git", "log", "-3"]).ok();
    assert!(made.err().contains("takes the place of the library's filter git-log"), "{}", made.err());
}

#[test]
fn history_tells_time_as_people_write_it() {
    let sandbox = sandbox(NUMBERS);
    run(&mut captured(&sandbox)).ok();
    let said = run(&mut sandbox.toto(["history"])).ok().out();
    let all = run(&mut sandbox.toto(["history", "--json"])).ok().out();
    assert!(all.contains("\"call\": \"make\"") && all.contains("\"status\": 0"), "{all}");
    let linked = run(&mut sandbox.toto(["list", "--json"])).ok().out();
    assert!(linked.contains("\"name\": \"make\"") && linked.contains("\"trouble\": \"\""), "{linked}");
    let linked: serde_json::Value = serde_json::from_str(&linked).unwrap();
    assert!(linked[0]["calls"] == 1 && linked[0]["saved"] == 0, "{linked}");
    let time = regex::Regex::new(r"^\S+ +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d +make ").unwrap();
    assert!(time.is_match(&said), "{said}");
}

#[test]
fn the_receipt_of_a_page_says_that_it_counts_the_page() {
    let sandbox = sandbox(NUMBERS);
    let outcome = run(captured(&sandbox).env("TOTO_RECEIPT", "full")).ok();
    let pages = outcome.out().contains("(page 1 of ");
    let said = outcome.err();
    assert!(pages && (said.is_empty() || said.contains(" tok (page 1 of ")), "{said}");
}

#[test]
fn the_greeting_names_linked_tools_only() {
    let sandbox = Sandbox::new();
    let greet = || run(&mut sandbox.toto(["agents", "greet"])).ok().out();
    assert_eq!(greet(), "");
    sandbox.tool("terraform", "echo");
    sandbox.link("terraform");
    assert!(
        greet().contains("\"Long output of terraform is shortened; without a mark it is complete. "),
        "{}",
        greet()
    );
    assert!(!greet().contains("of git") && !greet().contains("several to a call"));
}

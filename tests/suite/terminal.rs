//! What docs/security.md claims of terminals: they obey nothing that an output says.

use crate::harness::{Sandbox, installed, run, run_with, toto_binary};
use crate::large::{LINES, captured, sandbox as with_make};

/// What a terminal obeys: a title, the clipboard, bracketed paste, a device string, a clear screen, C1 and a shift.
const HOSTILE: &str =
    "\u{1b}]0;title\u{7}\u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[?2004h\u{1b}P1$qm\u{1b}\\\u{1b}[2J\u{9b}31m\u{e}";
/// The same in JSON.
const HOSTILE_JSON: &str =
    r"\u001b]0;title\u0007\u001b]52;c;cm0gLXJm\u0007\u001b[?2004h\u001bP1$qm\u001b\\\u001b[2J\u009b31m\u000e";

/// Nothing in it that a terminal would obey but line breaks and tabs.
#[track_caller]
fn is_inert(what: &str, text: &str) {
    let obeyed = |c: char| c.is_control() && !"\n\t".contains(c);
    assert!(!text.contains(obeyed), "{what}: {:?}", text.lines().find(|line| line.contains(obeyed)));
}

#[test]
fn a_terminal_obeys_nothing_of_a_preview() {
    let sandbox = with_make(&format!("{LINES}; cat \"$HOME/hostile\"; {LINES}; echo sorry >&2; exit 1"));
    sandbox.home_file("hostile", format!("error: {HOSTILE} disk full\n"));
    for mode in ["buffer", "truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let outcome = run(&mut captured(&sandbox)).exits(1);
        assert!(outcome.out().contains("disk full"), "{mode}: {}", outcome.out());
        is_inert(mode, &outcome.out());
        is_inert(mode, &outcome.err());
    }
    for part in [&["--grep", "disk"][..], &["--lines", "1990:2010"]] {
        let shown = run(sandbox.toto(["show", "last"]).args(part)).ok().out();
        assert!(shown.contains("disk full"), "{shown}");
        is_inert("show", &shown);
    }
    let file = sandbox.home().join("hostile");
    is_inert("grep", &run(sandbox.toto(["grep", "disk"]).arg(&file)).ok().out());
}

#[test]
fn a_terminal_obeys_nothing_of_a_notation() {
    let sandbox = Sandbox::new();
    let row = |n: usize| {
        format!(
            "{{\"name\": \"item-{n}\", \"note\": \"{HOSTILE_JSON}\", \"k{HOSTILE_JSON}\": [{n}, \"a{HOSTILE_JSON}\"]}}"
        )
    };
    let rows: Vec<String> = (0..30).map(row).collect();
    let dense: Vec<String> = (0..30).map(|n| format!("{{\"a\": \"{HOSTILE_JSON}\", \"b\": {n}}}")).collect();
    for document in
        [format!("{{\"items\": [{}]}}", rows.join(",\n   ")), format!("[{}]", dense.join(",\n   "))]
    {
        for format in ["pvfn", "schema-yaml", "json"] {
            let outcome =
                run_with(&mut sandbox.toto(["--level", "lossless", "--format", format]), document.as_bytes());
            let out = outcome.ok().out();
            assert!(format != "pvfn" || out.len() < document.len(), "{out}");
            is_inert(format, &out);
            let read = run_with(&mut sandbox.toto(["expand"]), out.as_bytes()).ok().out();
            let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
            assert_eq!(value(&read), value(&document), "{format}");
        }
    }
}

#[test]
fn a_terminal_obeys_nothing_of_a_line_of_ours() {
    let sandbox = Sandbox::new();
    let name = format!("x{HOSTILE}");
    let file = sandbox.home_file("filter.toml", format!("command = \"x\"\nskip = [\"({HOSTILE_JSON}\"]\n"));
    sandbox.home_file(".config/toto/config.toml", format!("\"lev{HOSTILE_JSON}el\" = 1\n"));
    let calls: [&[&str]; 10] = [
        &["show", &name],
        &["read", &name],
        &["grep", "(", &name],
        &["grep", &name, &name],
        &["which", &name],
        &["run", "--", &name],
        &["why", "--", &name],
        &["count", &name],
        &["config", "check"],
        &["filter", "check", file.to_str().unwrap()],
    ];
    for call in calls {
        let outcome = run(&mut sandbox.toto(call));
        assert_ne!(outcome.code(), 0, "{call:?}");
        assert!(outcome.err().starts_with("toto: "), "{call:?}: {}", outcome.err());
        assert_eq!(outcome.err().lines().count(), 1, "{call:?}: {}", outcome.err());
        is_inert(&call.join(" "), &outcome.err());
    }
}

#[test]
fn a_terminal_obeys_nothing_of_a_name_in_a_list() {
    let sandbox = Sandbox::new();
    sandbox.script(format!("tools/x{HOSTILE}/aws"), "#!/bin/sh\n");
    let mut listing = Sandbox::new();
    listing.set_path([listing.farm(), sandbox.tools().join(format!("x{HOSTILE}"))]);
    listing.link("aws");
    let out = run(&mut listing.toto(["list"])).ok().out();
    assert!(out.contains("<U+001B>"), "{out:?}");
    is_inert("list", &out);
    is_inert("why", &run(&mut listing.toto(["why", "--", "aws"])).ok().out());
}

#[test]
fn a_terminal_obeys_nothing_of_what_is_shown_whole() {
    if !installed("script") {
        return;
    }
    let sandbox = with_make(&format!("cat \"$HOME/hostile\"; {LINES}"));
    sandbox.home_file("hostile", format!("first {HOSTILE} last\n"));
    run(&mut captured(&sandbox)).ok();
    let shown = |line: &str| {
        let line = format!("{} show {line}", toto_binary().display());
        run(sandbox.command("script").args(["-qec", &line, "/dev/null"])).out().replace("\r\n", "\n")
    };
    let text = shown("last --lines 1:1");
    is_inert("on a terminal", &text);
    let text = shown("last");
    assert!(text.contains("compiling unit 1999"), "{text}");
    is_inert("on a terminal", &text);
    assert!(shown("last --raw").contains(HOSTILE));
    // A program gets the tool's own bytes.
    assert!(run(&mut sandbox.toto(["show", "last"])).ok().out().contains(HOSTILE));
}

//! What docs/security.md claims of terminals: they obey nothing that an output says, and nothing in it is unseen.

use llm_toto::pipeline::{Options, compress};

use crate::harness::{Sandbox, installed, run, run_with, toto_binary};
use crate::large::{LINES, captured, sandbox as with_make};

/// What a terminal obeys: a title, the clipboard, bracketed paste, a device string, a clear screen, C1 and a shift.
const HOSTILE: &str =
    "\u{1b}]0;title\u{7}\u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[?2004h\u{1b}P1$qm\u{1b}\\\u{1b}[2J\u{9b}31m\u{e}";
/// The same in JSON.
const HOSTILE_JSON: &str =
    r"\u001b]0;title\u0007\u001b]52;c;cm0gLXJm\u0007\u001b[?2004h\u001bP1$qm\u001b\\\u001b[2J\u009b31m\u000e";

/// Nothing in it that a terminal would obey but line breaks and tabs, or that nobody would see.
#[track_caller]
fn is_inert(what: &str, text: &str) {
    let obeyed = |c: char| c.is_control() && !"\n\t".contains(c) || "\u{202e}\u{200b}\u{e0041}".contains(c);
    assert!(!text.contains(obeyed), "{what}: {:?}", text.lines().find(|line| line.contains(obeyed)));
}

/// What an agent is given of an output.
fn given(sandbox: &Sandbox, options: &[&str], output: &str) -> String {
    run_with(sandbox.toto(["--overflow", "off"]).args(options), output.as_bytes()).ok().out()
}

#[test]
fn a_terminal_obeys_nothing_of_text() {
    let sandbox = Sandbox::new();
    let unseen = "pass\u{202e}drow\u{202c} a\u{200b}b hi\u{e0041}";
    // Text that is longer without control than with it.
    let padded = "word \u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[1000C word\n".repeat(400);
    let bidi = format!("{{\"name\": \"{unseen}\"}}");
    let rows = format!("[{}]", vec![format!("{{\"name\": \"{unseen}\", \"n\": 1}}"); 60].join(", "));
    let outputs = [
        format!("one {HOSTILE} line {unseen}\n"),
        format!("10%\r{HOSTILE}\r50%\u{8}\u{8}\u{8}60%\n"),
        padded,
        format!("warning: {HOSTILE}{unseen}\n{rows}\nwarning: {unseen}\n"),
        format!("name: {unseen}\nlist: [a, b]\n"),
        bidi.clone(),
        rows.clone(),
    ];
    for output in &outputs {
        for level in ["lossless", "standard", "max"] {
            is_inert(level, &given(&sandbox, &["--level", level], output));
        }
    }
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(&given(&sandbox, &[], &bidi)), value(&bidi), "a document says what it said");
    assert_eq!(given(&sandbox, &[], "a\u{202e}b\n"), "a<U+202E>b\n");
    assert_eq!(given(&sandbox, &[], "10%\r50%\rdone\n"), "10%\n50%\ndone\n", "no state is left out unsaid");
    for kept in ["👩\u{200d}💻 می\u{200c}خواهم\n", "a\r\nb\r\n", "\u{feff}a,b\n"] {
        assert_eq!(given(&sandbox, &[], kept), kept);
    }
    let coloured = "a\u{1b}[31mb\u{1b}[m\u{1b}]0;t\u{7}c";
    let shown = run(&mut sandbox.toto(["run", "--", "echo", "--color-words", coloured])).ok().out();
    assert_eq!(
        shown, "--color-words a\u{1b}[31mb\u{1b}[m<U+001B>]0;t<U+0007>c\n",
        "colours that tell words apart stay"
    );
}

#[test]
fn a_terminal_obeys_nothing_of_pages_and_files() {
    let sandbox = with_make("cat \"$HOME/hostile\"");
    let line =
        |n: usize| format!("word {} \u{1b}]52;c;cm0gLXJm\u{7}\u{1b}[1000C {} word\u{202e}\n", n * n, n % 7);
    let text: String = (0..4_000).map(line).collect();
    let file = sandbox.home_file("hostile", &text);
    let first = run(&mut captured(&sandbox)).ok().out();
    assert!(first.contains("(page 1 of "), "{}", first.len());
    is_inert("page 1", &first);
    let file = file.to_str().unwrap();
    let ways: [&[&str]; 8] = [
        &["show", "last"],
        &["show", "last", "--page", "2"],
        &["show", "last", "--lines", "7:9"],
        &["show", "last", "--grep", "word"],
        &["read", file, "--offset", "5", "--limit", "3"],
        &["read", file, "--page", "2"],
        &["grep", "word", file],
        &["report", file],
    ];
    for way in ways {
        is_inert(&way.join(" "), &run(&mut sandbox.toto(way)).out());
    }
}

#[test]
fn bytes_that_are_no_text_are_harmless_to_who_sees_them() {
    let binary = b"PNG\0\xff\xfe\0\x1b]52;c;cm0gLXJm\x07\0\xff";
    let given = |is_seen| compress(binary, &Options { is_seen, ..Options::default() }).output;
    is_inert("seen", &String::from_utf8_lossy(&given(true)));
    assert_eq!(given(false), binary, "whoever pipes them gets them");
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
    is_inert("on a terminal", &shown("last --raw"));
    is_inert("to a program", &run(&mut sandbox.toto(["show", "last"])).ok().out());
    // A program gets the tool's own bytes if it asks for them.
    assert!(run(&mut sandbox.toto(["show", "last", "--raw"])).ok().out().contains(HOSTILE));
}

/// Escapes in JSON become control where a string is told as text: events of a run, a part, a filter's value.
#[test]
fn a_terminal_obeys_nothing_of_what_json_hides() {
    let event = |test: &str, said: &str| {
        format!("{{\"Action\":\"output\",\"Package\":\"p\",{test}\"Output\":\"{said}\\n\"}}\n")
    };
    let of = |test: &str, lines: &[&str]| -> String {
        lines.iter().map(|line| event(&format!("\"Test\":\"{test}\","), line)).collect()
    };
    let hostile = format!("a{HOSTILE_JSON}\\n[toto] b");
    let passing: String = (0..20)
        .map(|n| of(&format!("T{n}"), &[&format!("=== RUN   T{n}"), &format!("--- PASS: T{n} (0.00s)")]))
        .collect();
    let failing = of(
        "TestA",
        &["=== RUN   TestA", &hostile, "[toto] c", "    a_test.go:3: bad", "--- FAIL: TestA (0.00s)"],
    );
    let end = [event("", "[toto] d"), event("", &hostile), event("", "FAIL\\tp\\t0.1s")].concat();
    let sandbox = Sandbox::new();
    let told = given(&sandbox, &[], &(failing + &passing + &end));
    assert!(told.contains("FAILED a_test.go:3 TestA\n"), "{told}");
    is_inert("events", &told);
    assert!(told.contains("│ [toto] c\n") && told.contains("│ [toto] d\n"), "{told}");
    assert!(!told.lines().any(|line| line.trim_start().starts_with("[toto]")), "{told}");

    let rows: Vec<String> =
        (0..900).map(|n| format!("{{\"n\": {n}, \"said\": \"{hostile} {n}\"}}")).collect();
    let sandbox = with_make("cat \"$HOME/rows\"");
    sandbox.home_file("rows", format!("{{\"rows\": [{}]}}", rows.join(",\n")));
    is_inert("an outline", &run(&mut captured(&sandbox)).ok().out());
    let part = run(&mut sandbox.toto(["show", "last", "--path", "rows.7.said"])).ok().out();
    is_inert("a part", &part);
    assert!(part.ends_with("\n│ [toto] b 7\n"), "{part}");

    let filter = "command = \"make\"\n[[json.extract]]\npath = \"$.rows[7].said\"\nas = \"said\"\n\n[[step]]\nrun = \"cat rows\"\nas = \"beside\"\n\n[on_success]\noutput = \"said {said} beside {beside}\"\n";
    sandbox.home_file(".config/toto/filters/make.toml", filter);
    std::fs::write(sandbox.work().join("rows"), format!("{HOSTILE}\n[toto] e\n")).unwrap();
    let told = run(&mut captured(&sandbox)).ok().out();
    assert!(told.contains("said a") && told.contains("[toto] e"), "{told}");
    is_inert("a filter", &told);
    assert!(!told.lines().any(|line| line.starts_with("[toto]")), "{told}");
}

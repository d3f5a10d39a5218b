//! Large and slow output: nothing is lost, nothing blocks, and the lines that answer are there.

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use llm_toto::custom::Call;
use llm_toto::pipeline::{Options, Page, Shape, compress};

use crate::harness::{Outcome, Sandbox, run, run_with, spawn, until, words};

pub fn sandbox(body: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.tool("make", body);
    sandbox.link("make");
    sandbox
}

/// `make`, whose output an agent reads.
pub fn captured(sandbox: &Sandbox) -> Command {
    let mut command = sandbox.command("make");
    command.env("TOTO", "on");
    command
}

pub fn session(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join(".local/state/toto/outputs/default")
}

/// Paths of the files in the session's directory.
pub fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = fs::read_dir(session(sandbox)).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The only saved output, as soon as there is one: its file is made under another name.
#[track_caller]
pub fn saved(sandbox: &Sandbox) -> Vec<u8> {
    let is_output = |path: &PathBuf| path.extension().is_some_and(|extension| extension != "json");
    until(|| {
        let outputs: Vec<_> = kept(sandbox).into_iter().filter(is_output).collect();
        if let [output] = outputs.as_slice() { fs::read(output).ok() } else { None }
    })
}

pub fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// A log of two thousand lines, no two of which have much in common.
pub const LINES: &str = "awk 'BEGIN { srand(7); for (i = 0; i < 2000; i++) \
     printf \"12:30:01 compiling unit %d of the program; %x %x %x %x %x\\n\", i, rand() * 16777216, rand() * 16777216, \
     rand() * 16777216, rand() * 16777216, rand() * 16777216 }'";

#[test]
fn large_text_is_buffered_whole_with_its_first_and_last_lines() {
    let sandbox = sandbox(&format!("{LINES}; echo 'warning: careful'; echo done; exit 3"));
    let outcome = run(&mut captured(&sandbox)).exits(3);
    let out = outcome.out();
    let path = kept(&sandbox).into_iter().find(|path| path.extension().unwrap() == "out").unwrap();
    assert!(out.starts_with(&format!("Output buffered to {} (2002 lines)\n", path.display())), "{out}");
    assert_eq!(out.lines().nth(1), Some("Keyword mentions: warning 1"));
    for line in [
        "12:30:01 compiling unit 0 of the program;",
        "12:30:01 compiling unit 4 of the program;",
        "warning: careful",
        "done",
    ] {
        assert!(out.lines().any(|l| l.starts_with(line)), "{line}\n{out}");
    }
    assert!(!out.contains("unit 500 "), "{out}");
    assert_eq!(String::from_utf8_lossy(&saved(&sandbox)).lines().count(), 2002);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert!(kept(&sandbox).iter().all(|path| mode(path) == 0o600));
}

/// `terraform apply` ends with a list of its outputs, of which the bracket at the end was missing.
#[test]
fn a_preview_ends_as_the_output_does() {
    let sandbox = sandbox(&format!("{LINES}; echo 'everything = ['; echo '  \"stock-4\",'; echo ']'"));
    let out = run(&mut captured(&sandbox)).ok().out();
    assert!(out.contains("\neverything = [\n  \"stock-4\",\n]\nMore: "), "{out}");
    // However many there are, a preview stays short.
    let sandbox = self::sandbox(&format!(
        "{LINES}; awk 'BEGIN {{ for (i = 900; i > 0; i--) printf \"%*s}}\\n\", i, \"\" }}'"
    ));
    let out = run(&mut captured(&sandbox)).ok().out();
    assert!(out.contains("\n }\nMore: ") && out.lines().count() < 40, "{out}");
}

#[test]
fn a_failure_in_the_middle_is_told_whatever_the_way() {
    let body = format!(
        "{LINES}; echo 'src/a.c:7:3: error: no such thing'; echo '    7 | thing();'; {LINES}; exit 2"
    );
    let sandbox = sandbox(&body);
    for mode in ["buffer", "truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let out = run(&mut captured(&sandbox)).exits(2).out();
        assert!(out.contains("src/a.c:7:3: error: no such thing\n    7 | thing();\n"), "{mode}: {out}");
    }
}

#[test]
fn without_standard_error_the_saved_original_gets_nothing_of_totos() {
    let sandbox =
        sandbox("seq 9000 | awk '{ print \"unit\", $1 * 7919 % 9973, \"took\", $1 * 31 % 977 }'; exit 0");
    let given = run(sandbox.shell("sh", "make 2>&-").env("TOTO", "on")).ok();
    assert!(given.out().contains("toto show "), "{}", given.out());
    assert!(!String::from_utf8_lossy(&saved(&sandbox)).contains("[toto]"));
}

/// What a tool said behind a document stands beside the outline.
#[test]
fn a_failure_behind_a_document_is_told() {
    let rows: Vec<_> =
        (0..900).map(|n| serde_json::json!({ "id": format!("i-{n:08x}"), "state": "running" })).collect();
    let sandbox =
        sandbox("cat \"$HOME/rows\"; echo; echo 'An error occurred (Throttling): rate exceeded'; exit 255");
    sandbox.home_file("rows", serde_json::to_string_pretty(&rows).unwrap());
    let out = run(&mut captured(&sandbox)).exits(255).out();
    assert!(out.contains("\nAn error occurred (Throttling): rate exceeded\n"), "{out}");
    assert!(out.contains("\n all: state=running\n"), "{out}");
}

#[test]
fn truncated_output_says_so_before_and_between() {
    let sandbox = sandbox("cat \"$HOME/words\"");
    sandbox.home_file("words", (0..2000).map(|n| words(n) + "\n").collect::<String>());
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nmode = \"truncate\"\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    let whole = String::from_utf8(saved(&sandbox)).unwrap();
    let note = out.lines().next().unwrap();
    assert!(note.starts_with("Output truncated: ") && note.contains(&whole.len().to_string()), "{note}");
    assert_eq!(out.matches(note).count(), 2);
    assert!(out.contains(&format!("{}\n… {} characters hidden …\n", &whole[..10_000], whole.len() - 20_000)));
    assert!(out.ends_with(&whole[whole.len() - 10_000..]));
}

/// A form would have other sizes and lines than the file that is named, and lines of ours in it.
#[test]
fn what_is_truncated_is_the_output_as_it_came() {
    let sandbox = sandbox("cat \"$HOME/words\"");
    let log: String = (0..2000).map(|n| format!("12:30:{:02} INFO {}\n", n % 60, words(n))).collect();
    sandbox.home_file("words", log);
    sandbox.home_file(".config/toto/config.toml", "[tools.make]\nmode = \"truncate\"\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    let whole = String::from_utf8(saved(&sandbox)).unwrap();
    assert!(
        out.starts_with(&format!("Output truncated: {} characters in 2000 lines, all of", whole.len())),
        "{out}"
    );
    assert!(out.lines().nth(1).unwrap().starts_with("12:30:00 INFO ") && !out.contains("\n│ "), "{out}");
}

/// The original of an output that was given whole stayed in the store, as `last`.
#[test]
fn what_is_given_whole_since_truncating_saves_nothing_is_not_kept() {
    let sandbox =
        sandbox("echo 'the first of a few lines'; echo 'and another one'; echo 'the last, which ends it'");
    for mode in ["truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let out = run(captured(&sandbox).env("TOTO_THRESHOLD", "20")).ok().out();
        assert_eq!(out.lines().count(), 3, "{out}");
        assert_eq!(kept(&sandbox), Vec::<PathBuf>::new(), "{mode}");
    }
}

#[test]
fn rejected_output_names_its_tokens_and_a_way() {
    let sandbox = sandbox(&format!("{LINES}; {LINES}; {LINES}"));
    sandbox.home_file(".config/toto/config.toml", "[overflow]\nmode = \"reject\"\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("Error: Command output (~"), "{out}");
    assert!(out.contains(" tokens) exceeds maximum allowed tokens (25000). "), "{out}");
    assert!(out.contains("toto show "), "{out}");
}

/// The threshold of tokens was taken for a page of so many bytes, and the default was named, whatever was set.
#[test]
fn what_is_rejected_is_beyond_the_tokens_that_are_named() {
    let sandbox = sandbox("cat \"$HOME/words\"");
    sandbox.home_file("words", (0..600).map(|n| words(n) + "\n").collect::<String>());
    sandbox.home_file(".config/toto/config.toml", "[overflow]\nmode = \"reject\"\nthreshold = 3000\n");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert!(out.contains(" tokens) exceeds maximum allowed tokens (3000). "), "{out}");
}

/// Nothing counted as left out on a first page, and a small saving had no receipt.
#[test]
fn a_first_page_whose_text_lacks_lines_has_a_receipt() {
    let sandbox = sandbox("cat \"$HOME/words\"");
    let line = |n: usize| format!("{}{}\n", if n.is_multiple_of(10) { "noise " } else { "" }, words(n));
    sandbox.home_file("words", (0..300).map(line).collect::<String>());
    sandbox.home_file(".config/toto/filters/make.toml", "command = \"make\"\nskip = [\"^noise\"]\n");
    let outcome = run(captured(&sandbox).env("TOTO_THRESHOLD", "4000")).ok();
    assert!(outcome.out().contains("\n(page 1 of ") && !outcome.out().contains("noise"), "{}", outcome.out());
    assert!(outcome.err().starts_with("[toto] Original: "), "{}", outcome.err());
}

/// Where no other shape wins, a document was taken for text, and its first page was given.
#[test]
fn a_document_has_an_outline_in_whatever_form_it_is_given() {
    let sandbox = sandbox("cat \"$HOME/data\"");
    let yaml = |n: usize| format!("- {}\n", words(n).trim());
    let json = |n: usize| format!("\"\u{202e}{}\",", words(n).trim());
    let yaml = "notes:\n".to_owned() + &(0..1500).map(yaml).collect::<String>();
    let json = format!("{{\"notes\":[{}\"\"]}}\n", (0..1500).map(json).collect::<String>());
    for data in [yaml, json] {
        sandbox.home_file("data", &data);
        let out = run(&mut captured(&sandbox)).ok().out();
        assert!(out.starts_with("Output buffered to ") && out.contains("\nOutline: "), "{out}");
        assert!(!out.contains('\u{202e}'), "{out}");
    }
}

/// A threshold of documents is one of documents alone, and what the user chose is followed whatever that saves.
#[test]
fn documents_have_their_own_threshold() {
    let sandbox = sandbox("cat \"$HOME/data\"");
    let rows: Vec<_> =
        (0..160).map(|n| format!("{{\"id\":{n},\"word\":\"w{}\"}}", n * 7919 % 4001)).collect();
    sandbox.home_file("data", format!("{{\"items\":[{}]}}\n", rows.join(",")));
    for (settings, is_whole) in
        [("threshold = 1000\nstructured_threshold = 20000", true), ("structured_threshold = 500", false)]
    {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\n{settings}\n"));
        let out = run(&mut captured(&sandbox)).ok().out();
        assert_eq!(out.contains("159 "), is_whole, "{settings}\n{out}");
        assert_eq!(out.contains("\nOutline: "), !is_whole, "{settings}\n{out}");
    }
}

/// An agent that names the fields of a document wants its rows: they are given as long as they fit a page.
#[test]
fn rows_of_chosen_fields_are_given_whole() {
    let sandbox = Sandbox::new();
    sandbox.tool("aws", "cat \"$HOME/data\"");
    sandbox.link("aws");
    let said = |rows: usize, call: &[&str], settings: &str| {
        let row = |n: usize| format!("[\"i-{:017x}\",\"running\",[\"sg-{}\"]]", n * 7919, n * 31 % 97);
        sandbox.home_file("data", format!("[{}]\n", (0..rows).map(row).collect::<Vec<_>>().join(",")));
        sandbox.home_file(".config/toto/config.toml", settings);
        run(sandbox.command("aws").env("TOTO", "on").args(call)).ok().out()
    };
    let query = ["ec2", "describe-instances", "--query", "Reservations[].Instances[].[InstanceId]"];
    let own = "[overflow]\nstructured_threshold = 5000\n";
    for (rows, call, settings, is_whole) in [
        (300, &query[..], "", true),
        (300, &query[..2], "", false),
        (2000, &query[..], "", false),
        (300, &query[..], own, false),
    ] {
        let out = said(rows, call, settings);
        assert_eq!(out.contains("\nOutline: "), !is_whole, "{rows} {call:?}\n{out}");
    }
}

/// The digest of a report that does not fit its page says what it leaves out, and keeps to the page's lines.
#[test]
fn a_report_within_a_page_names_the_whole() {
    let tests = |each: fn(usize) -> String| (0..60).map(each).collect::<String>();
    let report = format!(
        "running 60 tests\n{}\nfailures:\n\n{}failures:\n{}\ntest result: FAILED. 0 passed; 60 failed; 0 ignored; \
         0 measured; 0 filtered out; finished in 0.01s\n",
        tests(|n| format!("test t::a{n} ... FAILED\n")),
        tests(|n| {
            format!(
                "---- t::a{n} stdout ----\nabout to look at number {n}\n\nthread 't::a{n}' (1) panicked at src/lib.rs:{}:5:\n\
                 assertion `left == right` failed: {}\n  left: {n}\n right: 1000\n\n",
                n * 7 + 3,
                words(n % 9 + 1).trim()
            )
        }),
        tests(|n| format!("    t::a{n}\n")),
    );
    let command = ["cargo".into(), "test".into()];
    for (bytes, lines) in [(1500, usize::MAX), (4000, usize::MAX), (9000, usize::MAX), (9000, 30)] {
        let page = Page { bytes, lines };
        let call = Call { words: &command, exit: Some(101), ..Call::default() };
        let options =
            Options { recall: "toto show k7q2x", call, room: 2000, page: Some(page), ..Options::default() };
        let told = compress(report.as_bytes(), &options);
        assert_eq!(told.shape, Shape::Report);
        let within = told.within_page.expect("a digest of more than a page");
        let text = String::from_utf8_lossy(&within);
        assert!(page.holds(&within), "{bytes} {lines}: {} bytes\n{text}", within.len());
        assert!(text.contains("toto show k7q2x") && text.contains("60 failed"), "{bytes} {lines}\n{text}");
    }
}

/// Who calls `jq .` looks at a document in this form, such as one that was just written: fewer lines are enough, unless
/// another form saves a thousand tokens more.
#[test]
fn a_form_that_was_asked_for_stays_where_another_saves_little() {
    let given = |tool: &str, document: &str| {
        let words = [tool.into(), ".".into()];
        let call = Call { words: &words, exit: Some(0), ..Call::default() };
        compress(document.as_bytes(), &Options { call, ..Options::default() })
    };
    let rows = |rows: usize| (0..rows).map(|n| serde_json::json!({ "id": n, "state": "running" })).collect();
    let pretty = |document: &Vec<serde_json::Value>| serde_json::to_string_pretty(document).unwrap() + "\n";
    let few: Vec<_> = rows(50);
    let lines = |document: &Vec<_>| document.iter().map(|row| format!("{row}\n")).collect::<String>();
    let told = given("jq", &pretty(&few));
    assert_eq!(told.shape, Shape::Json);
    assert_eq!(told.output, format!("[\n{}\n]\n", lines(&few).trim_end().replace('\n', ",\n")).as_bytes());
    let stream: String = few.iter().map(|row| serde_json::to_string_pretty(row).unwrap() + "\n").collect();
    assert_eq!(given("jq", &stream).output, lines(&few).as_bytes());
    assert_eq!(given("jq", &lines(&few)).shape, Shape::Raw, "short already");
    assert_eq!(given("jq", &pretty(&rows(2))).shape, Shape::Raw, "short in any form");
    assert_eq!(given("jq", &pretty(&rows(300))).shape, Shape::Pvfn);
    assert_eq!(given("aws", &pretty(&few)).shape, Shape::Pvfn);
    let nulls: Vec<_> = (0..40).map(|n| serde_json::json!({ "id": n, "note": null })).collect();
    let told = String::from_utf8(given("jq", &pretty(&nulls)).output).unwrap();
    assert!(told.ends_with("{\"id\":39,\"note\":null}\n]\n"), "{told}");
    let words = ["jq".into(), ".".into()];
    let call = Call { words: &words, exit: Some(0), ..Call::default() };
    let options = Options { call, parses_output: true, ..Options::default() };
    assert_eq!(compress(pretty(&few).as_bytes(), &options).shape, Shape::Raw, "a reader that parses");
    let yaml: String =
        few.iter().map(|row| format!("- id: {}\n  state: {}\n", row["id"], row["state"])).collect();
    assert_eq!(given("yq", &yaml).shape, Shape::Raw, "JSON is not the form of YAML");
}

#[test]
fn large_data_shows_what_it_is_made_of() {
    let sandbox = sandbox("cat \"$HOME/data\"");
    let rows: Vec<_> =
        (0..9000).map(|n| format!("{{\"id\": {n}, \"word\": \"w{}\"}}", n * 7919 % 4001)).collect();
    sandbox.home_file("data", format!("{{\"items\": [\n{}\n]}}\n", rows.join(",\n")));
    let out = run(&mut captured(&sandbox)).ok().out();
    for line in ["items[9000]", " id: 0 to 8999, 9000 different", "{\"id\":0,\"word\":\"w0\"}"] {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
}

#[test]
fn a_table_beyond_the_page_is_data_and_what_stands_around_it_is_whole() {
    let row = "printf '%-40s %-9s %ss\\n'";
    let rows = format!(
        "for n in $(seq 1000 2600); do {row} deployment-web-frontend-6d4cf56db6-$n Running $n; done; {row} last Failed 1"
    );
    let head = "echo 'warning: old client'; printf '%-40s STATUS    AGE\\n' NAME";
    let sandbox = sandbox(&format!("{head}; {rows}; printf '\\n2 nodes did not answer\\n'; exit $1"));
    let out = run(captured(&sandbox).arg("0")).ok().out();
    let first = format!("{:<40} STATUS    AGE", "NAME");
    for line in [
        "warning: old client",
        "2 nodes did not answer",
        &first,
        " STATUS: Running ×1601, Failed ×1 (item 1601) (of all 1602)",
    ] {
        assert!(out.lines().any(|l| l == line), "{line}\n{out}");
    }
    assert!(out.lines().last().unwrap().ends_with(" --raw; a part: --lines A:B, --grep RE"), "{out}");
    let failed = run(captured(&sandbox).arg("3")).exits(3).out();
    assert!(failed.contains("(page 1 of ") && failed.contains("… exit status 3"), "{failed}");
}

#[test]
fn what_is_small_leaves_no_file() {
    let sandbox = sandbox("echo one; echo two");
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), "one\ntwo\n");
    assert!(!session(&sandbox).exists());
    // Slow enough for a live copy, which nobody needs in the end.
    sandbox.tool("make", "echo one; sleep 2.3; echo two");
    assert_eq!(run(&mut captured(&sandbox)).ok().out(), "one\ntwo\n");
    assert_eq!(kept(&sandbox), Vec::<PathBuf>::new());
}

#[test]
fn a_hundred_megabytes_are_in_the_file_byte_for_byte() {
    let sandbox = sandbox("yes 0123456789abcdef0123456789abcdef | head -c 104857600");
    let out = run(&mut captured(&sandbox)).ok().out();
    assert!(out.len() < 24_000 && out.contains("\n(page 1 of about 4"), "{out}");
    let bytes = saved(&sandbox);
    assert_eq!(bytes.len(), 104_857_600);
    assert!(bytes.chunks(33).all(|line| b"0123456789abcdef0123456789abcdef\n".starts_with(line)));
    // The user's threshold was lost, and one beyond what is kept of the beginning ends at a line, too.
    for threshold in [5_000, 200_000] {
        let out = run(captured(&sandbox).env("TOTO_THRESHOLD", threshold.to_string())).ok().out();
        let (page, _) = out.rsplit_once("\n(page 1 of about ").unwrap();
        assert_eq!((out.len() <= threshold, page.len() % 33), (true, 32), "{threshold}: {}", out.len());
        assert!(out.len() > threshold.min(60_000) - 300, "{threshold}: {}", out.len());
    }
}

#[test]
fn a_server_is_not_waited_for() {
    let sandbox = sandbox("echo 'Listening on http://localhost:8000'; sleep 3; echo GET /; sleep 60");
    let mut shim = spawn(captured(&sandbox).stdout(Stdio::piped()));
    let mut stdout = shim.stdout.take().unwrap();
    let start = Instant::now();
    let expected = b"Listening on http://localhost:8000\nGET /\n";
    let mut text = vec![0; expected.len()];
    stdout.read_exact(&mut text).unwrap();
    assert_eq!(text, expected);
    assert!(start.elapsed() < Duration::from_secs(20));
    send("-TERM", &shim);
    shim.wait().unwrap();
}

#[test]
fn the_bytes_go_out_as_they_are_where_a_reader_leaves_early() {
    let sandbox = sandbox("yes 0123456789abcdef | head -c 3000000");
    let outcome: Outcome =
        run(sandbox.shell("bash", "make | head -c 5; echo \" ${PIPESTATUS[1]}\"").env("TOTO", "on"));
    assert!(outcome.out().ends_with(" 0\n"), "{}", outcome.out());
}

/// 256 runs, or as many as `TOTO_TEST_RUNS` says (in a build that is fast enough for them).
#[test]
fn many_at_once_do_not_meet() {
    let sandbox = sandbox(
        "awk -v run=$1 'BEGIN { srand(run); for (i = 0; i < 300; i++) \
             printf \"run %d line %d of the program %x %x\\n\", run, i, rand() * 16777216, rand() * 16777216 }'",
    );
    let runs = std::env::var("TOTO_TEST_RUNS").map_or(256, |runs| runs.parse().unwrap());
    let script = format!("seq 1 {runs} | xargs -P 64 -n 1 make | cat >/dev/null");
    let mut all = sandbox.shell("bash", &format!("set -o pipefail; {script}"));
    run(all.env("TOTO", "on").env("TOTO_THRESHOLD", "4000")).ok();
    let mut ids = std::collections::BTreeSet::new();
    let paths = kept(&sandbox);
    for path in paths.iter().filter(|path| path.extension().unwrap() == "out") {
        let text = fs::read_to_string(path).unwrap();
        let run = text.split(' ').nth(1).unwrap().to_owned();
        assert_eq!(text.lines().count(), 300);
        assert!(text.lines().all(|line| line.starts_with(&format!("run {run} line "))));
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(ids.insert(stem.rsplit('-').next().unwrap().to_owned()), "an id twice");
    }
    assert_eq!(ids.len(), runs);
    let beside =
        |path: &PathBuf| ["out", "json", "page"].iter().any(|ending| path.extension().unwrap() == *ending);
    assert!(paths.iter().all(beside), "nothing but outputs, their facts and their pages: {paths:?}");
}

#[test]
fn terminal_control_does_not_reach_the_agent_through_a_preview() {
    let body = format!(
        "{LINES}; printf '\\033]0;title\\007\\033[31merror: \\033[1mred\\033[0m\\033[2J\\007\\n'; {LINES}; printf 'end\\033[8m\\n'; exit 1"
    );
    let sandbox = sandbox(&body);
    for mode in ["buffer", "truncate", "reject"] {
        sandbox.home_file(".config/toto/config.toml", format!("[overflow]\nmode = \"{mode}\"\n"));
        let out = run(&mut captured(&sandbox)).exits(1).out();
        assert!(out.contains("error: red\n"), "{mode}: {out}");
        assert!(!out.contains(['\u{1b}', '\u{7}']), "{mode}: {out:?}");
    }
}

#[test]
fn binary_output_of_any_size_is_told_and_kept_or_given_as_it_is() {
    let sandbox = sandbox("head -c $1 \"$HOME/bytes\"");
    let bytes: Vec<u8> = (0..5_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    sandbox.home_file("bytes", &bytes);
    for size in [3_000, 100_000, 5_000_000] {
        let outcome = run(captured(&sandbox).arg(size.to_string())).ok();
        if outcome.out != bytes[..size] {
            // A small one is given whole, but for what a terminal would obey.
            assert!(size == 3_000 || outcome.out().starts_with("Output buffered to "), "{size}");
            let piped = run_with(&mut sandbox.toto::<&str>([]), &bytes[..size]).ok().out();
            assert!(!piped.contains("failed"), "nobody knows of a failure: {piped}");
            assert!(
                !outcome.out().contains('\u{1b}') && outcome.out.len() < 8_000,
                "{size}: {}",
                outcome.out()
            );
            let shown = (size > 3_000).then(|| run(&mut sandbox.toto(["show", "last", "--raw"])).ok().out);
            assert!(shown.is_none_or(|shown| shown == bytes[..size]));
        }
    }
}
